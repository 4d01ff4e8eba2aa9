/** How modules are met at a start: their master keys, and TLS with certificates (D-1011). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { createServer as createSecureServer, type TLSSocket } from 'node:tls'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { createLog } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { readConfig } from '#src/config/config.ts'
import { openCustody } from '#src/program/modes/custody.ts'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { certificate, certificatePath } from '#test/support/services/certificates.ts'
import { moduleSettings } from '#test/support/services/custody.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  return address.port
}

/** A module that says what it is and does nothing else. */
async function moduleWith(check_value: string): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const reader = createFrameReader({ header: 'binary2', max_frame: 1_000 })
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const message of reader.push(chunk).frames) {
        const text = `${message.toString('latin1', 0, 4)}ND00${check_value}0001-S000`
        socket.write(frame(Buffer.from(text, 'latin1'), 'binary2'))
      }
    })
  })
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return listening(server)
}

async function start(env: Record<string, string>) {
  const opened = await openCustody(readConfig(env), createLog('silent'), new Date())
  open.push(opened.close)
  return opened.custody
}

const isNoAnswer = (error: unknown) =>
  error instanceof StartError && error.message.startsWith('no security module of HSM_ADDRESS')

describe('modules that have several master keys', () => {
  test('end the start, which says which has which', async () => {
    const ports = [await moduleWith('A'.repeat(16)), await moduleWith('B'.repeat(16))]
    await assert.rejects(start(moduleSettings(...ports)), {
      name: 'StartError',
      message:
        'the security modules of HSM_ADDRESS have several master keys: AAAAAAAAAAAAAAAA at 1, ' +
        'BBBBBBBBBBBBBBBB at 2. Load one, or name it in HSM_LMK',
    })
  })

  test('end the program with one line', async () => {
    const ports = [await moduleWith('A'.repeat(16)), await moduleWith('B'.repeat(16))]
    const database = await createTestDatabase()
    open.push(() => database.drop())
    const { ended, errors, output } = launch({
      DATA_DIR: dataFolder(),
      DATABASE_URL: database.url,
      MASTER_KEY: randomBytes(32).toString('hex'),
      ...moduleSettings(...ports),
    })
    assert.equal(await ended, 1, output())
    const said = errors().filter((line) => line.startsWith('bezant cannot start: '))
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /have several master keys: A{16} at 1, B{16} at 2\. Load one/)
  })

  test('are no fault of one that does not answer: the start goes on without it', async () => {
    const custody = await start(moduleSettings(1, await moduleWith('A'.repeat(16))))
    assert.equal(custody.place, 'MODULE')
  })
})

describe('TLS to a module', () => {
  /** The simulator behind TLS: it wants a certificate of the authority that tests trust. */
  async function secureModule(name: 'server' | 'expired' = 'server') {
    const simulator = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
    open.push(() => simulator.close())
    const clients: { name: unknown; protocol: string | null }[] = []
    const sockets = new Set<Socket>()
    const own = { cert: certificate(`${name}.pem`), key: certificate(`${name}.key`) }
    const wanted = { ca: certificate('ca.pem'), requestCert: true, rejectUnauthorized: true }
    const server = createSecureServer({ ...own, ...wanted }, (socket: TLSSocket) => {
      clients.push({
        name: socket.getPeerCertificate().subject.CN,
        protocol: socket.getProtocol(),
      })
      const line = connect(simulator.port, '127.0.0.1')
      for (const one of [socket, line]) {
        sockets.add(one)
        one.on('error', () => {})
      }
      socket.pipe(line).pipe(socket)
    })
    server.on('tlsClientError', (_error, socket) => socket.destroy())
    open.push(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
    return { port: await listening(server), clients }
  }
  const trusting = (port: number, ca: 'ca.pem' | 'other.pem' = 'ca.pem') => ({
    ...moduleSettings(port),
    HSM_TLS_CA: certificatePath(ca),
  })
  const presenting = (name: 'client' | 'other') => ({
    HSM_TLS_CERT: certificatePath(`${name}.pem`),
    HSM_TLS_KEY: certificatePath(`${name}.key`),
  })

  test('has our certificate where the module wants one, and serves commands', async () => {
    const { port, clients } = await secureModule()
    const custody = await start({ ...trusting(port), ...presenting('client') })
    assert.match((await custody.make('CVK')) ?? '', /^[0-9A-F]{6}:S/)
    assert.ok(clients.length > 0)
    for (const { name, protocol } of clients) {
      assert.equal(name, 'client')
      assert.match(protocol ?? '', /^TLSv1\.[23]$/)
    }
  })

  for (const [what, env] of [
    ['no certificate', (port: number) => trusting(port)],
    ['one of another authority', (port: number) => ({ ...trusting(port), ...presenting('other') })],
    ['plain bytes', (port: number) => moduleSettings(port)],
  ] as const) {
    test(`ends the start where the module gets ${what}`, async () => {
      const { port, clients } = await secureModule()
      await assert.rejects(start(env(port)), isNoAnswer)
      assert.deepEqual(clients, [])
    })
  }

  test('ends the start where the certificate of the module is not to be trusted', async () => {
    const { port, clients } = await secureModule()
    const own = presenting('client')
    await assert.rejects(start({ ...trusting(port, 'other.pem'), ...own }), isNoAnswer)
    const expired = await secureModule('expired')
    await assert.rejects(start({ ...trusting(expired.port), ...own }), isNoAnswer)
    assert.deepEqual([...clients, ...expired.clients], [])
  })
})
