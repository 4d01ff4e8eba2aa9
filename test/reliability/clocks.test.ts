/**
 * Processes whose own clocks are wrong work on one database: due work, timed holds and counts by
 * the second go by the database's clock (D-350).
 */

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { after, afterEach, describe, test } from 'node:test'
import { hashApiKey } from '#callers/api_keys.ts'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { masterKeyWrapper } from '#kit/keys/keyring.ts'
import { newId } from '#lib/id.ts'
import { SERVER } from '#lib/process/launch.ts'
import { openIssuer as openOtherIssuer } from '#test/e2e/issuer.ts'
import { openShop } from '#test/e2e/shop.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openIssuer } from '#test/support/issuer.ts'
import type { WorkerEnv } from '#test/support/processes/delivery_worker.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { shiftClock } from '#test/support/processes/shifted_clock.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const DAY_MS = 86_400_000
/** Below the 60 s with which a process still starts. */
const AHEAD_MS = 50_000
/** The number that one process delivers at once for one subscription. */
const EVENTS = 20

const master_key = randomBytes(32)
const world = await openWorld({ wrapper: masterKeyWrapper(master_key) })
after(() => world[Symbol.asyncDispose]())
afterEach(() => shiftClock(0))

describe('a process whose clock is ahead', () => {
  test('ends no payment that still waits for its answer', async () => {
    const issuer = await openOtherIssuer(() => null)
    await using shop = await openShop({ issuer: issuer.port })
    const card = await shop.customer(100n)
    const { id, reference } = await shop.checkout()
    const answered = shop.submit(id, card)
    const status = () =>
      shop.db
        .selectFrom('checkouts')
        .select(['status', 'message_id'])
        .where('tenant_id', '=', shop.tenant.id)
        .where('reference', '=', reference)
        .executeTakeFirstOrThrow()
    await until('the issuer has the request', () => issuer.of('0100').length > 0)
    shiftClock(AHEAD_MS)
    await shop.sweeper.runDueJobs(shop.tenant.id)
    const paying = await status()
    shiftClock(0)
    assert.equal(paying.status, 'PAYING')
    await issuer.close()
    await answered
  })

  test('takes no token from a rate bucket before its time, and gives none back', async () => {
    const { api_key } = await world.otherTenant({ rate_limit_per_second: 0.1, rate_limit_burst: 5 })
    const ask = async () =>
      (await world.request('GET', '/v1/simulate/clock', undefined, { key: api_key })).status
    for (let sent = 0; sent < 5; sent++) assert.equal(await ask(), 200)
    shiftClock(AHEAD_MS)
    assert.equal(await ask(), 429)
    const { filled } = await world.db
      .selectFrom('rate_buckets')
      .select('filled')
      .where('key_hash', '=', hashApiKey(api_key))
      .executeTakeFirstOrThrow()
    shiftClock(0)
    assert.ok(filled.getTime() <= Date.now() + 1_000, filled.toISOString())
  })

  test('by eight days expires no hold, and forgets no answer under its key', async () => {
    const issuer = await openIssuer(world, await world.otherTenant())
    const { card_id, account_id } = await issuer.card(100)
    const ask = () =>
      world.request(
        'POST',
        '/v1/simulate/authorizations',
        { card_id, amount: 30, currency: 'AED' },
        { key: issuer.tenant.api_key, headers: { 'x-bezant-idempotency-key': 'once' } },
      )
    const first = await ask()
    assert.equal(first.status, 200)
    shiftClock(8 * DAY_MS)
    await world.sweeper.runDueJobs(issuer.tenant.id)
    const second = await ask()
    const { held } = await issuer.account(account_id)
    shiftClock(0)
    assert.equal(second.text, first.text)
    assert.equal(held, 30)
  })
})

