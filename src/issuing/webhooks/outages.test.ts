/**
 * Endpoints that are down for an hour, for three days and for more than five days (D-62). Time
 * passes by the sandbox clock alone (D-70), from one due attempt to the next.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { emit } from '#events/outbox.ts'
import { transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { listDeliveries } from '#test/support/deliveries.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { moveClockTo } from '#test/support/time/moved_clock.ts'
import { openWorld } from '#test/support/world.ts'
import { metrics } from './metrics.ts'

const deep = process.env['TEST_DEEP'] === '1'
const OBJECTS = deep ? 40 : 4
/** The events of each object before the outage; a further one follows in the middle of it. */
const EVENTS = 3
const SCHEDULE = [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400]
/** As long as all of those together, in fewer attempts. */
const SHORT = [5, 18_000, 129_600]
const LONG = deep ? SCHEDULE : SHORT
const JITTER = 0.1
/** Stored times are whole milliseconds; a busy process is late to read its clock. */
const ROUNDED_MS = 3
const LATE_MS = 2_000
const HOUR = 3_600_000
const DAY = 24 * HOUR
const MOVES_MAX = 1_000

const world = await openWorld()
world.sweeper.start()
after(() => world[Symbol.asyncDispose]())

type Delivery = Awaited<ReturnType<typeof listDeliveries>>[number]

