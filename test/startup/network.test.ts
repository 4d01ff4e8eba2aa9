/** The network port by its settings (D-123), in processes of their own. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { freePort } from '#test/support/processes/killable.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { certificatePath } from '#test/support/services/certificates.ts'
import { until } from '#test/support/services/receiver.ts'

const TLS = {
  NETWORK_TLS_CERT: certificatePath('server.pem'),
  NETWORK_TLS_KEY: certificatePath('server.key'),
  NETWORK_TLS_CA: certificatePath('ca.pem'),
}
const MASTER_KEY = randomBytes(32).toString('hex')

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

type Env = Readonly<Record<string, string>>

const run = (env: Env, ...args: string[]) =>
  launch({ DATABASE_URL: database.url, MASTER_KEY, ...env }, args)

async function endsWell(started: Launched): Promise<void> {
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())
}

/** The main story with a purchase, a capture and a refund over the wire. */
async function assertShopWorks(DATA_DIR: string): Promise<void> {
  const demo = run({ DATA_DIR }, 'apps/cli/bezant.mjs', 'demo')
  assert.equal(await demo.ended, 0, `${demo.output()}${demo.errors().join('\n')}`)
  assert.match(demo.output(), /All amounts agree/)
}

test('the shop of this process works behind TLS, an allow-list without it and a full port', async () => {
  const DATA_DIR = dataFolder()
  const guarded = { ...TLS, NETWORK_HOST: '0.0.0.0', NETWORK_ALLOW: '192.0.2.1' }
  const started = run({ ...guarded, DATA_DIR, NETWORK_CONNECTIONS: '1' }, 'src/main.ts')
  await started.ready
  assert.match(started.output(), /Network .*\(ascii, binary2, TLS\)/)
  await assertShopWorks(DATA_DIR)
  await endsWell(started)
})

test('peers that use every connection do not shut out the merchant service of this process', async () => {
  const DATA_DIR = dataFolder()
  const started = run({ DATA_DIR, NETWORK_CONNECTIONS: '3' }, 'src/main.ts')
  await started.ready
  const { port } = sandboxIn(DATA_DIR).network
  const silent = await Promise.all([1, 2, 3].map(() => connectAcquirer({ port })))
  const rejected = await connectAcquirer({ port })
  await rejected.closed
  await assertShopWorks(DATA_DIR)
  for (const acquirer of silent) acquirer.cut()
  await endsWell(started)
})

const address = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test('the shop works where the port listens on an address that is not loopback', {
  skip: address === undefined && 'this machine has loopback alone',
}, async () => {
  const DATA_DIR = dataFolder()
  const env = { DATA_DIR, NETWORK_HOST: address ?? '', NETWORK_ALLOW: '192.0.2.1', ...TLS }
  const started = run(env, 'src/main.ts')
  await started.ready
  assert.equal(sandboxIn(DATA_DIR).network.host, address)
  await assertShopWorks(DATA_DIR)
  await endsWell(started)
})

test('the shop of another process comes as anyone, with a certificate of its own', async () => {
  const DATA_DIR = dataFolder()
  const issuer = run(
    { DATA_DIR, ROLES: 'network', NETWORK_ALLOW: '127.0.0.1', ...TLS },
    'src/main.ts',
  )
  await issuer.ready
  const { port } = sandboxIn(DATA_DIR).network
  const there = { DATA_DIR, ROLES: 'api,worker', ISSUER_ADDRESS: `localhost:${port}` }
  const shop = run(
    {
      ...there,
      ISSUER_TLS_CA: certificatePath('ca.pem'),
      ISSUER_TLS_CERT: certificatePath('client.pem'),
      ISSUER_TLS_KEY: certificatePath('client.key'),
    },
    'src/main.ts',
  )
  await shop.ready
  await assertShopWorks(DATA_DIR)
  await endsWell(shop)
  await endsWell(issuer)
})

test('in live without an allow-list the port is open to loopback only, and the start logs it', async () => {
  const live = await createTestDatabase()
  try {
    const env = { DATABASE_URL: live.url, MODE: 'live', DATA_DIR: dataFolder() }
    const started = run({ ...env, NETWORK_HOST: '0.0.0.0' }, 'src/main.ts')
    await started.ready
    const line = /Network +127\.0\.0\.1:(\d+) .*, loopback only: set NETWORK_ALLOW/
    const [, port] = line.exec(started.output()) ?? []
    assert.ok(port, started.output())
    const acquirer = await connectAcquirer({ port: Number(port) })
    assert.equal((await acquirer.signOn()).fields[39], '00')
    await acquirer.close()
    const outside = address ?? '127.0.0.2'
    await assert.rejects(connectAcquirer({ host: outside, port: Number(port) }), {
      code: 'ECONNREFUSED',
    })
    await endsWell(started)
  } finally {
    await live.drop()
  }
})

