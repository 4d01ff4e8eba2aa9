/** Permissions: every operation, called by every kind of caller. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import {
  anonymous,
  byToken,
  type Credential,
  sampleOf,
  urlOf,
} from '#test/support/contract/samples.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
await liftRateLimit(world.db)
const issuer = await listenForCards(world)
after(() => issuer.close())
const own = await createBelongings(world, { orders: true })

async function keyWith(permissions: string[]): Promise<Credential> {
  const path = `/v1/operator/tenants/${own.tenant.id}/keys`
  const operator = { key: world.operator_key }
  const { body } = await world.request('POST', path, { permissions }, operator)
  return { key: body.key, headers: {} }
}

const everything = ['read', 'write', 'cards:reveal', 'cards:widget']
const callers: Readonly<Record<string, Credential & { may: readonly string[] }>> = {
  'no key': { ...anonymous, may: [] },
  'a key that reads': { ...(await keyWith(['read'])), may: ['read'] },
  'a key that writes': { ...(await keyWith(['write'])), may: ['write'] },
  'a key that reveals': { ...(await keyWith(['cards:reveal'])), may: ['cards:reveal'] },
  'a key of widgets': { ...(await keyWith(['cards:widget'])), may: ['cards:widget'] },
  'a client': { key: own.tenant.api_key, headers: {}, may: everything },
  'a client by bearer': { ...byToken(own.tenant.api_key), may: everything },
  'the operator': { key: world.operator_key, headers: {}, may: ['operator'] },
  'a merchant': { ...byToken(own.merchant.token), may: ['merchant'] },
  'a merchant by apikey': { key: own.merchant.token, headers: {}, may: [] },
}
const ofApi = ({ prefix, permission }: Operation) =>
  // The first member of the operator's team is invited with the operator's key (D-631).
  known[prefix === '/portal/v1' && permission === 'operator' ? '/v1' : prefix]

/** The permissions of each API's callers; the other API answers them 401. */
const known: Readonly<Record<string, readonly string[]>> = {
  '/v1': ['read', 'write', 'cards:reveal', 'cards:widget', 'operator'],
  '/api/v1.0': ['merchant'],
  '/portal/v1': ['member'],
}

function expected(operation: Operation, may: readonly string[]): string {
  const { permission } = operation
  if (permission === 'open') return 'let in'
  if (!may.some((one) => ofApi(operation)?.includes(one))) return '401'
  return may.includes(permission) ? 'let in' : '403'
}

/** An invalid request, so that a permitted call changes nothing. */
const WRONG = { no_such_parameter: '1', total: '9'.repeat(50) }

for (const operation of documentsOf(world.config).flatMap((document) => document.operations)) {
  describe(operation.name, () => {
    for (const [name, { may, ...credential }] of Object.entries(callers)) {
      const expectation = expected(operation, may)
      test(`${name}: ${expectation}`, async () => {
        const url = urlOf(operation, sampleOf(operation, own)?.params, WRONG)
        const { method } = operation
        const { status, text } = await world.request(method, url, undefined, credential)
        assert.equal(
          status === 401 || status === 403 ? String(status) : 'let in',
          expectation,
          text,
        )
      })
    }
  })
}
