import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { type SimulatorOptions, startSimulator } from './simulator.ts'

const keep = keeper()

const start = async (options: Partial<SimulatorOptions> = {}) =>
  keep(await startSimulator({ port: 0, header: 4, delay_ms: 0, ...options }))

/** A connection, and what has come on it. */
async function open(port: number) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  keep({ close: () => socket.destroy() })
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => {})
  return { socket, answers: () => messagesIn(Buffer.concat(chunks)) }
}

function messagesIn(stream: Buffer): string[] {
  const messages: string[] = []
  for (let at = 0; at + 2 <= stream.length; at += 2 + stream.readUInt16BE(at)) {
    messages.push(stream.toString('latin1', at + 2, at + 2 + stream.readUInt16BE(at)))
  }
  return messages
}

function framed(text: string): Buffer {
  const message = Buffer.from(text, 'latin1')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(message.length)
  return Buffer.concat([length, message])
}

async function echoed(port: number): Promise<void> {
  const { socket, answers } = await open(port)
  socket.write(framed('0001B20002ok'))
  assert.deepEqual(await until('an answer', () => answers().length > 0 && answers()), [
    '0001B300ok',
  ])
  socket.destroy()
}

test('many commands are under way on each of many connections, and each has its own answer', async () => {
  const { port } = await start({ delay_ms: 20 })
  const connections = await Promise.all(Array.from({ length: 20 }, () => open(port)))
  for (const [at, { socket }] of connections.entries()) {
    const sent = Array.from({ length: 100 }, (_, number) => `${1000 + number}B20002${10 + at}`)
    socket.write(Buffer.concat(sent.map(framed)))
  }
  for (const [at, { answers }] of connections.entries()) {
    const got = await until('all answers', () => answers().length === 100 && answers())
    assert.deepEqual(
      got.toSorted(),
      Array.from({ length: 100 }, (_, number) => `${1000 + number}B300${10 + at}`),
    )
  }
})

test('commands that take their time do not wait for each other', async () => {
  // One after the other they would take longer than this test has patience.
  const { port } = await start({ delay_ms: 1_000 })
  const { socket, answers } = await open(port)
  socket.write(Buffer.concat(Array.from({ length: 1_000 }, () => framed('0001NC'))))
  await until('all answers', () => answers().length === 1_000)
})

test('a peer that has ended its side gets its answers, and then the end', async () => {
  const { port } = await start({ delay_ms: 20 })
  const { socket, answers } = await open(port)
  const ended = once(socket, 'end')
  socket.end(framed('0001B20002ok'))
  await ended
  assert.deepEqual(answers(), ['0001B300ok'])
})

test('an empty message is left out, and the longest is answered whole', async () => {
  const { port } = await start()
  const { socket, answers } = await open(port)
  const data = 'x'.repeat(65_535 - 10)
  socket.write(Buffer.concat([framed(''), framed(`0001B2FFF5${data}`), framed(''), framed('0')]))
  const got = await until('two answers', () => answers().length === 2 && answers())
  assert.deepEqual(got, [`0001B300${data}`, '0Z[15'])
})

test('a stream that is cut anywhere is answered alike', async () => {
  const { port } = await start({ header: 2 })
  const sent = Buffer.concat([framed('01B20003abc'), framed('02QQ'), framed('03NC')])
  const cuts = fc.array(fc.integer({ min: 1, max: sent.length - 1 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const { socket, answers } = await open(port)
      let from = 0
      for (const place of [...new Set(places), sent.length].toSorted((a, b) => a - b)) {
        socket.write(sent.subarray(from, place))
        from = place
      }
      const got = await until('all answers', () => answers().length === 3 && answers())
      assert.deepEqual(got.slice(0, 2), ['01B300abc', '02QR68'])
      socket.destroy()
    }),
    { numRuns: 20 },
  )
})

test('bytes from outside, half a message and broken connections end nothing', async () => {
  const { port } = await start()
  const hostile = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(hostile, fc.boolean(), async (pieces, isBroken) => {
      const { socket } = await open(port)
      for (const piece of pieces) socket.write(piece)
      await closed(socket, isBroken)
    }),
    { numRuns: 50 },
  )
  const half = await open(port)
  half.socket.write(Buffer.from('ffff30303031', 'hex'))
  await echoed(port)
})

async function closed(socket: Socket, isBroken: boolean): Promise<void> {
  const over = once(socket, 'close')
  socket.resume()
  if (isBroken) socket.resetAndDestroy()
  else socket.end()
  await over
}

test('a peer that never reads is read no further, and delays nobody else', async () => {
  const { port } = await start()
  const socket = connect({ port, host: '127.0.0.1' })
  keep({ close: () => socket.destroy() })
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  const one = framed(`0001B2F000${'x'.repeat(0xf000)}`)
  // It takes what the buffers of both sides hold, and then no more.
  let isTaken = true
  let stuckAt = -1
  await until('a peer that is not read', async () => {
    if (socket.writableLength < 4 * one.length) isTaken = socket.write(one)
    const { bytesWritten } = socket
    const isStuck = !isTaken && bytesWritten === stuckAt && socket.writableLength >= 4 * one.length
    stuckAt = bytesWritten
    await echoed(port)
    return isStuck
  })
  let got = 0
  socket.on('data', (chunk) => {
    got += chunk.length
  })
  socket.resume()
  await until('it goes on once it is read', () => got > 4 * one.length)
})

test('a port that is taken is a reason not to start', async () => {
  const { port } = await start()
  await assert.rejects(startSimulator({ port, header: 4, delay_ms: 0 }), { code: 'EADDRINUSE' })
})

test('it listens on loopback alone', async () => {
  const { port } = await start()
  const { socket } = await open(port)
  assert.equal(socket.remoteAddress, '127.0.0.1')
  const other = connect({ port, host: '127.0.0.2' })
  const [error] = await once(other, 'error')
  assert.equal(Object(error).code, 'ECONNREFUSED')
})
