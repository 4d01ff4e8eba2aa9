/** Starts that cannot be: one clear line on stderr, exit code 1, no stack, no secret. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { dataFolder, launch } from '#test/support/processes/process.ts'
import { createTestDatabase, onServer, type TestDatabase } from '#test/support/processes/server.ts'

const key = () => randomBytes(32).toString('hex')
const MASTER_KEY = key()

let database: TestDatabase
let busy: Server
let busyPort: string
before(async () => {
  database = await createTestDatabase()
  busy = createServer()
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
  const address = busy.address()
  busyPort = String(typeof address === 'object' ? address?.port : '')
})
after(async () => {
  busy.close()
  await database.drop()
})

/** Starts, waits for the end and returns the lines of its stderr. */
async function linesOfFailure(env: Readonly<Record<string, string>>): Promise<string[]> {
  const started = launch({
    DATA_DIR: dataFolder(),
    DATABASE_URL: database.url,
    MASTER_KEY,
    ...env,
  })
  assert.equal(await started.ended, 1, started.output())
  for (const line of started.errors()) {
    assert.match(line, /^bezant cannot start: /)
    assert.doesNotMatch(line, /\.ts:\d|node:internal/)
  }
  return started.errors()
}

async function failsWith(env: Readonly<Record<string, string>>, message: RegExp): Promise<void> {
  const lines = await linesOfFailure(env)
  assert.equal(lines.length, 1, lines.join('\n'))
  assert.match(lines[0] ?? '', message)
}

/** The start fails on a database of its own, whose state the test changes. */
async function failsOn(statements: (name: string) => string, env: object, message: RegExp) {
  const own = await createTestDatabase()
  try {
    const name = new URL(own.url).pathname.slice(1)
    await onServer(own.url, (client) => client.query(statements(name)))
    await failsWith({ DATABASE_URL: own.url, ...env }, message)
  } finally {
    await own.drop()
  }
}

