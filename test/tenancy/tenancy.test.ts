/**
 * Separation of tenants: every operation of the documents, with every kind of id of another tenant
 * or of a wrong kind, in every place that can contain an id, answers as it does for an id that does
 * not exist.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type Belongings, createBelongings, type Ids } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { idPlacesOf, type Place, withId } from '#test/support/contract/places.ts'
import { callerOf, contentOf, sampleOf, urlOf } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { checksumsOf } from '#test/support/inspection/checksums.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { liftRateLimit } from '#test/support/rate.ts'
import { type Answer, openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
await liftRateLimit(world.db)
const own = await createBelongings(world, { orders: true })
const other = await createBelongings(world, { orders: true })
const documents = documentsOf(world.config)
const places = documents.flatMap(({ operations, resolve }) =>
  operations.flatMap((operation) =>
    idPlacesOf(operation, resolve).map((place) => ({ operation, place })),
  ),
)
const operations = documents.flatMap((document) => document.operations)

/** The kind of id of a place by its name; path ids are those of the sample. */
const users: (keyof Ids)[] = ['user', 'applicant', 'hopeful', 'unverified', 'business']
const anyCard: (keyof Ids)[] = [
  'card',
  'plastic',
  'ordered_plastic',
  'shipped_plastic',
  'unlinked_card',
  'challenged_card',
]

const kinds: Readonly<Record<string, (keyof Ids)[]>> = {
  user_id: users,
  parent_user_id: users,
  director_list: users,
  signature_list: users,
  shareholder_list: users,
  card_id: anyCard,
  reference_card_id: anyCard,
  card_product_id: ['card_product'],
  bulk_issuance_id: ['bulk_issuance'],
  card_order_id: ['card_order'],
  account_id: ['account', 'other_account'],
  sender_account_id: ['account', 'other_account'],
  recipient_account_id: ['account', 'other_account'],
  transaction_id: ['transaction', 'settled'],
  reference_transaction_id: ['transaction', 'settled'],
  tenant_id: ['tenant', 'exporting'],
  object_id: ['card'],
  merchant_id: ['merchant'],
  payout_id: ['payout'],
  created_by: ['colleague', 'sole_owner'],
  allowed_countries_id: ['country_list'],
  allowed_mccs_id: ['mcc_list'],
  allowed_merchants_id: ['merchant_list'],
}

/** Parts of a path that are a name or a number, which no id is. */
const plain = ['name', 'number']

/** Kinds of which there are several, any of which fits where the other does. */
const pairs: (keyof Ids)[][] = [
  users,
  anyCard,
  ['tenant', 'exporting'],
  ['account', 'other_account'],
  ['transaction', 'settled'],
  ['dispute', 'submitted_dispute', 'represented_dispute'],
  ['order', 'captured_order'],
  ['api_key', 'unused_key'],
  ['colleague', 'sole_owner'],
]

/** One id in so many is asked with if its kind is wrong for the place; --deep asks with all. */
const STRIDE = process.env['TEST_DEEP'] === '1' ? 1 : 5
let asked = 0

/** All ids of a fitting kind, and some of the others: each kind has its turn at other places. */
const someOf = (ids: [keyof Ids, string][], fitting: (keyof Ids)[]): [keyof Ids, string][] =>
  ids.filter(([kind]) => fitting.includes(kind) || asked++ % STRIDE === 0)

function kindsOf(operation: Operation, { where, name }: Place): (keyof Ids)[] | undefined {
  if (where === 'body' && name === 'ids') {
    return [operation.path.includes('/velocitylimits') ? 'velocity_limit' : 'balance_limit']
  }
  // The audit log and the events are about every kind of object.
  if (where === 'query' && name === 'object_id') return idsOf(own).map(([one]) => one)
  if (where !== 'path') return kinds[name]
  if (plain.includes(name)) return []
  const kind = idsOf(own).find(([, id]) => id === sampleOf(operation, own)?.params?.[name])?.[0]
  if (kind === undefined) return undefined
  return pairs.find((pair) => pair.includes(kind)) ?? [kind]
}

const as = (operation: Operation, belongings: Belongings) => callerOf(operation, world, belongings)

const idsOf = ({ ids }: Belongings) => Object.entries(ids) as [keyof Ids, string][]

/** A body's `id` is the client's own choice of a name, not a reference (D-4). */
const isChosen = ({ where, name }: Place) => where === 'body' && name === 'id'

/** The operator may reach every tenant; foreign to it is what the path's tenant does not have. */
const isOperators = ({ permission }: Operation, { name }: Place) =>
  permission === 'operator' && ['id', 'tenant_id', 'object_id', 'merchant_id'].includes(name)

/** Whether the query names the one object that the answer is of. */
const isOfOne = ({ path }: Operation) =>
  path.endsWith(':available') ||
  /^\/operator\/(disputes|clearingexports(\/{id}:download)?)$/.test(path)

function ask(operation: Operation, place: Place, id: string): Promise<Answer> {
  const { params, query, ...sample } = withId(sampleOf(operation, own) ?? {}, place, id)
  const url = urlOf(operation, params, query)
  const content = contentOf(sample)
  const { key, headers } = callerOf(operation, world, own)
  const options = { key, headers: { ...headers, ...content.headers } }
  return world.request(operation.method, url, content.payload, options)
}

