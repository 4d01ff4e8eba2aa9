import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { inspect, promisify } from 'node:util'
import { StartError } from '#kit/start_error.ts'
import { configFaults } from '#test/support/deploy/config_faults.ts'
import { sessionSettingsOf } from './browsers.ts'
import { browserUrl, readConfig, withBoundPorts } from './config.ts'
import { masterKey } from './key_wrapper.ts'

const KEY = '8f3a91c27be4056d12f9a86c3d70e5b14c9827fe60ab35d8917243ce0b5f6ad1'

test('an empty environment is a sandbox on loopback with the embedded database', () => {
  const { adapters, ...config } = readConfig({})
  assert.deepEqual(config, {
    mode: 'sandbox',
    database_url: null,
    data_dir: resolve('./data'),
    host: '127.0.0.1',
    database_connections: 25,
    database_role: 'bezant_program',
    sign_up: 'open',
    port: 8080,
    tls: null,
    admin: null,
    network: {
      host: '127.0.0.1',
      port: 8583,
      dialect: 'ascii',
      header: 'binary2',
      allow: null,
      confined: false,
      tls: null,
      connections: 100,
      connections_per_address: 20,
    },
    issuer_address: { host: '127.0.0.1', port: 8583 },
    issuer_acs: null,
    issuer_clearing: 'advice',
    issuer_connections: 2,
    issuers: new Map(),
    issuers_file: null,
    networks: null,
    tracing: null,
    issuer_tls: null,
    roles: ['api', 'network', 'worker'],
    master_key: null,
    kms: null,
    public_url: 'http://127.0.0.1:8080',
    hosts: ['127.0.0.1'],
    operator_name: 'bezant',
    log_level: 'info',
    wire_log: true,
    kept_days: { transactions: null, events: 90, deliveries: 90, messages: 90 },
    screening: { every_days: null, a_minute: 60 },
    trusted_proxies: [],
    storage: { bucket: null },
  })
  assert.deepEqual(adapters, [])
  assert.ok(Object.isFrozen(readConfig({})) && Object.isFrozen(config.network))
})

test('every variable is read', () => {
  const config = readConfig({
    MODE: 'live',
    DATABASE_URL: 'postgresql://bezant:hidden-word@db.example:5433/cards',
    DATABASE_CONNECTIONS: '40',
    DATABASE_ROLE: 'cards_program',
    DATA_DIR: '/srv/bezant data',
    HOST: '0.0.0.0',
    PORT: '80',
    TRUSTED_PROXIES: '10.0.0.1',
    NETWORK_PORT: '9000',
    NETWORK_DIALECT: 'ascii_binary_bitmap',
    NETWORK_HEADER: 'ascii4',
    ISSUER_ADDRESS: '[::1]:9001',
    ISSUER_CONNECTIONS: '3',
    ROLES: 'worker, api',
    MASTER_KEY: KEY.toUpperCase(),
    PUBLIC_URL: 'https://cards.example/base/',
    OPERATOR_NAME: 'acme-pay',
    LOG_LEVEL: 'debug',
    TRANSACTIONS_KEPT_DAYS: '2557',
    EVENTS_KEPT_DAYS: '60',
    DELIVERIES_KEPT_DAYS: '30',
    MESSAGES_KEPT_DAYS: '45',
  })
  assert.equal(config.mode, 'live')
  assert.equal(config.wire_log, false)
  assert.equal(readConfig({ WIRE_LOG: 'off' }).wire_log, false)
  assert.equal(config.data_dir, '/srv/bezant data')
  assert.equal(config.database_connections, 40)
  assert.equal(config.database_role, 'cards_program')
  assert.deepEqual([config.host, config.port], ['0.0.0.0', 80])
  const { port, dialect, header } = config.network
  assert.deepEqual([port, dialect, header], [9000, 'ascii_binary_bitmap', 'ascii4'])
  assert.deepEqual(config.issuer_address, { host: '::1', port: 9001 })
  assert.equal(config.issuer_connections, 3)
  assert.deepEqual(config.roles, ['api', 'worker'])
  assert.equal(config.master_key?.reveal(), KEY)
  assert.equal(config.public_url, 'https://cards.example/base')
  assert.equal(config.operator_name, 'acme-pay')
  assert.equal(config.log_level, 'debug')
  const kept = { transactions: 2557, events: 60, deliveries: 30, messages: 45 }
  assert.deepEqual(config.kept_days, kept)
})

