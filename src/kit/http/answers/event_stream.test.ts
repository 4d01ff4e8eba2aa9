import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { ApiError } from '#lib/result.ts'
import { until } from '#test/support/services/receiver.ts'
import { type EventStream, sendEventStream } from './event_stream.ts'
import { createChecks } from './streams.ts'

const KIB = 1024

/** A server whose every answer is this stream. */
async function serve(stream: EventStream): Promise<URL> {
  const app = Fastify()
  app.get('/', (_request, reply) => sendEventStream(reply, stream))
  after(() => app.close())
  return new URL(await app.listen({ host: '127.0.0.1', port: 0 }))
}

const allow = async () => {}
const sent = (id: string) => ({ id, event: 'TRANSACTION', data: `{"id":"${id}"}` })

test('a stream sends each event with its id and kind, and a line where none comes', async () => {
  const portions = [[sent('a'), sent('b')], [], [sent('c')], undefined]
  let ended = 0
  const events = { next: async () => portions.shift(), end: () => (ended += 1) }
  const url = await serve({ open: async () => events, check: allow })
  const answer = await fetch(url)
  assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const text = (id: string) => `id: ${id}\nevent: TRANSACTION\ndata: {"id":"${id}"}\n\n`
  assert.equal(await answer.text(), `retry: 1000\n\n${text('a')}${text('b')}:\n\n${text('c')}`)
  assert.equal(ended, 1)
})

test('a stream ends when its caller may not read it any more', async () => {
  let allowed = 3
  const check = async () => {
    allowed -= 1
    if (allowed === 1) throw new Error('the database is unavailable')
    if (allowed === 0) throw new ApiError('unauthenticated')
  }
  const next = async () => [sent('a')]
  const url = await serve({ open: async () => ({ next, end() {} }), check, check_ms: 0 })
  const text = await (await fetch(url)).text()
  assert.equal(text.match(/^id: a$/gm)?.length, 2)
})

test('a stream that cannot begin is an error answer', async () => {
  const open = () => Promise.reject(new Error('planted'))
  const answer = await fetch(await serve({ open, check: allow }))
  assert.equal(answer.status, 500)
})

test('for a client that does not read nothing is fetched, and it is cut', async () => {
  let fetched = 0
  let ended = false
  const data = 'x'.repeat(64 * KIB)
  const next = async () => {
    fetched += 1
    return [{ ...sent('a'), data }]
  }
  const end = () => {
    ended = true
  }
  const url = await serve({ open: async () => ({ next, end }), check: allow, stalled_ms: 100 })
  const client = connect(Number(url.port), url.hostname).pause()
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n')
  await until('the stream has ended', () => ended)
  // The sockets of both sides hold this much.
  assert.ok(fetched < 400, `${fetched} portions of 64 KiB`)
  client.destroy()
})

test('a stream ends with its client', async () => {
  const ended = Promise.withResolvers<void>()
  const url = await serve({
    async open(signal) {
      const next = async () => {
        await once(signal, 'abort')
        return undefined
      }
      return { next, end: ended.resolve }
    },
    check: allow,
  })
  const leaving = new AbortController()
  await fetch(url, { signal: leaving.signal })
  leaving.abort()
  await ended.promise
})

test('streams of one credential share a check', async () => {
  const checks = createChecks()
  let count = 0
  const check = async () => {
    count += 1
  }
  await Promise.all([checks('a', check), checks('a', check), checks('b', check)])
  assert.equal(count, 2)
})