/** The content of an answer, without the request's id and the id that was sent. */
const resultOf = ({ status, text, body }: Answer, id: string) => {
  const request_id: string = body?.request_id ?? ''
  const plain = text.replaceAll(id, '<id>')
  return `${status} ${request_id === '' ? plain : plain.replaceAll(request_id, '<request>')}`
}

const expected: Readonly<Record<Place['where'], number>> = { path: 404, body: 400, query: 200 }

let before_: Record<string, string>
before(async () => {
  // Its events get their numbers, and deliveries their rows, also by being read.
  await world.services.runDueJobs(other.tenant.id)
  before_ = await checksumsOf(world.db, other.tenant.id)
})

test('every place that can contain an id is listed with its kind', () => {
  const unknown = places
    .filter(({ operation, place }) => !isChosen(place) && !kindsOf(operation, place))
    .map(({ operation, place }) => `${operation.name}: ${place.steps.join('.')}`)
  assert.deepEqual(
    unknown,
    [],
    'add it to `kinds`, or a sample to test/support/contract/samples.ts',
  )
})

for (const operation of operations) {
  const within = places.filter((one) => one.operation === operation && !isChosen(one.place))
  if (within.length === 0) continue
  describe(operation.name, () => {
    for (const { place } of within) {
      test(`${place.where} ${place.steps.join('.')}: another tenant's id is like an unknown one`, async () => {
        const unknown_id = randomUUID()
        const reference = await ask(operation, place, unknown_id)
        // A filter finds nothing; an object that a request names is 404; a report of nobody would
        // say that nothing differs.
        const names = operation.method !== 'GET' || isOfOne(operation)
        const reports = operation.path === '/operator/reconciliation'
        const filter = place.where === 'query' && !names && !reports
        const named = place.where === 'query' && names ? 404 : expected[place.where]
        assert.equal(reference.status, reports ? 400 : named, reference.text)
        if (filter) assert.deepEqual(reference.body.data, [])

        const fitting = kindsOf(operation, place) ?? []
        const foreign = isOperators(operation, place)
          ? idsOf(other).filter(([kind]) => !fitting.includes(kind))
          : idsOf(other)
        const misplaced = idsOf(own).filter(([kind]) => !fitting.includes(kind))
        for (const [kind, id] of someOf([...foreign, ...misplaced], fitting)) {
          // It is no UUID, so another place does not take it for an id.
          if (kind === 'passkey' && !operation.path.startsWith('/passkeys')) continue
          const answer = await ask(operation, place, id)
          assert.equal(
            resultOf(answer, id),
            resultOf(reference, unknown_id),
            `with the id of a ${kind}`,
          )
        }
      })
    }
  })
}

describe('answers hold nothing of another tenant', () => {
  const reading = operations.filter(
    ({ method, permission }) => method === 'GET' && permission !== 'operator',
  )
  for (const operation of reading) {
    test(operation.name, async () => {
      const url = urlOf(operation, sampleOf(operation, own)?.params)
      assertNothingOf(await world.request('GET', url, undefined, as(operation, own)))
    })
    if (!operation.parameters.some(({ name }) => name === 'after')) continue
    test(`${operation.name} with the other's cursor`, async () => {
      const theirs = urlOf(operation, sampleOf(operation, other)?.params, { limit: '1' })
      const page = await world.request('GET', theirs, undefined, as(operation, other))
      assert.equal(page.status, 200, page.text)
      if (page.body.after === undefined) return
      const query = { after: page.body.after }
      const ours = urlOf(operation, sampleOf(operation, own)?.params, query)
      assertNothingOf(await world.request('GET', ours, undefined, as(operation, own)))
    })
  }
})

function assertNothingOf({ text }: Answer): void {
  for (const [kind, id] of idsOf(other)) assert.ok(!text.includes(id), `the other's ${kind}`)
  // Its six digits occur in ids by chance, and there no value begins with them.
  assert.ok(!text.includes(`"${other.bin}`), "the other's BIN")
}

test('all of this has changed nothing of the other tenant', async () => {
  assert.deepEqual(await checksumsOf(world.db, other.tenant.id), before_)
})

describe("another tenant's idempotency key is one's own to use", () => {
  const keyed = operations.filter(
    ({ idempotencyHeader, permission }) => idempotencyHeader && permission !== 'operator',
  )
  for (const operation of keyed) {
    test(operation.name, async () => {
      const shared = { [String(operation.idempotencyHeader)]: randomUUID() }
      const [one, two] = [
        await belongingsFor(world, operation, own),
        await belongingsFor(world, operation, other),
      ]
      for (const belongings of [one, two]) {
        const { params, ...sample } = sampleOf(operation, belongings) ?? {}
        const content = contentOf(sample)
        const { key, headers } = as(operation, belongings)
        const url = urlOf(operation, params)
        const options = { key, headers: { ...headers, ...content.headers, ...shared } }
        const answer = await world.request(operation.method, url, content.payload, options)
        assert.equal(answer.status, operation.success, answer.text)
        assert.equal(answer.headers['idempotent-replayed'], undefined)
      }
    })
  }
})
