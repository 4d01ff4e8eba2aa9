/**
 * How many statements and round trips each operation needs. The table of docs/round_trips.md is
 * this; with WRITE_ROUND_TRIPS=1 the test writes it.
 */

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { documentsOf, type Operation } from '#test/support/contract/operations.ts'
import { callerOf, contentOf, sampleOf, urlOf, usesUp } from '#test/support/contract/samples.ts'
import { belongingsFor } from '#test/support/contract/sharing.ts'
import { type Sent, watchStatements } from '#test/support/inspection/statements.ts'
import { keeper } from '#test/support/keeper.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { openWorld } from '#test/support/world.ts'

const PATH = 'docs/round_trips.md'
const [BEGIN, END] = ['<!-- round trips -->\n', '\n<!-- end of round trips -->']
const isShown = process.env['SHOW_STATEMENTS']

const keep = keeper()
const world = keep(await openWorld())
keep(await listenForCards(world))
const statements = keep(watchStatements(world.url))
const operations = documentsOf(world.config).flatMap((document) => document.operations)
const shared = await createBelongings(world, { orders: true })
const measured = new Map<string, Sent>()
/** Operations by the ids of the requests. */
const answered = new Map<string, Operation>()

/** Sends the operation's own sample; the objects that it is about are made before. */
async function measure(operation: Operation, headers = {}): Promise<Sent> {
  const belongings = await belongingsFor(world, operation, shared)
  const sample = sampleOf(operation, belongings)
  const content = contentOf(sample)
  const { key, headers: given } = callerOf(operation, world, belongings)
  statements.take()
  const answer = await world.request(
    operation.method,
    urlOf(operation, sample?.params),
    content.payload,
    { key, headers: { ...given, ...content.headers, ...headers } },
  )
  const sent = statements.take()
  assert.ok(answer.status < 300, answer.text)
  answered.set(String(answer.headers['x-request-id']), operation)
  return sent
}

/** A list reads what its rows refer to as well. */
function isList({ responses, success }: Operation): boolean {
  const schema = responses[success]?.content?.['application/json']?.schema
  return schema?.properties?.['data']?.type === 'array'
}

/** Reads that need more statements, in round trips that are counted below. */
const MORE: Record<string, number> = {
  // The fulfillment of its cards is read as for a page of them.
  'GET /v1/bulkissuances/{id}': 2,
  // The file, and its records or their sums in its one tenant.
  'GET /v1/operator/clearings/{id}': 2,
  'GET /v1/operator/clearings/{id}/records/{number}': 2,
  // The tenant's clock, the file, its messages, and the numbers of their cards, apart.
  'GET /v1/operator/clearingexports/{id}:download': 8,
  // The batch, and how many of its records are answered.
  'GET /v1/cardorders/{id}': 2,
  // Each tenant is read by itself, in five statements.
  'GET /v1/operator/reviews': 100,
  // Tenants and merchants; the lists of a day: three of the tenant's own books, chargebacks of each
  // merchant, disputes, clearing files, and those of its transactions and of each account of the
  // card network.
  'GET /v1/operator/reconciliation': 27,
  // The connections of all networks, and keys and requests of each, sent together.
  'GET /v1/operator/networks': 3,
  // Settings, card, sealed number and keys; the tables of the vault are read apart (D-37). Each
  // reveal is counted, and its audit record and the record's place are written (D-1003, D-500).
  'GET /v1/cards/{id}:reveal': 9,
  'GET /v1/tokens/{id}:reveal': 8,
  // Settings, keys and bytes of files, sent together; the operator's behind the tenant's clock.
  'GET /v1/tenantsettings/usage': 3,
  'GET /v1/operator/tenants/{id}/usage': 4,
  // The tenant's clock, card and chip.
  'GET /v1/operator/tenants/{id}/cards/{card_id}/chip': 3,
  // The tenant's clock, then the keys in the vault.
  'GET /v1/operator/tenants/{id}/cardproducts/{card_product_id}/keys': 2,
  // Member and tenant, sent together.
  'GET /portal/v1/session': 2,
  // The delivery and its attempts, sent together.
  'GET /v1/deliveries/{id}': 2,
  'GET /api/v1.0/webhooks/{id}/deliveries/{delivery_id}': 2,
  // Files, and the sums of each tenant's records: here of two.
  'GET /v1/operator/clearings': 3,
  // Stored counts and the clock, sent together; open quarters of an hour; at times those that have
  // closed since.
  'GET /v1/statistics/authorizations': 4,
  // Days of operations and of disputes, and what is owed of all days; sent together.
  'GET /api/v1.0/statement': 3,
  // Limit, card with its links, settings and counters.
  'GET /v1/velocitylimits/{id}:available': 4,
  // List or limit, settings, sums and examples.
  'GET /v1/allowedcountries/{id}:shadow': 4,
  'GET /v1/allowedmccs/{id}:shadow': 4,
  'GET /v1/allowedmerchants/{id}:shadow': 4,
  'GET /v1/balancelimits/{id}:shadow': 4,
  'GET /v1/velocitylimits/{id}:shadow': 4,
}

