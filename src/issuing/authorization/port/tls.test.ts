/** The port behind TLS. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import type { ConnectionOptions } from 'node:tls'
import { createLog } from '#kit/log.ts'
import type { PairContents } from '#kit/net/certificates.ts'
import { openOwnSockets } from '#kit/net/own_sockets.ts'
import { type AcquirerOptions, connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { certificate, pairOf, servedName } from '#test/support/services/certificates.ts'
import { createNetworkPort, type PortOptions } from './port.ts'

const ca = certificate('ca.pem')
const files: PairContents = {
  cert: certificate('server.pem'),
  key: certificate('server.key'),
  ca: null,
}
const withClients: PairContents = { ...files, ca }
const client = { ca, cert: certificate('client.pem'), key: certificate('client.key') }
const purchase = () => sale({ pan: '4000005621471607', amount: 1050n })

async function openPort(tls: PairContents, options: Partial<PortOptions> = {}) {
  const faults: string[] = []
  const write = (line: string) => {
    const { reason }: { reason?: string } = JSON.parse(line)
    if (reason) faults.push(reason)
  }
  const network = createNetworkPort({
    host: '127.0.0.1',
    port: 0,
    dialect: 'ascii',
    header: 'binary2',
    tls,
    engine: {
      tenantOfPan: async () => '0197dddd-0000-7000-8000-00000000000a',
      submit: async (_tenant_id, { request: { amount } }) => ({
        transaction_id: '0197dddd-0000-7000-8000-000000000001',
        status_code: '0000',
        approved: true,
        amount,
        approval_code: '445566',
        hints: {},
        repeated: false,
      }),
    },
    log: createLog('debug', { write }),
    ...options,
    limits: { closing: 1_000, ...options.limits },
  })
  const { port } = await network.listen()
  const connect = (options: Partial<AcquirerOptions>) => connectAcquirer({ port, ...options })
  return { port, faults, connect, network, [Symbol.asyncDispose]: () => network.close() }
}

type Port = Awaited<ReturnType<typeof openPort>>

async function assertBuys(port: Port, tls: ConnectionOptions): Promise<void> {
  const acquirer = await port.connect({ tls })
  assert.equal((await acquirer.signOn()).fields[39], '00')
  assert.equal((await acquirer.send(purchase())).fields[39], '00')
  await acquirer.close()
}

/** In TLS 1.3 the client may think itself connected before the port has seen its certificate. */
async function assertRefused(port: Port, tls: ConnectionOptions): Promise<void> {
  const before = port.faults.length
  await assert.rejects(async () => {
    const acquirer = await port.connect({ tls })
    await acquirer.signOn()
  })
  for (const end = Date.now() + 10_000; port.faults.length === before; ) {
    assert.ok(Date.now() < end, 'no fault was counted')
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal(port.faults.at(-1), 'handshake')
  assert.equal(port.network.connections(), 0)
}

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  const only: ConnectionOptions = { minVersion: version, maxVersion: version }

  test(`messages go over ${version}`, async () => {
    await using port = await openPort(files)
    await assertBuys(port, { ca, ...only })
  })

  test(`with a CA, ${version} lets in a certificate that it has signed and nothing else`, async () => {
    await using port = await openPort(withClients)
    await assertBuys(port, { ...client, ...only })
    await assertRefused(port, { ca, ...only })
    const other = { ca, cert: certificate('other.pem'), key: certificate('other.key') }
    await assertRefused(port, { ...other, ...only })
    await assertBuys(port, { ...client, ...only })
  })
}

test('a version before TLS 1.2 is rejected', async () => {
  await using port = await openPort(files)
  const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const
  await assertRefused(port, { ca, ...old })
})

test('a renewed pair is for connections to come: open ones go on, and the CA still holds', async () => {
  await using port = await openPort(withClients)
  const open = await port.connect({ tls: client })
  assert.equal((await open.signOn()).fields[39], '00')
  port.network.use({ ...pairOf('renewed'), ca })
  assert.equal(await servedName(port.port), 'renewed')
  assert.equal((await open.send(purchase())).fields[39], '00')
  await open.close()
  await assertBuys(port, client)
  await assertRefused(port, {
    ca,
    cert: certificate('other.pem'),
    key: certificate('other.key'),
  })
})

test('plain messages get no answer', async () => {
  await using port = await openPort(files)
  const acquirer = await port.connect({})
  await assert.rejects(acquirer.signOn())
  await acquirer.closed
  assert.deepEqual(port.faults, ['handshake'])
})

test('a handshake that does not end in time is dropped, and gives its place back', async () => {
  const limits = { handshake: 30, connections: 1 }
  await using port = await openPort(files, { limits })
  const mute = createConnection(port.port, '127.0.0.1')
  await new Promise<void>((resolve) => mute.on('close', () => resolve()).resume())
  assert.deepEqual(port.faults, ['handshake'])
})

test('a handshake under way takes a place, and closing the port ends it', async () => {
  const port = await openPort(files, { limits: { connections: 1 } })
  const first = createConnection(port.port, '127.0.0.1').resume()
  await once(first, 'connect')
  const second = createConnection(port.port, '127.0.0.1').resume()
  await new Promise<void>((resolve) => second.on('close', () => resolve()))
  assert.deepEqual(port.faults, ['connections'])
  const ended = new Promise<void>((resolve) => first.on('close', () => resolve()))
  await Promise.all([port.network.close(), ended])
})

test('the connections of this process are plain behind TLS, the allow-list and the limits', async () => {
  const own = openOwnSockets()
  const limits = { connections: 1, connections_per_address: 1 }
  await using port = await openPort(withClients, { own, limits, allow: ['192.0.2.1'] })
  const acquirer = await port.connect({ dial: own.connect })
  assert.equal((await acquirer.signOn()).fields[39], '00')
  assert.equal((await acquirer.send(purchase())).fields[39], '00')
  const peer = await port.connect({})
  await peer.closed
  assert.deepEqual(port.faults, ['not_allowed'])
  await acquirer.close()
})
