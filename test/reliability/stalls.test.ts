/**
 * The database stops, the way to it falls silent, a stranger holds an account locked: every request
 * is answered within the time limit of a statement, what needs nothing of it goes on, and afterwards
 * all is as before.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import pg from 'pg'
import { chances, SEED } from '#test/support/chances.ts'
import type { Reply } from '#test/support/clients.ts'
import { auditCrowd } from '#test/support/crowd/audit.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { openStoppable } from '#test/support/processes/stoppable.ts'
import { openProxy } from '#test/support/services/proxy.ts'
import { openRelay } from '#test/support/services/relay.ts'

const deep = process.env['TEST_DEEP'] === '1'
const STALL_MS = deep ? 30_000 : 5_000
/** The time limit of a statement, 10 s, and one second. */
const ANSWERED_MS = 11_000
const EVERY_MS = 250
const CLIENTS = 8
const CARDS = 8

const keep = keeper()
const server = await openStoppable()
keep({ close: server.drop })
const proxy = keep(await openProxy(server.url))
const way = keep(await openRelay(Number(new URL(proxy.url).port)))
const url = new URL(proxy.url)
url.port = String(way.port)
const platform = keep(await openKillable({ url: url.href, drop: async () => {} }))
keep({ close: () => way.set({}) })
const crowd = await gatherCrowd(platform, { cards: CARDS, own_cards: CLIENTS, orders: 10 })
const [locked, ...others] = crowd.stock.cards

type Answer = { status: number; ms: number }
let keys = 0

async function timed(asked: () => Promise<Reply>): Promise<Answer> {
  const start = performance.now()
  const { status } = await asked()
  return { status, ms: performance.now() - start }
}

const read = (card_id: string): Promise<Answer> =>
  timed(() =>
    platform.clients.ask({
      method: 'GET',
      url: `/v1/cards/${card_id}`,
      body: undefined,
      headers: { apikey: platform.sandbox.tenant.api_key },
    }),
  )

const authorize = (card_id: string): Promise<Answer> =>
  timed(() =>
    platform.clients.ask({
      method: 'POST',
      url: '/v1/simulate/authorizations',
      body: JSON.stringify({ card_id, currency: 'AED', amount: 0.01 }),
      headers: {
        apikey: platform.sandbox.tenant.api_key,
        'x-bezant-idempotency-key': `stall-${++keys}`,
      },
    }),
  )

const cardAt = (at: number) => others[at % others.length]?.id ?? ''

/** A read and an authorization every quarter of a second, none waiting for another. */
async function askDuring(ms: number): Promise<Answer[]> {
  const answers: Promise<Answer>[] = []
  for (let at = 0; at < ms / EVERY_MS; at += 1) {
    answers.push(read(cardAt(at)), authorize(cardAt(at)))
    await pass(EVERY_MS)
  }
  return Promise.all(answers)
}

const percentile = (answers: readonly Answer[], share: number): number =>
  answers.map(({ ms }) => ms).toSorted((one, other) => one - other)[
    Math.floor((answers.length - 1) * share)
  ] ?? 0
const words = (answers: readonly Answer[]) =>
  `${answers.length} answers, p50 ${percentile(answers, 0.5).toFixed(0)} ms, ` +
  `p99 ${percentile(answers, 0.99).toFixed(0)} ms`

const stalls = {
  'the database stops': { begin: () => server.freeze(), end: () => server.thaw() },
  'the way to the database falls silent': {
    begin: () => way.set({ isSilent: true }),
    end: () => way.set({}),
  },
}

for (const [name, { begin, end }] of Object.entries(stalls)) {
  test(`${name} for ${STALL_MS} ms: each request is answered, then all goes on`, async (t) => {
    const work = crowd.work(CLIENTS, (client) => chances(SEED + client + 1))
    await pass(EVERY_MS)
    begin()
    const during = await askDuring(STALL_MS).finally(end)
    await work.stop()
    t.diagnostic(words(during))
    // 200 where it was answered before the stall or behind it.
    const statuses = new Set(during.map(({ status }) => status))
    for (const status of statuses) assert.ok([200, 503, 504].includes(status), String(status))
    assert.ok(statuses.has(503) || statuses.has(504), 'the stall hit nothing')
    assert.ok(percentile(during, 1) <= ANSWERED_MS, `an answer took ${percentile(during, 1)} ms`)
    // More than there are connections, at once: none is left behind.
    const after = await Promise.all(
      Array.from({ length: 64 }, (_, at) => (at % 2 ? read : authorize)(cardAt(at))),
    )
    assert.deepEqual([...new Set(after.map(({ status }) => status))], [200])
    await untilQuiet(platform.db)
    assert.deepEqual(await auditCrowd(platform.db, crowd), [])
  })
}

describe(`a stranger holds an account locked for ${STALL_MS} ms`, () => {
  test('its own requests are answered in time, those of others as before', async (t) => {
    const usual = await askDuring(STALL_MS)
    const stranger = new pg.Client({ connectionString: platform.url })
    await stranger.connect()
    await stranger.query("begin; select set_config('bezant.tenant', '*', true)")
    const { rows } = await stranger.query('select from accounts where id = $1 for update', [
      locked?.account_id,
    ])
    assert.equal(rows.length, 1, 'the account is locked')
    const own = Promise.all(
      Array.from({ length: 4 }, async (_, at) => {
        await pass(at * EVERY_MS)
        return authorize(locked?.id ?? '')
      }),
    )
    const during = await askDuring(STALL_MS)
    await stranger.query('rollback')
    await stranger.end()
    t.diagnostic(`usual: ${words(usual)}; beside the lock: ${words(during)}`)
    assert.deepEqual([...new Set(during.map(({ status }) => status))], [200])
    for (const { status, ms } of await own) {
      assert.ok(status === 200 || status === 503, String(status))
      assert.ok(ms <= ANSWERED_MS, `an answer took ${ms} ms`)
    }
    assert.equal((await authorize(locked?.id ?? '')).status, 200)
    await untilQuiet(platform.db)
    await assertSound(platform.db)
  })
})