/** A tenant with one subscription to an endpoint, and the events of its objects. */
async function openStory(schedule: readonly number[] = SCHEDULE) {
  const tenant = await world.otherTenant({ webhook_retry_seconds: schedule })
  const receiver = await openReceiver()
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await world.request(method, `/v1/${path}`, body, { key: tenant.api_key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const begun = new Date((await ask('GET', 'simulate/clock')).now)
  const { id } = await ask('POST', 'webhooks', { endpoint: receiver.url, events: ['TRANSACTION'] })
  const objects = Array.from({ length: OBJECTS }, () => newId())
  /** The events that the endpoint took, while it was up, in that order. */
  const taken: { id: string; object_id: string; at: number }[] = []
  const planned = new Map<string, Delivery>()

  const clock = async () => Date.parse((await ask('GET', 'simulate/clock')).now)
  const webhook = () => ask('GET', `webhooks/${id}`)
  const deliveries = () => listDeliveries(world.db, tenant.id)
  const retrying = async () => (await deliveries()).filter(({ status }) => status === 'RETRYING')

  /** Moves to the next attempts: those of one step of the schedule are as far apart as jitter. */
  async function moveOn(end: number): Promise<boolean> {
    const rows = await retrying()
    for (const row of rows) checkPlan(schedule, row, planned.get(row.id))
    for (const row of rows) planned.set(row.id, row)
    const now = await clock()
    const next = rows.length === 0 ? now : Math.max(now, Math.min(...rows.map(dueOf)))
    const to = Math.min(end, next + (next - now) * JITTER)
    await moveClockTo(world, tenant, new Date(Math.max(to, (await clock()) + 1_000)))
    const isActive = (await webhook()).status === 'ACTIVE'
    const later = new Map((await deliveries()).map((row) => [row.id, row.attempts]))
    for (const { id: delivery, attempts, ...row } of rows) {
      const isDue = isActive && dueOf(row) <= to
      if (isDue) assert.ok((later.get(delivery) ?? 0) > attempts, 'it is tried when it is due')
    }
    return isActive && to < end
  }

  return {
    begun,
    id,
    objects,
    taken,
    receiver,
    ask,
    webhook,
    deliveries,
    async send(at: number) {
      const events = objects.map((object_id) =>
        madeUpEvent('TRANSACTION', object_id, { object_id, at }),
      )
      await transact(await world.ctx(tenant.id), (tx) => emit(tx, ...events))
    },
    goDown: () => receiver.answer((response) => response.socket?.resetAndDestroy()),
    comeUp() {
      receiver.answer((response, { body }) => {
        taken.push(body)
        response.end()
      })
    },
    moveBy: async (ms: number) => moveClockTo(world, tenant, new Date((await clock()) + ms)),
    /** Passes time until an instant, or until the subscription is disabled. */
    async passUntil(end: number) {
      await until(
        'all first attempts have failed',
        async () => (await retrying()).length >= OBJECTS,
      )
      for (let moves = 0; await moveOn(end); moves += 1) assert.ok(moves < MOVES_MAX)
    },
    /** Passes time until nothing is left to be delivered. */
    async passUntilDelivered() {
      const isOpen = ({ due }: Delivery) => due !== null
      for (let moves = 0; (await deliveries()).some(isOpen); moves += 1) {
        assert.ok(moves < MOVES_MAX)
        await moveOn(Number.POSITIVE_INFINITY)
      }
    },
    async [Symbol.asyncDispose]() {
      await receiver.close()
    },
  }
}

const dueOf = ({ due }: Pick<Delivery, 'due'>) => due?.getTime() ?? Number.POSITIVE_INFINITY

/** The next attempt is where the schedule puts it, and none came before its time. */
function checkPlan(schedule: readonly number[], row: Delivery, before?: Delivery): void {
  const seconds = schedule[row.attempts - 1] ?? assert.fail(`${row.attempts} attempts`)
  const wait = dueOf(row) - (row.sent?.getTime() ?? 0) - (row.duration_ms ?? 0)
  const most = seconds * 1000 * (1 + JITTER) + LATE_MS
  assert.ok(wait >= seconds * 1000 - ROUNDED_MS && wait <= most, `${wait} ms for ${seconds} s`)
  if (before?.attempts !== row.attempts - 1) return
  assert.ok((row.sent?.getTime() ?? 0) >= dueOf(before) - ROUNDED_MS, 'no attempt is early')
}

type Story = Awaited<ReturnType<typeof openStory>>

async function beginOutage(story: Story): Promise<void> {
  story.goDown()
  for (let at = 0; at < EVENTS; at += 1) await story.send(at)
}

const statusesOf = async ({ deliveries, objects }: Story) => {
  const rows = await deliveries()
  return objects.map((object) =>
    rows.filter(({ object_id }) => object_id === object).map(({ status }) => status),
  )
}

/** Deliveries that are given up were tried as often as the schedule has it, and name the reason. */
function checkExpired(rows: readonly Delivery[]): Delivery[] {
  const expired = rows.filter(({ status }) => status === 'EXPIRED')
  for (const { attempts, due, error } of expired) {
    assert.deepEqual([attempts, due, error], [LONG.length + 1, null, 'connection reset'])
  }
  return expired
}

/** Each event once, and those of an object in their order. */
function checkTaken({ taken, objects, receiver }: Story): void {
  for (const object of objects) {
    const order = taken.filter(({ object_id }) => object_id === object).map(({ at }) => at)
    assert.deepEqual(order, [0, 1, 2, 3])
  }
  const ids = receiver.received.map(({ headers, body }) => `${headers['webhook-id']} ${body.id}`)
  assert.equal(new Set(ids).size, OBJECTS * (EVENTS + 1), 'every attempt has the id of its event')
}

const disabledCount = async () => {
  const { values } = await metrics.webhooksDisabled.get()
  return values.find(({ labels }) => labels.reason === 'FAILING')?.value ?? 0
}

describe('an endpoint that', { concurrency: true }, () => {
  test('is down for an hour gets all after it, oldest first', async () => {
    await using story = await openStory()
    await beginOutage(story)
    await story.passUntil(story.begun.getTime() + HOUR / 2)
    await story.send(EVENTS)
    await story.passUntil(story.begun.getTime() + HOUR)
    const rows = (await story.deliveries()).filter(({ sequence }) => sequence === 1)
    assert.deepEqual(new Set(rows.map(({ attempts }) => attempts)), new Set([5]))
    story.comeUp()
    await story.passUntilDelivered()
    checkTaken(story)
    const { status, failing_since } = await story.webhook()
    assert.deepEqual([status, failing_since], ['ACTIVE', undefined])
  })

  test('is down for three days gets the rest, and by :recover all', async () => {
    await using story = await openStory(LONG)
    await beginOutage(story)
    await story.passUntil(story.begun.getTime() + DAY)
    await story.send(EVENTS)
    await story.passUntil(story.begun.getTime() + 3 * DAY)
    const each = ['EXPIRED', 'RETRYING', 'PENDING', 'PENDING']
    assert.deepEqual(await statusesOf(story), Array(OBJECTS).fill(each))
    const { status, failing_since } = await story.webhook()
    assert.equal(status, 'ACTIVE')
    assert.ok(Date.parse(failing_since) - story.begun.getTime() < HOUR)
    checkExpired(await story.deliveries())

    story.comeUp()
    const recovered = await story.ask('POST', `webhooks/${story.id}:recover`, {
      since: story.begun,
    })
    assert.deepEqual(recovered, { recovered: OBJECTS, has_more: false })
    await story.passUntilDelivered()
    checkTaken(story)
  })

  test('is down for five days is disabled, counted once, and recovers', async () => {
    await using story = await openStory(LONG)
    const before = await disabledCount()
    await beginOutage(story)
    await story.passUntil(story.begun.getTime() + 8 * DAY)
    const { status, disabled_reason } = await story.webhook()
    assert.deepEqual([status, disabled_reason], ['DISABLED', 'FAILING'])
    const attempts = (await story.deliveries()).map((row) => row.attempts)
    await story.moveBy(2 * DAY)
    const later = await story.deliveries()
    assert.deepEqual(
      later.map((row) => row.attempts),
      attempts,
      'nothing more is tried',
    )
    assert.equal((await disabledCount()) - before, 1)

    // An event of that time has no delivery.
    await story.send(EVENTS)
    const expired = checkExpired(later)
    assert.ok(expired.length >= 2 * OBJECTS)
    story.comeUp()
    await story.ask('PUT', `webhooks/${story.id}`, { status: 'ACTIVE' })
    const recovered = await story.ask('POST', `webhooks/${story.id}:recover`, {
      since: story.begun,
    })
    assert.deepEqual(recovered, { recovered: expired.length + OBJECTS, has_more: false })
    await story.passUntilDelivered()
    assert.equal(story.taken.length, OBJECTS * (EVENTS + 1))
    assert.equal(new Set(story.taken.map(({ id }) => id)).size, story.taken.length)
    // One that was still open is called as soon as the subscription is enabled.
    const open = new Set(later.filter(({ due }) => due !== null).map(({ event_id }) => event_id))
    for (const object of story.objects) {
      const order = story.taken.filter(({ id, object_id }) => object_id === object && !open.has(id))
      assert.deepEqual(
        order,
        order.toSorted((one, other) => one.at - other.at),
      )
    }
  })

  test('delivers on the fifth day is not disabled by a call from before', async () => {
    await using story = await openStory()
    story.goDown()
    await story.send(0)
    await until('all have failed', async () => {
      const rows = await story.deliveries()
      return rows.length === OBJECTS && rows.every(({ attempts }) => attempts === 1)
    })
    const held: ((status: number) => unknown)[] = []
    story.receiver.answer((response) => held.push((code) => response.writeHead(code).end()))
    const move = story.moveBy(5 * DAY)
    await until('two are called', () => held.length >= 2)
    held[0]?.(200)
    await until('the failing has ended', async () => !('failing_since' in (await story.webhook())))
    held[1]?.(500)
    await until('the other has failed', async () =>
      (await story.deliveries()).some(
        ({ attempts, status }) => attempts === 2 && status === 'RETRYING',
      ),
    )
    assert.equal((await story.webhook()).status, 'ACTIVE')
    story.receiver.answer(200)
    for (const answer of held.slice(2)) answer(200)
    await move
    await story.passUntilDelivered()
    assert.equal((await story.webhook()).status, 'ACTIVE')
  })
})
