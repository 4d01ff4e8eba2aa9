/** The feed is followed over connections that end. */

import assert from 'node:assert/strict'
import { EventFeed } from '#client/feed.ts'
import {
  CursorInvalidError,
  RateLimitedError,
  UnauthenticatedError,
} from '#client/generated/errors.ts'
import { Bezant, type WebhookEvent } from '#client/index.ts'
import { test, until } from './harness.ts'
import { json, openLine, problem } from './line.ts'
import { apiKey, baseUrl, bezant, openUser } from './program.ts'
import { open } from './sending.ts'

/** A page of events with these ids. */
const page = (...ids: string[]) =>
  json(200, { data: ids.map((id) => ({ id, event: 'PING' })), after: ids.at(-1), has_more: false })

/** A feed over a line that waits for nothing between two attempts. */
async function follow(answers: Parameters<typeof open>[0], after?: string) {
  const it = await open(answers)
  const urls = async () => (await it.received()).map(({ url }) => url)
  return { ...it, urls, events: new EventFeed(it.transport).follow({ after }) }
}

async function take(events: AsyncGenerator<WebhookEvent>, count: number): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of events) if (ids.push(id) === count) break
  return ids
}

test('a feed is followed behind its last event over cut connections and refusals', async () => {
  const slow = problem(429, 'rate_limited', { 'retry-after': '90' })
  const it = await follow(
    [page('a'), 'cut', 'half', problem(503, 'unavailable'), 'cut', slow, page(), page('b', 'c')],
    'o',
  )
  assert.deepEqual(await take(it.events, 3), ['a', 'b', 'c'])
  const waiting = '/v1/events?after=a&limit=200&wait=30'
  const first = '/v1/events?after=o&limit=200'
  assert.deepEqual(await it.urls(), [first, ...Array.from({ length: 7 }, () => waiting)])
  assert.deepEqual(it.waited, [250, 500, 1000, 2000, 90_000 + 2000])
})

test('the next events are asked for when those before have been taken', async () => {
  const it = await follow([page('a', 'b'), page('c')])
  assert.equal(await it.count(), 0)
  assert.deepEqual([(await it.events.next()).value?.id, await it.count()], ['a', 1])
  assert.deepEqual([(await it.events.next()).value?.id, await it.count()], ['b', 1])
  assert.deepEqual([(await it.events.next()).value?.id, await it.count()], ['c', 2])
})

test('a first question that fails, and what no other attempt changes, is thrown', async () => {
  const unreached = await follow(['cut'])
  await assert.rejects(unreached.events.next(), { name: 'ConnectionError' })
  assert.equal(await unreached.count(), 3)
  const late = await follow([problem(429, 'rate_limited', { 'retry-after': '90' })])
  await assert.rejects(late.events.next(), RateLimitedError)
  for (const [error, Class] of [
    [problem(401, 'unauthenticated'), UnauthenticatedError],
    [problem(400, 'cursor_invalid'), CursorInvalidError],
  ] as const) {
    const it = await follow([page('a'), error])
    await it.events.next()
    await assert.rejects(it.events.next(), Class)
    assert.equal(await it.count(), 2)
  }
})

test('a signal ends a question that waits for the next event', async () => {
  const reason = new Error('the user has left')
  const ending = new AbortController()
  const { baseUrl: line } = await openLine([page('a'), 'silent'])
  const client = new Bezant({ baseUrl: line, apiKey })
  const events = client.events.follow({}, { signal: ending.signal })
  assert.equal((await events.next()).value?.id, 'a')
  const next = events.next()
  ending.abort(reason)
  await assert.rejects(next, reason)
  assert.deepEqual(await events.next(), { done: true, value: undefined })
})

test('the events of the program arrive as they happen, each of its kind', async () => {
  const credentials = () => ({ apikey: apiKey })
  const it = await open(['passed', 'half passed', 'cut', 'passed'], {}, { credentials })
  const answers: Response[] = []
  const onResponse = (response: Response) => void answers.push(response)
  const events = new EventFeed(it.transport).follow({ after: 'latest' }, { onResponse })
  let next = events.next()
  // Later events are behind the place at which it begins.
  await until(() => answers[0])
  for (const last_name of ['First', 'Second']) {
    const user = await openUser(last_name)
    const { value: event } = await next
    assert.equal(event?.event, 'USER_CREATED')
    // It compiles only if the type is known by the kind.
    assert.deepEqual([event.user_id, event.user.last_name], [user.id, last_name])
    next = events.next()
  }
  await openUser('Third')
  await next
  assert.ok((await it.count()) > 4)
})

test('the feed of a program is followed from its first event, and behind one', async () => {
  const kept = await bezant.events.list().all({ limit: 3 })
  const ids = kept.map(({ id }) => id)
  assert.deepEqual(await take(bezant.events.follow(), 3), ids)
  assert.deepEqual(await take(bezant.events.follow({ after: ids[0] }), 2), ids.slice(1))
  const foreign = new Bezant({ baseUrl, apiKey }).events.follow({ after: crypto.randomUUID() })
  await assert.rejects(foreign.next(), CursorInvalidError)
})
