/**
 * Roles (D-137): every operation, called by a session of every role, and by a key with what each
 * role may give to one. The expectations are written here again, by paths, apart from the table.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import {
  KEY_PERMISSIONS,
  keyPermissionsOf,
  namedOperations,
  OPERATOR_ROLES,
  ROLES,
  type Role,
  TENANT_ROLES,
} from '#callers/roles.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { bySession, type Credential, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
await liftRateLimit(world.db)
const issuer = await listenForCards(world)
after(() => issuer.close())
const own = await createBelongings(world, { orders: true })
const operations = documentsOf(world.config).flatMap((document) => document.operations)
const called = operations.filter(({ permission }) => permission !== 'open')

/** An invalid request, so that a permitted call changes nothing. */
const WRONG = { no_such_parameter: '1', total: '9'.repeat(50) }

const isRead = ({ method, permission }: Operation) => method === 'GET' || permission === 'read'
const isOfTenant = ({ permission }: Operation) =>
  ['read', 'write', 'cards:widget', 'merchant', 'keys', 'team'].includes(permission)
const isForAll = ({ permission }: Operation) => permission === 'member'
const isIn = (pattern: RegExp) => (operation: Operation) => pattern.test(operation.name)

const MONEY = isIn(/^POST .*(:loadfunds|:unloadfunds|:charge|\/transfers)$/)
const BULK = isIn(/^(POST|PUT) .*\/bulkissuances/)
const PEOPLE = isIn(/^(POST|PUT|DELETE) \/v1\/users(?!.*limits:)/)
const SUPPORT = isIn(
  /^(PUT \/v1\/cards\/{id}:statuschange|(POST|DELETE) .*\/stoporders.*|POST .*(:widgettoken|:resend))$/,
)
const OWN_DRAFTS = isIn(
  /^(POST \/v1\/disputes(\/{id}\/files)?|PUT \/v1\/disputes\/{id}(\/files)?|DELETE \/v1\/disputes.*)$/,
)
const EVIDENCE_OF_SHOPS = isIn(/^(POST|DELETE) \/api\/v1.0\/disputes\/{id}\/files/)
const DRAFTS = (one: Operation) => OWN_DRAFTS(one) || EVIDENCE_OF_SHOPS(one)
const DISPUTES = isIn(/^(POST|PUT|DELETE) \/(v1|api\/v1.0)\/disputes/)
const REVIEW = isIn(/\/operator\/(reviews|users|identifications|kyc|matches)/)
const TENANT_READ = isIn(/^GET \/v1\/operator\/tenants(\/{id})?$/)
const PERSONAL_READ = isIn(/^(GET|POST) \/v1\/users(?!.*limits)/)
const CARD_STATUS = isIn(/^PUT \/v1\/(operator\/)?cards\/{id}:statuschange$/)

/** D-137 in words that the table does not use. */
const expectations: Readonly<Record<Role, (operation: Operation) => boolean>> = {
  owner: isOfTenant,
  developer: (one) => isOfTenant(one) && (one.permission !== 'team' || isRead(one)),
  finance: (one) => isOfTenant(one) && (isRead(one) || MONEY(one) || BULK(one) || DISPUTES(one)),
  compliance: (one) => isOfTenant(one) && (isRead(one) || PEOPLE(one)),
  support: (one) => isOfTenant(one) && (isRead(one) || SUPPORT(one) || DRAFTS(one)),
  viewer: (one) => isOfTenant(one) && isRead(one),
  operator_owner: (one) =>
    ['read', 'write', 'cards:widget', 'operator', 'team'].includes(one.permission) ||
    (one.permission === 'merchant' && isRead(one)),
  operator_compliance: (one) =>
    REVIEW(one) || TENANT_READ(one) || (PERSONAL_READ(one) && isRead(one)),
  operator_support: (one) =>
    CARD_STATUS(one) ||
    (isRead(one) &&
      ['read', 'merchant', 'operator', 'team'].includes(one.permission) &&
      one.id !== 'listMails'),
}

const mayCall = (role: Role, operation: Operation) =>
  operation.permission !== 'cards:reveal' && (isForAll(operation) || expectations[role](operation))

async function statusOf(operation: Operation, { key, headers }: Credential): Promise<string> {
  const url = urlOf(operation, sampleOf(operation, own)?.params, WRONG)
  const options = { key, headers }
  const { status } = await world.request(operation.method, url, undefined, options)
  return status === 401 || status === 403 ? String(status) : 'let in'
}

async function sessionOf(role: Role): Promise<Credential> {
  const isOperator = OPERATOR_ROLES.some((one) => one === role)
  const { browser } = await memberWith(world, role, isOperator ? null : own.tenant.id)
  const { key, headers } = bySession(world, browser.cookie)
  return { key, headers: { ...headers, ...(isOperator && { 'x-bezant-tenant': own.tenant.id }) } }
}

for (const role of ROLES) {
  const session = await sessionOf(role)
  describe(`a session of the role ${role}`, () => {
    for (const operation of called) {
      const expected = mayCall(role, operation) ? 'let in' : '403'
      test(`${operation.name}: ${expected}`, async () => {
        assert.equal(await statusOf(operation, session), expected)
      })
    }
  })
}

for (const role of TENANT_ROLES.filter((one) => keyPermissionsOf(one).length > 0)) {
  const permissions = [...keyPermissionsOf(role)]
  const keys = `/v1/operator/tenants/${own.tenant.id}/keys`
  const operator = { key: world.operator_key }
  const { body } = await world.request('POST', keys, { permissions }, operator)
  describe(`a key with what the role ${role} may give`, () => {
    for (const operation of called.filter(({ prefix }) => prefix === '/v1')) {
      const isAllowed = permissions.some((one) => one === operation.permission)
      const expected = isAllowed ? 'let in' : '403'
      test(`${operation.name}: ${expected}`, async () => {
        assert.equal(await statusOf(operation, { key: body.key, headers: {} }), expected)
      })
      if (isAllowed && operation.permission !== 'cards:reveal') {
        test(`${operation.name} is no more than the role has`, () => {
          assert.ok(mayCall(role, operation))
        })
      }
    }
  })
}

describe('the table of roles', () => {
  test('names operations that exist', () => {
    const known = new Set(operations.map(({ id }) => id))
    assert.deepEqual(
      namedOperations().filter((id) => !known.has(id)),
      [],
    )
  })

  test('lets nobody but an owner give a key every permission', () => {
    const given = ROLES.filter((role) => keyPermissionsOf(role).length === KEY_PERMISSIONS.length)
    assert.deepEqual(given, ['owner'])
  })

  const tokens = `/v1/cards/${own.ids.card}:widgettoken`
  const widgets = ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE']
  for (const [role, allowed] of [
    ['owner', widgets],
    ['developer', ['SET_PIN', 'ACTIVATE']],
    ['support', ['SET_PIN', 'ACTIVATE']],
    ['operator_owner', ['SET_PIN', 'ACTIVATE']],
  ] as const) {
    test(`lets ${role} create widget tokens for ${allowed.join(', ')} only`, async () => {
      const { headers } = await sessionOf(role)
      const found: string[] = []
      for (const widget of widgets) {
        const body = { widget, origin: 'https://shop.example' }
        const answer = await world.request('POST', tokens, body, { key: null, headers })
        if (answer.status !== 403) found.push(widget)
      }
      assert.deepEqual(found, allowed)
    })
  }
})
