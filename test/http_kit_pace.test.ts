/** Bodies that stop, arrive slowly or never end, on real sockets with short times. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { setInterval } from 'node:timers/promises'
import type { Pace } from '#kit/http/bodies/body_pace.ts'
import { type Edge, openEdge } from './support/edge.ts'
import { keeper } from './support/keeper.ts'
import { openWorld } from './support/world.ts'

const PACE: Pace = {
  silence_ms: 400,
  bytes_per_second: 1024,
  grace_ms: 400,
  body_ms: 3_000,
  check_ms: 50,
}

const keep = keeper()
const world = keep(await openWorld())
const edge = keep(await openEdge(world, { pace: PACE }))

async function portOf({ app }: Edge): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port)
}
const port = await portOf(edge)

/** Sends the head of a request and leaves the body to the caller. */
async function begin(length: number, key = world.tenant.api_key, at = port) {
  const socket = connect(at, '127.0.0.1')
  await once(socket, 'connect')
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => {})
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  socket.write(
    `POST /v1/notes HTTP/1.1\r\nHost: a\r\napikey: ${key}\r\n` +
      `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
  )
  return { socket, closed }
}

/** Sends a blank again and again until the server has had enough. */
async function drip(socket: Socket): Promise<void> {
  for await (const blank of setInterval(60, ' ')) {
    if (!socket.writable) return
    socket.write(blank)
  }
}

describe('a body on its way', () => {
  test('that stops is answered 408 and its connection closed', async () => {
    const { socket, closed } = await begin(100)
    socket.write('{"text":')
    const text = await closed
    assert.match(text, /^HTTP\/1\.1 408 /)
    assert.match(text, /connection: close/i)
    assert.match(text, /"code":"request_timeout"/)
  })

  test('that never begins is answered 408', async () => {
    assert.match(await (await begin(100)).closed, /^HTTP\/1\.1 408 /)
  })

  test('that drips is answered 408, although it moves', async () => {
    const { socket, closed } = await begin(10_000)
    void drip(socket)
    assert.match(await closed, /^HTTP\/1\.1 408 /)
  })

  test('that drips behind an answer loses its connection', async () => {
    const { socket, closed } = await begin(10_000, 'nobody')
    void drip(socket)
    assert.match(await closed, /^HTTP\/1\.1 401 /)
  })

  test('that is slow but keeps the least rate arrives', async () => {
    // This process, which sends it too, may have other work for longer than a body may be silent.
    const pace = { ...PACE, silence_ms: 60_000, body_ms: 60_000 }
    const patient = keep(await openEdge(world, { pace }))
    const note = JSON.stringify({ text: 'slow', tags: [] })
    const pieces = 12
    const length = note.length + pieces * 1000
    const { socket, closed } = await begin(length, undefined, await portOf(patient))
    let sent = 0
    for await (const piece of setInterval(100, ' '.repeat(1000))) {
      if (sent++ === pieces) break
      socket.write(piece)
    }
    socket.write(note)
    assert.match(await closed, /^HTTP\/1\.1 200 /)
  })

  test('of which 50 drip at once leaves others to be served', async () => {
    const slow = await Promise.all(Array.from({ length: 50 }, () => begin(10_000)))
    for (const { socket } of slow) void drip(socket)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => edge.request('POST', '/v1/notes', { text: `${at}` })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    for (const { closed } of slow) assert.match(await closed, /^HTTP\/1\.1 408 /)
  })
})

test('a body that waits for the program, not the program for it, is not late', async () => {
  let let_go = () => {}
  edge.during.effect = () =>
    new Promise((resolve) => {
      let_go = resolve
    })
  const note = JSON.stringify({ text: 'held' })
  const { socket, closed } = await begin(note.length)
  socket.write(note)
  // Longer than a silent body may be, by the watch's own clock.
  const other = await begin(100)
  assert.match(await other.closed, /^HTTP\/1\.1 408 /)
  let_go()
  assert.match(await closed, /^HTTP\/1\.1 200 /)
})