describe('the networks of NETWORKS_FILE', () => {
  const ZMK = '0123456789ABCDEFFEDCBA9876543210'
  const folder = dataFolder()
  const file = join(folder, 'networks.json')
  const mac = { required: true, algorithm: 'cmac' }
  const networks = [
    { name: 'visa', role: 'listen', addresses: [''], dialect: 'bcd', envelope: 'tpdu' },
    {
      ...{ name: 'scheme', role: 'connect', addresses: ['127.0.0.1:9', 'scheme.invalid:9100'] },
      ...{ mac, keys: { zmk_file: join(folder, 'zmk.hex') } },
    },
  ]
  let own = ''
  before(async () => {
    own = `127.0.0.1:${await freePort()}`
    networks[0]?.addresses.splice(0, 1, own)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'zmk.hex'), ZMK)
    writeFileSync(file, JSON.stringify(networks))
  })

  test('are a line each, which says where they are and how they speak, and no key', async () => {
    const started = run({ DATA_DIR: folder, NETWORKS_FILE: file }, 'src/main.ts')
    await started.ready
    const text = started.output()
    assert.match(text, / {2}Networks {3}visa listens at /)
    assert.ok(text.includes(` visa listens at ${own} (bcd, binary2, tpdu, no MAC)\n`), text)
    const other = 'scheme connects to 127.0.0.1:9, scheme.invalid:9100 (ascii, binary2, MAC)'
    assert.ok(text.includes(`\n${' '.repeat(13)}${other}\n`), text)
    assert.ok(!text.includes(ZMK) && !text.includes('zmk.hex'))
    await endsWell(started)
  })

  test('are in the object of --json', async () => {
    const started = run({ DATA_DIR: folder, NETWORKS_FILE: file }, 'src/main.ts', '--json')
    const line = await until('it is ready', () => {
      const [whole] = /^\{"format".*\}$/m.exec(started.output()) ?? []
      return whole ?? false
    })
    const [visa, scheme] = JSON.parse(line).networks
    assert.partialDeepStrictEqual(visa, { addresses: [own], envelope: 'tpdu', mac: null })
    assert.deepEqual(scheme, {
      ...{ name: 'scheme', role: 'connect', addresses: networks[1]?.addresses },
      ...{ dialect: 'ascii', header: 'binary2', envelope: 'none', tls: false },
      mac: { algorithm: 'cmac', required: true },
    })
    assert.ok(!started.output().includes(ZMK))
    await endsWell(started)
  })
})

describe('a start fails with one line', { concurrency: 2 }, () => {
  const folder = dataFolder()
  mkdirSync(folder, { recursive: true })
  const none = join(folder, 'none.pem')
  const text = join(folder, 'text.pem')
  writeFileSync(text, 'no certificate')
  const wrong: [what: string, env: Env, message: RegExp][] = [
    [
      'without the file',
      { NETWORK_TLS_CERT: none },
      /NETWORK_TLS_CERT \(.*none\.pem\) cannot be read/,
    ],
    ['with another file', { NETWORK_TLS_CERT: text }, /NETWORK_TLS_CERT .* holds no certificate/],
    ['with no key', { NETWORK_TLS_KEY: text }, /NETWORK_TLS_KEY .* holds no private key/],
    [
      'with the key of another certificate',
      { NETWORK_TLS_KEY: certificatePath('client.key') },
      /NETWORK_TLS_KEY .* is not the key of NETWORK_TLS_CERT/,
    ],
    ['with no CA', { NETWORK_TLS_CA: text }, /NETWORK_TLS_CA .* holds no certificate/],
    [
      'with no CA of the issuer',
      { ISSUER_ADDRESS: 'localhost:9', ISSUER_TLS_CA: none },
      /ISSUER_TLS_CA \(.*\) cannot be read \(ENOENT\)/,
    ],
    [
      'with an address that is not of this machine',
      { NETWORK_HOST: '192.0.2.1' },
      /192\.0\.2\.1 is not an address of this machine: set NETWORK_HOST/,
    ],
  ]
  for (const [what, env, message] of wrong) {
    test(what, async () => {
      const started = run({ DATA_DIR: dataFolder(), ...TLS, ...env }, 'src/main.ts')
      assert.equal(await started.ended, 1, started.output())
      assert.equal(started.errors().length, 1, started.errors().join('\n'))
      assert.match(started.errors()[0] ?? '', message)
    })
  }
})
