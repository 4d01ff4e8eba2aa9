import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { openOwnSockets } from './own_sockets.ts'

async function openServer(host: string) {
  const accepted: Socket[] = []
  const own = openOwnSockets()
  const verdicts: (boolean | Promise<boolean>)[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    // One that comes while the server closes ends with its other end.
    socket.resume()
    accepted.push(socket)
    // Asked at once, as the port does: often before the connecting end knows of its connection.
    verdicts.push(own.isOwn(socket))
  })
  server.listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return {
    own,
    port: address.port,
    /** Whether the next socket that comes is an own one. */
    async verdict() {
      if (verdicts.length === 0) await once(server, 'connection')
      return verdicts.shift()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of accepted) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

for (const [listening, called] of [
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['::', '::1'],
] as const) {
  test(`a connection of this process to ${called} is known at a port on ${listening}`, async () => {
    await using server = await openServer(listening)
    for (let round = 0; round < 20; round += 1) {
      const mine = server.own.connect({ host: called, port: server.port })
      assert.equal(await server.verdict(), true, `round ${round}`)
      mine.destroy()
    }
  })

  test(`another’s connection to ${called} on ${listening} is not, also beside own ones`, async () => {
    await using server = await openServer(listening)
    const first = connect({ host: called, port: server.port })
    assert.equal(await server.verdict(), false)
    const mine = server.own.connect({ host: called, port: server.port })
    const second = connect({ host: called, port: server.port })
    const verdicts = [await server.verdict(), await server.verdict()]
    assert.deepEqual(verdicts.sort(), [false, true])
    for (const socket of [first, mine, second]) socket.destroy()
  })
}

test('an address and port that an own connection has left are a stranger’s', async () => {
  await using server = await openServer('127.0.0.1')
  for (;;) {
    const mine = server.own.connect({ host: '127.0.0.1', port: server.port })
    assert.equal(await server.verdict(), true)
    const { localPort } = mine
    assert.ok(localPort)
    // Reset, so that the system gives the port away at once.
    mine.resetAndDestroy()
    await once(mine, 'close')
    const next = connect({ host: '127.0.0.1', port: server.port, localPort })
    // Another process may have got the port meanwhile: then the next one is tried.
    const isConnected = await once(next, 'connect').then(
      () => true,
      () => false,
    )
    if (isConnected) assert.equal(await server.verdict(), false)
    next.destroy()
    if (isConnected) return
  }
})

test('an own connection elsewhere is not recognized here', async () => {
  await using here = await openServer('127.0.0.1')
  await using there = await openServer('127.0.0.1')
  const mine = here.own.connect({ host: '127.0.0.1', port: there.port })
  await once(mine, 'connect')
  const { localPort } = mine
  assert.ok(localPort)
  const stranger = connect({ host: '127.0.0.1', port: here.port, localPort })
  stranger.on('error', () => {})
  const outcome = await Promise.race([here.verdict(), once(stranger, 'error')])
  assert.ok(outcome === false || Array.isArray(outcome))
  for (const socket of [mine, stranger]) socket.destroy()
})