test('an empty variable counts as absent', () => {
  const emptied = readConfig({ PORT: '', MODE: ' ', DATABASE_URL: '', CLAMD_ADDRESS: '' })
  const { adapters: _adapters, ...plain } = readConfig({})
  assert.deepEqual({ ...emptied, adapters: undefined }, { ...plain, adapters: undefined })
})

test('a wrong value is one line that names the variable and what to do', () => {
  const wrong: Record<string, string[]> = {
    MODE: ['production', 'LIVE'],
    DATABASE_URL: ['mysql://u:hidden-word@h/d', 'hidden-word', 'postgres://u:hidden-word/@h:x/d'],
    DATABASE_CONNECTIONS: ['7', '1001', 'ten', '8.5', '-9'],
    HOST: ['two words', 'a/b'],
    PORT: ['80a', '-1', '65536', '8080.5', '0x50'],
    TLS_CERT: ['/tls/api.pem'],
    TLS_KEY: ['/tls/api.key'],
    ADMIN_HOST: ['127.0.0.1'],
    ADMIN_PORT: ['x', '65536', '8080', '8583'],
    NETWORK_PORT: ['eight', '8080'],
    NETWORK_DIALECT: ['latin'],
    NETWORK_HEADER: ['binary4'],
    NETWORK_HOST: ['two words', 'a/b'],
    NETWORK_ALLOW: ['10.0.0.0/33', '10', 'localhost', '10.0.0.1;10.0.0.2', '10.0.0.1,', ','],
    NETWORK_CONNECTIONS: ['0', '-1', '1.5', 'many', '10001', '0x10'],
    NETWORK_CONNECTIONS_PER_ADDRESS: ['0', 'all', '10001'],
    NETWORK_TLS_CERT: ['/tls/port.pem'],
    NETWORK_TLS_KEY: ['/tls/port.key'],
    NETWORK_TLS_CA: ['/tls/ca.pem'],
    ISSUER_CONNECTIONS: ['0', '11', 'two'],
    ISSUER_TLS_CERT: ['/tls/shop.pem'],
    ISSUER_TLS_KEY: ['/tls/shop.key'],
    ISSUER_ACS_URL: ['https://cards.example'],
    ISSUER_ACS_KEY: ['hidden-word'],
    ISSUER_ADDRESS: ['issuer.example', 'issuer.example:0', ':8583', 'a:b:8583', 'x:99999'],
    ROLES: ['api;worker', 'everything', ','],
    MASTER_KEY: ['hidden-word', KEY.slice(1), 'ab'.repeat(32), '0123456789abcdef'.repeat(4)],
    PUBLIC_URL: ['cards.example', 'ftp://cards.example', 'https://u:hidden-word@cards.example'],
    OPERATOR_NAME: ['Bezant', '9pay', 'a b', 'x'.repeat(33)],
    LOG_LEVEL: ['verbose', 'two\nlines'],
  }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const message = configFaults({ [name]: value })
      assert.match(message, new RegExp(`^${name} .+: .+$`), `${name}=${value}`)
      assert.doesNotMatch(message, /hidden-word|\n/)
    }
  }
})

test('all faults come at once, one a line, and no secret is repeated', () => {
  const lines = configFaults({ MODE: 'live', PORT: 'x', MASTER_KEY: '11'.repeat(32) }).split('\n')
  assert.deepEqual(
    lines.map((line) => line.split(' ')[0]),
    ['PORT', 'MASTER_KEY'],
  )
  assert.doesNotMatch(lines.join(), /1111/)
})

test('live does not start without a master key', () => {
  assert.match(configFaults({ MODE: 'live' }), /^MASTER_KEY is missing .* openssl rand -hex 32$/)
})

test('keys that count up or repeat are weak', () => {
  const counting = Buffer.from(Array.from({ length: 32 }, (_, index) => index + 1)).toString('hex')
  const halves = KEY.slice(0, 32).repeat(2)
  for (const weak of [counting, halves, '00'.repeat(32)]) {
    assert.match(configFaults({ MASTER_KEY: weak }), /^MASTER_KEY is too regular/)
  }
})