describe('a start fails with one line', { concurrency: 2 }, () => {
  test('on a busy HTTP port', () =>
    failsWith({ PORT: busyPort }, new RegExp(`port ${busyPort} .* in use: .* set PORT`)))

  test('on a busy network port', () =>
    failsWith({ NETWORK_PORT: busyPort }, new RegExp(`${busyPort} .* in use: .* NETWORK_PORT`)))

  test('that names every wrong variable', async () => {
    const lines = await linesOfFailure({ MODE: 'test', PORT: 'eighty', ROLES: 'api,cook' })
    assert.deepEqual(
      lines.map((line) => /start: (\w+) /.exec(line)?.[1]),
      ['MODE', 'PORT', 'ROLES'],
    )
  })

  test('with a host that is not of this machine', () =>
    failsWith({ HOST: '192.0.2.1' }, /192\.0\.2\.1 is not an address of this machine: set HOST/))

  test('in live without a master key', () =>
    failsWith(
      { MODE: 'live', MASTER_KEY: '' },
      /MASTER_KEY is missing and MODE is live: set the one of this platform, or, .* make one with/,
    ))

  test('with a weak master key, which is not repeated', async () => {
    const lines = await linesOfFailure({ MODE: 'live', MASTER_KEY: 'ab'.repeat(32) })
    assert.match(lines.join(), /MASTER_KEY is too regular to be random/)
    assert.doesNotMatch(lines.join(), /abab/)
  })

  test('where files must be scanned and no scanner is named', () =>
    failsWith(
      { CLAMD_REQUIRED: 'true' },
      /CLAMD_ADDRESS is missing and CLAMD_REQUIRED is true: name the virus scanner/,
    ))

  test('where the database allows fewer connections than it may open', () =>
    failsOn(
      (name) => `alter database ${name} connection limit 24`,
      {},
      /DATABASE_CONNECTIONS is 25, but the database allows 24 \(connection limit of the database/,
    ))

  test('where the server allows fewer connections than it may open', () =>
    failsWith(
      { DATABASE_CONNECTIONS: '999' },
      /DATABASE_CONNECTIONS is 999, but the database allows \d+ \(max_connections \d+ less \d+/,
    ))

  test('with another master key than the one the database was begun with', async () => {
    // The keys are made before the ports are opened.
    await linesOfFailure({ PORT: busyPort })
    await failsWith(
      { MASTER_KEY: key() },
      /MASTER_KEY does not open this database.* set it, .* this database had; .* restored/,
    )
  })

  test('where the master key that a sandbox keeps is gone, and makes no other one', async () => {
    const own = await createTestDatabase()
    const env = { DATABASE_URL: own.url, DATA_DIR: dataFolder(), PORT: busyPort }
    const path = join(env.DATA_DIR, 'master.key')
    const begin = () => launch(env)
    try {
      assert.equal(await begin().ended, 1)
      rmSync(path)
      const again = begin()
      assert.equal(await again.ended, 1)
      const [line = '', ...others] = again.errors()
      assert.match(
        line,
        /the master key .+master\.key is missing, .* restore the file from a backup/,
      )
      assert.deepEqual(others, [])
      assert.equal(existsSync(path), false)
    } finally {
      await own.drop()
    }
  })

  test('where the data folder cannot be written', () => {
    const folder = dataFolder()
    mkdirSync(dirname(folder), { recursive: true })
    writeFileSync(folder, 'a file where the folder should be')
    const env = { DATA_DIR: join(folder, 'inside') }
    return failsWith(env, /sandbox\.json can be neither read nor written \(ENOTDIR\).*DATA_DIR/)
  })

  test('where the data folder can be no folder, with its own database or another', async () => {
    const file = join(dataFolder(), 'file')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
    const message = /^bezant cannot start: the folder .+ cannot be made or written \(E[A-Z]+\): let/
    for (const DATA_DIR of [file, '/dev/null/x', '/proc/x']) {
      await failsWith({ DATA_DIR, DATABASE_URL: '', MASTER_KEY: '' }, message)
    }
    await failsWith({ DATA_DIR: '/proc/x' }, message)
    // Root may write it by its mode; the reason is that of the folder.
    const none = /\/proc(\/postgres)? cannot be made.*\((ENOENT|EACCES)/
    await failsWith({ DATA_DIR: '/proc', DATABASE_URL: '', MASTER_KEY: '' }, none)
  })

  test('where the database cannot be reached, without its password', async () => {
    const DATABASE_URL = 'postgresql://someone:hidden-word@127.0.0.1:9/none'
    const lines = await linesOfFailure({ DATABASE_URL })
    assert.match(lines.join(), /the database cannot be used \(.*ECONNREFUSED.*DATABASE_URL/)
    assert.doesNotMatch(lines.join(), /hidden-word/)
  })

  test('where the database has no TLS and is to have it, or its CA is in no file', async () => {
    const url = new URL(database.url)
    url.searchParams.set('sslmode', 'verify-full')
    const without = /not support SSL connections\): let it have TLS \(ssl = on/
    await failsWith({ DATABASE_URL: String(url) }, without)
    url.searchParams.set('sslrootcert', '/no/such.pem')
    const missing = /\/no\/such\.pem'\): correct the file .* \(sslrootcert/
    await failsWith({ DATABASE_URL: String(url) }, missing)
  })

  test('where the database does not exist', () => {
    const DATABASE_URL = database.url.replace(/\/t_\w+/, '/no_such_database')
    return failsWith({ DATABASE_URL }, /does not exist\): create it, or correct its name/)
  })

  test('on a database that a newer program has migrated', () =>
    failsOn(
      () => `insert into schema_migrations values ('9999_later.sql', '', '2030-01-01')`,
      {},
      /the database is newer than this program, which does not know 9999_later\.sql/,
    ))

  test('on a database that was made before the first release', () =>
    failsOn(
      () => `update schema_migrations set name = '0001_kit.sql' where name = '0010_kit.sql'`,
      {},
      /has the migration 0001_kit\.sql.*from before the first release.*new database \(DATABASE_URL\)/,
    ))

  test('on a database that could lose confirmed payments', () =>
    failsOn(
      (name) => `alter database ${name} set synchronous_commit = off`,
      {},
      /synchronous_commit( of the node \S+)? = off, so confirmed payments could be lost/,
    ))
})

test('an old Node fails with a message before it reads any TypeScript', async () => {
  const { execFileSync } = await import('node:child_process')
  const script = `Object.defineProperty(process.versions, 'node', { value: '20.1.0' })
    await import('./tools/node-version.mjs')`
  assert.throws(
    () => execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' }),
    (error: Error & { status?: number; stderr?: Buffer }) =>
      error.status === 1 && /Node\.js 20\.1\.0 is too old: use 24/.test(String(error.stderr)),
  )
})