for (const operation of operations) {
  const { name, method } = operation
  test(`${name} is measured`, async () => {
    // The first one of a process may have to read keys.
    if (method === 'GET' || (method === 'POST' && !usesUp(operation))) await measure(operation)
    const sent = await measure(operation)
    measured.set(name, sent)
    if (isShown && name.includes(isShown)) console.log(name, sent)
    const most = MORE[name] ?? (isList(operation) ? 2 : 1)
    if (method === 'GET') assert.ok(sent.statements <= most, sent.texts.join('\n'))
  })
}

describe('an idempotency key', () => {
  for (const name of ['POST /v1/accounts/{id}:loadfunds', 'POST /v1/cards']) {
    test(`adds at most one round trip to ${name}`, async () => {
      const operation = operations.find((one) => one.name === name)
      assert.ok(operation?.idempotencyHeader)
      const keyed = await measure(operation, { [operation.idempotencyHeader]: crypto.randomUUID() })
      const plain = measured.get(name)
      assert.ok(plain && keyed.round_trips <= plain.round_trips + 1, keyed.texts.join('\n'))
    })
  }
})

/**
 * Operations that search, answer a token that is kept nowhere, or ask for a mail without a session.
 */
const CHANGES_NOTHING = new Set([
  'searchUsers',
  'listLinkedUsersByPost',
  'searchKycRequests',
  'createMerchantToken',
  'createPasskeyChallenge',
  'requestPasswordReset',
  'checkPasswordReset',
])
const READS_CARD_DATA = new Set(['revealCard', 'revealToken', 'downloadClearingExport'])

describe('a change or a reading of card data', () => {
  test('leaves one audit record of its operation, and another request none', async () => {
    const rows = await world.db.selectFrom('audit_records').selectAll().execute()
    const found = Map.groupBy(rows, ({ request_id }) => request_id)
    const faults = [...answered].filter(([request_id, { id, method }]) => {
      const changes = method !== 'GET' && !CHANGES_NOTHING.has(id)
      const expected = changes || READS_CARD_DATA.has(id) ? [id] : []
      const names = (found.get(request_id) ?? []).map(({ operation }) => operation)
      return names.join() !== expected.join()
    })
    assert.deepEqual(
      faults.map(([, { name }]) => name),
      [],
    )
    assert.ok(answered.size >= operations.length)
  })
})

/** A row of the table, as numbers. */
const ROW = /^\| `(?<name>.+)` \| (?<statements>\d+) \| (?<round_trips>\d+) \|$/

test('docs/round_trips.md has the table of all operations', () => {
  const rows = operations.map(({ name }) => {
    const { statements: count = 0, round_trips = 0 } = measured.get(name) ?? {}
    return `| \`${name}\` | ${count} | ${round_trips} |`
  })
  const head = ['| Operation | Statements | Round trips |', '| --- | ---: | ---: |']
  const table = [...head, ...rows]
  const text = readFileSync(PATH, 'utf8')
  const [start, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)]
  if (process.env['WRITE_ROUND_TRIPS']) {
    writeFileSync(PATH, text.slice(0, start) + table.join('\n') + text.slice(end))
    return
  }
  const written = text.slice(start, end).split('\n')
  assert.equal(written.length, table.length)
  for (const [at, row] of table.entries()) assertSameRow(written[at] ?? '', row)
})

/** It does what is due, which depends on the hour: its numbers may differ by a fifth. */
const BY_THE_HOUR = 'PUT /v1/simulate/clock'

/** A busy machine may answer one statement before the next is sent beside it. */
function assertSameRow(written: string, row: string): void {
  if (written === row) return
  const [one, other] = [written, row].map((text) => {
    const { name = '', statements, round_trips } = ROW.exec(text)?.groups ?? {}
    return { name, statements: Number(statements), round_trips: Number(round_trips) }
  })
  assert.ok(one && other)
  const fifth = one.name === BY_THE_HOUR ? one.statements / 5 : 0
  const isSame =
    one.name === other.name &&
    Math.abs(one.statements - other.statements) <= fifth &&
    Math.abs(one.round_trips - other.round_trips) <= Math.max(1, fifth)
  assert.ok(isSame, `${written} is written, ${row} is measured`)
}