test('no form of the configuration shows a secret', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://me:hidden-word@db.example/cards?sslpassword=hidden-word',
    MASTER_KEY: KEY,
    BLOB_STORE_URL: 'https://s3.example/files',
    BLOB_STORE_ACCESS_KEY: 'AKIA',
    BLOB_STORE_SECRET_KEY: 'hidden-word',
    ONFIDO_API_TOKEN: 'hidden-word',
  })
  const shown = `${inspect(config, { depth: null, showHidden: true })}${JSON.stringify(config)}`
  assert.doesNotMatch(shown, new RegExp(`hidden-word|${KEY}`))
})

test('a database behind a socket folder is an address too', () => {
  const DATABASE_URL = 'postgresql://me:pw@/cards?host=/run/pg'
  assert.equal(readConfig({ DATABASE_URL }).database_url?.reveal(), DATABASE_URL)
})

test('an address of the database may name a primary and its standbys', () => {
  const several = 'postgresql://me:pw@one,two:6432,[fe80::1]:5432/cards'
  for (const DATABASE_URL of [
    several,
    `${several}?sslmode=require&target_session_attrs=read-write`,
    'postgresql://me@one/cards?target_session_attrs=read-write',
  ]) {
    assert.equal(readConfig({ DATABASE_URL }).database_url?.reveal(), DATABASE_URL)
  }
  for (const DATABASE_URL of [
    'postgresql://me:pw@one,,two/cards',
    'postgresql://me:pw@one:1,two:x/cards',
    'postgresql://me:pw@one,two/cards?target_session_attrs=prefer-standby',
  ]) {
    assert.throws(() => readConfig({ DATABASE_URL }), /DATABASE_URL/)
  }
})

test('a browser gets an address with a name, where that reaches the listener', () => {
  const shown = (env: object) => browserUrl(readConfig({ PORT: '8080', ...env }))
  assert.equal(shown({}), 'http://localhost:8080')
  assert.equal(shown({ HOST: '::1' }), 'http://localhost:8080')
  assert.equal(shown({ HOST: '0.0.0.0' }), 'http://localhost:8080')
  assert.equal(shown({ HOST: '127.0.0.2' }), 'http://127.0.0.2:8080')
  assert.equal(shown({ HOST: '10.1.2.3' }), 'http://10.1.2.3:8080')
  const { origins } = sessionSettingsOf(readConfig({ PORT: '8080' }))
  for (const origin of ['http://localhost:8080', 'http://127.0.0.1:8080']) {
    assert.ok(origins.includes(origin), origin)
  }
})

test('ports that the system chose reach the addresses that follow from them', () => {
  const config = readConfig({ PORT: '0', NETWORK_PORT: '0' })
  const bound = withBoundPorts(config, { port: 40_001, network_port: 40_002 })
  assert.equal(bound.public_url, 'http://127.0.0.1:40001')
  assert.deepEqual(bound.issuer_address, { host: '127.0.0.1', port: 40_002 })
  const named = readConfig({ PUBLIC_URL: 'https://cards.example', ISSUER_ADDRESS: 'other:1' })
  const kept = withBoundPorts(named, { port: 1, network_port: 2 })
  assert.equal(kept.public_url, 'https://cards.example')
  assert.deepEqual(kept.issuer_address, { host: 'other', port: 1 })
})