/** Neither of the two processes, which only deliver, compares its clock. */
test('a process that is ahead takes no delivery that another one is calling for', async () => {
  const receiver = await openReceiver()
  const held: (() => void)[] = []
  let isHeld = true
  receiver.answer((response, { body }) => {
    if (isHeld && body.kept) held.push(() => response.end())
    else response.end()
  })
  const write = async (times: number, payload: Record<string, unknown>) => {
    const { id, api_key } = await world.otherTenant()
    const webhook = { endpoint: receiver.url, events: ['TRANSACTION'] }
    const made = await world.request('POST', '/v1/webhooks', webhook, { key: api_key })
    assert.equal(made.status, 200, made.text)
    const events = Array.from({ length: times }, () => madeUpEvent('TRANSACTION', newId(), payload))
    await transact(await world.ctx(id), (tx) => emit(tx, ...events))
    return id
  }
  const tenant_id = await write(EVENTS, { kept: true })
  const workers = [startWorker(0)]
  try {
    await until('the first one calls', () => held.length === EVENTS)
    // While it is stopped all that arrives is the other one's.
    workers[0]?.kill('SIGSTOP')
    workers.push(startWorker(AHEAD_MS))
    await write(1, { kept: false })
    // It goes round the tenants in the order of their ids, so it has seen the first one by then.
    await until('the other one delivers', () => receiver.received.some(({ body }) => !body.kept))
    workers[0]?.kill('SIGCONT')
    isHeld = false
    for (const answer of held) answer()
    await until('all are delivered', async () => (await openDeliveries(tenant_id)).length === 0)
  } finally {
    await Promise.all(workers.map(end))
    await receiver.close()
  }
  const kept = receiver.received.filter(({ body }) => body.kept).map(({ body }) => body.id)
  assert.equal(new Set(kept).size, EVENTS)
  assert.equal(kept.length, EVENTS)
})

function startWorker(shift_ms: number): ChildProcess {
  const env: WorkerEnv & Record<string, string> = {
    WORKER_DATABASE: world.url,
    WORKER_KEY: master_key.toString('hex'),
    WORKER_TIMEOUT_MS: '29000',
    WORKER_CLAIM_MS: '30000',
    CLOCK_SHIFT_MS: String(shift_ms),
  }
  const args = [
    '--import',
    './test/support/processes/shifted_clock.ts',
    'test/support/processes/delivery_worker.ts',
  ]
  return spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

const openDeliveries = (tenant_id: string) =>
  world.db
    .selectFrom('deliveries')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('status', '<>', 'DELIVERED')
    .execute()

async function end(worker: ChildProcess): Promise<void> {
  const ended = once(worker, 'exit')
  worker.kill('SIGKILL')
  await ended
}

test('a program that starts 50 s ahead serves and does not sweep, until it is right', async () => {
  const platform = await openKillable()
  after(() => platform.close())
  const receiver = await openReceiver()
  after(() => receiver.close())
  await platform.stop()
  const data_dir = dataFolder()
  const env = { ...platform.env, DATA_DIR: data_dir, PORT: '0', NETWORK_PORT: '0' }
  const args = ['--import', './test/support/processes/shifted_clock.ts', SERVER]
  const ahead = launch({ ...env, CLOCK_SHIFT_MS: String(AHEAD_MS) }, args)
  await ahead.ready
  const { base_url, tenant } = sandboxIn(data_dir)
  const origin = new URL(base_url).origin
  const call = (path: string, body?: object) =>
    fetch(`${origin}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { apikey: tenant.api_key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })

  const unready = await call('/readyz')
  assert.equal(unready.status, 503)
  assert.match(await unready.text(), /clock is more than 2 s off/)
  assert.match(await (await call('/metrics')).text(), /bezant_clock_skew_seconds (49|5\d)/)
  const hook = await call('/v1/webhooks', { endpoint: receiver.url, events: ['TRANSACTION'] })
  assert.equal(hook.status, 200, await hook.clone().text())
  const { id } = (await hook.json()) as { id: string }
  assert.equal((await call(`/v1/webhooks/${id}:ping`, {})).status, 200)
  const polls = await call('/v1/events?wait=2&limit=1')
  assert.equal(polls.status, 200)
  assert.equal(receiver.received.length, 0)

  ahead.kill('SIGUSR2')
  await until('the event arrives', () => receiver.received.length === 1)
  assert.equal((await call('/readyz')).status, 200)
  const reported = ahead.output().split('\n')
  assert.equal(reported.filter((line) => line.includes('no sweep runs here')).length, 1)
  assert.equal(reported.filter((line) => line.includes('the sweeps go on')).length, 1)
  ahead.kill('SIGTERM')
  assert.equal(await ahead.ended, 0)
})