test('the sandbox makes its master key once, for this account only', (t) => {
  const config = readConfig({ DATA_DIR: join(temporaryFolder(t), 'new', 'data dir') })
  const key = masterKey(config).reveal()
  assert.match(key, /^[0-9a-f]{64}$/)
  assert.equal(masterKey(config).reveal(), key)
  assert.equal(statSync(join(config.data_dir, 'master.key')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(config.data_dir), ['master.key'])
})

test('two processes that start at once get the same master key', async (t) => {
  const data_dir = join(temporaryFolder(t), 'data')
  const module = new URL('../kit/keys/master_key.ts', import.meta.url).href
  const program = `import { keptMasterKey } from ${JSON.stringify(module)}
    process.stdout.write(keptMasterKey(${JSON.stringify(data_dir)}).reveal())`
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  const [first, second] = await Promise.all([run(), run()])
  assert.match(first.stdout, /^[0-9a-f]{64}$/)
  assert.equal(first.stdout, second.stdout)
})

test('a key file that others may read or that holds no key is rejected, not replaced', (t) => {
  const config = readConfig({ DATA_DIR: temporaryFolder(t) })
  const file = join(config.data_dir, 'master.key')
  writeFileSync(file, KEY, { mode: 0o644 })
  assert.throws(() => masterKey(config), startError(/may be read by others/))
  chmodSync(file, 0o600)
  assert.equal(masterKey(config).reveal(), KEY)
  writeFileSync(file, 'short')
  assert.throws(() => masterKey(config), startError(/64 hexadecimal characters.*backup/))
})

test('a folder that cannot be written is one clear line', (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  const config = readConfig({ DATA_DIR: join(file, 'data') })
  assert.throws(() => masterKey(config), startError(/cannot be made or written \(ENOTDIR\)/))
})

function startError(pattern: RegExp) {
  return (error: unknown) => error instanceof StartError && pattern.test(error.message)
}

function temporaryFolder(t: { after(undo: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('TRUSTED_PROXIES is a list of addresses and blocks, and empty when it is left out', () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ TRUSTED_PROXIES }).trusted_proxies
  assert.deepEqual(readConfig({}).trusted_proxies, [])
  assert.deepEqual(read(' 10.0.0.1, 10.1.0.0/16,2001:db8::/32 '), [
    '10.0.0.1',
    '10.1.0.0/16',
    '2001:db8::/32',
  ])
  for (const wrong of [
    'proxy.example',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '10.0.0.1/8/8',
    '::/129',
    '::/0',
    '::ffff:0.0.0.0/96',
  ]) {
    assert.throws(() => readConfig({ TRUSTED_PROXIES: wrong }), /TRUSTED_PROXIES must be/)
  }
})

test('rows are kept for as long as repeats, retries and holds need them', () => {
  const faultsOf = (env: Record<string, string>) => configFaults(env).split('\n')
  assert.deepEqual(
    faultsOf({
      TRANSACTIONS_KEPT_DAYS: '730',
      EVENTS_KEPT_DAYS: '13',
      DELIVERIES_KEPT_DAYS: '0',
      MESSAGES_KEPT_DAYS: '30',
    }).map((line) => line.split(',')[0]),
    [
      'TRANSACTIONS_KEPT_DAYS must be a whole number from 731 to 36500',
      'EVENTS_KEPT_DAYS must be a whole number from 14 to 36500',
      'DELIVERIES_KEPT_DAYS must be a whole number from 14 to 36500',
      'MESSAGES_KEPT_DAYS must be a whole number from 31 to 36500',
    ],
  )
  assert.deepEqual(faultsOf({ EVENTS_KEPT_DAYS: '60' }), [
    'DELIVERIES_KEPT_DAYS is 90 and EVENTS_KEPT_DAYS is 60: keep events for as long as their ' +
      'deliveries',
  ])
  assert.equal(readConfig({ TRANSACTIONS_KEPT_DAYS: '731' }).kept_days.transactions, 731)
})

test('further checks are every 1 to 366 days, of 1 to 600 users a minute', () => {
  const faults = configFaults({ SCREENING_EVERY_DAYS: '0', SCREENING_A_MINUTE: '601' })
  const words = faults.split('\n').map((line) => line.split(',')[0])
  assert.deepEqual(words, [
    'SCREENING_EVERY_DAYS must be a whole number from 1 to 366',
    'SCREENING_A_MINUTE must be a whole number from 1 to 600',
  ])
  const { screening } = readConfig({ SCREENING_EVERY_DAYS: '30', SCREENING_A_MINUTE: '600' })
  assert.deepEqual(screening, { every_days: 30, a_minute: 600 })
})

test('in live people sign up by themselves only where mails are sent', () => {
  const env = { MODE: 'live', MASTER_KEY: KEY, PORTAL_SIGN_UP: 'open' }
  assert.throws(() => readConfig(env), /PORTAL_SIGN_UP is open and MODE is live.*SMTP_URL/)
  const mails = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'cards@bank.example' }
  assert.equal(readConfig({ ...env, ...mails }).sign_up, 'open')
  assert.equal(readConfig({ PORTAL_SIGN_UP: 'open' }).sign_up, 'open')
})
