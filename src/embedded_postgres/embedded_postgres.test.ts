import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { StartError } from '#kit/start_error.ts'
import { type Embedded, startEmbedded } from './embedded_postgres.ts'
import { stateOf } from './postmaster.ts'

/** Memory for several servers at once on a small machine. */
const settings = { shared_buffers: '16MB' }
const MODULE = new URL('./embedded_postgres.ts', import.meta.url).href

/** A first start takes most of the time here, so most tests share one data folder. */
const data_dir = join(temporaryFolder({ after }), 'data dir with spaces')
chmodSync(dirname(data_dir), 0o711)

test('the first start makes a durable database that the URL reaches', async (t) => {
  const server = await open(t, data_dir)
  assert.deepEqual(await ask(server, 'select current_user, current_database()'), {
    current_user: 'bezant',
    current_database: 'bezant',
  })
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    assert.deepEqual(await ask(server, `show ${name}`), { [name]: 'on' })
  }
  assert.deepEqual(await ask(server, 'show listen_addresses'), { listen_addresses: '' })
  assert.deepEqual(await ask(server, 'show shared_buffers'), { shared_buffers: '16MB' })
  await ask(server, 'create table kept (id int primary key)')
})

test('a stopped server is gone, and its data is there at the next start', async (t) => {
  const server = await open(t, data_dir)
  assert.deepEqual(await ask(server, 'select count(*)::int from kept'), { count: 0 })
  await server.stop()
  await server.stop()
  assert.notEqual(stateOf(server.pid, join(data_dir, 'postgres')), 'server')
  assert.equal(existsSync(join(data_dir, 'postgres', 'postmaster.pid')), false)
})

test('many starts at once on a new folder share one server, and the last to leave stops it', {
  timeout: 60_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  const servers = await Promise.all([open(t, folder), open(t, folder), open(t, folder)])
  const [pid, ...others] = servers.map((server) => server.pid)
  assert.ok(others.every((other) => other === pid))
  const [first, second, last] = servers
  assert.ok(first && second && last)
  await Promise.all([first.stop(), second.stop()])
  assert.deepEqual(await ask(last, 'select 1 as one'), { one: 1 })
  await last.stop()
  assert.notEqual(stateOf(last.pid, join(folder, 'postgres')), 'server')
  assert.deepEqual(readdirSync(folder).sort(), ['postgres', 'postgres.log'])
})

test('a server whose Node was killed is adopted with its data', async (t) => {
  const pid = await startAndKillNode(data_dir)
  const server = await open(t, data_dir)
  assert.equal(server.pid, pid)
  // The server stays until it has noticed that the other one is gone.
  while (!isDeepStrictEqual(await ask(server, HOLDERS), { count: 1 })) await pause(10)
  await server.stop()
  assert.notEqual(stateOf(pid, join(data_dir, 'postgres')), 'server')
})

test('a start after the whole machine was cut off recovers', { timeout: 60_000 }, async (t) => {
  const pid = await startAndKillNode(data_dir)
  process.kill(pid, 'SIGKILL')
  const server = await open(t, data_dir)
  assert.notEqual(server.pid, pid)
  assert.deepEqual(await ask(server, 'select count(*)::int from kept'), { count: 0 })
})

test('a server that is killed under the program is started again, and the URL stays', {
  timeout: 60_000,
}, async (t) => {
  const lines: string[] = []
  const server = await open(t, data_dir, (line) => lines.push(line))
  const { pid, url } = server
  process.kill(pid, 'SIGKILL')
  await until(() => lines.includes('PostgreSQL is back'))
  assert.notEqual(server.pid, pid)
  assert.equal(server.url, url)
  assert.deepEqual(await ask(server, 'select 1 as one'), { one: 1 })
})

test('a server whose data folder is away for long is tried until the folder is back', {
  timeout: 60_000,
}, async (t) => {
  const folder = temporaryFolder(t)
  const lines: string[] = []
  const options = { settings, onProgress: (line: string) => lines.push(line) }
  const pauses = { first: 1, longest: 4 }
  const server = await startEmbedded({ data_dir: folder, ...options, pauses })
  t.after(() => server.stop())
  await ask(server, 'create table kept as select 1 as one')
  const cluster = join(folder, 'postgres')
  renameSync(cluster, `${cluster}-away`)
  process.kill(server.pid, 'SIGKILL')
  const tries = () => lines.filter((line) => /is not there any more.*next in 0\.004 s/.test(line))
  await until(() => tries().length > 15)
  assert.ok(!existsSync(cluster), 'another cluster was made')
  assert.ok(!lines.includes('PostgreSQL is back'))
  renameSync(`${cluster}-away`, cluster)
  await until(() => lines.includes('PostgreSQL is back'))
  assert.deepEqual(await ask(server, 'select one from kept'), { one: 1 })
})

test('a stop does not wait for the next try', { timeout: 60_000 }, async (t) => {
  const folder = temporaryFolder(t)
  const lines: string[] = []
  const server = await startEmbedded({
    data_dir: folder,
    settings,
    onProgress: (line) => lines.push(line),
    pauses: { first: 3_600_000, longest: 3_600_000 },
  })
  process.kill(server.pid, 'SIGKILL')
  await until(() => lines.includes('PostgreSQL has gone; starting it again'))
  await server.stop()
})

test('a server that has crashed says why, and is stopped at once', async (t) => {
  const lines: string[] = []
  const onProgress = (line: string) => lines.push(line)
  const pauses = { first: 3_600_000, longest: 3_600_000 }
  const server = await startEmbedded({ data_dir, settings, onProgress, pauses })
  t.after(() => server.stop())
  assert.equal(server.panic(), undefined)
  const log = join(data_dir, 'postgres.log')
  appendFileSync(log, '2030-01-01 PANIC:  could not write to file "pg_wal/x": No space left\n')
  assert.equal(server.panic(), 'could not write to file "pg_wal/x": No space left')
  const holder = "select pid from pg_stat_activity where application_name = 'bezant lease'"
  const { pid } = (await ask(server, holder)) as { pid: number }
  const before = readFileSync(log, 'utf8').length
  process.kill(pid, 'SIGKILL')
  await until(() => lines.includes('PostgreSQL has gone; starting it again'))
  await server.stop()
  assert.match(readFileSync(log, 'utf8').slice(before), /received immediate shutdown request/)
  assert.notEqual(stateOf(server.pid, join(data_dir, 'postgres')), 'server')
})

test('a pid file whose number another program has got does not stop the start', async (t) => {
  const { pid } = process
  const stale = [pid, join(data_dir, 'postgres'), 0, 5432, '/tmp', '', '', 'ready   ', ''].join(
    '\n',
  )
  writeFileSync(join(data_dir, 'postgres', 'postmaster.pid'), stale)
  const server = await open(t, data_dir)
  assert.notEqual(server.pid, pid)
})

test('a server that lost its socket file is replaced', { timeout: 60_000 }, async (t) => {
  const pid = await startAndKillNode(data_dir)
  const file = readFileSync(join(data_dir, 'postgres', 'postmaster.pid'), 'utf8')
  unlinkSync(join(file.split('\n')[4] ?? '', '.s.PGSQL.5432'))
  const server = await open(t, data_dir)
  assert.notEqual(server.pid, pid)
})

test('what makes the database durable cannot be switched off', async (t) => {
  for (const name of ['fsync', 'full_page_writes', 'synchronous_commit']) {
    const start = startEmbedded({ data_dir, settings: { ...settings, [name]: 'off' } })
    await assert.rejects(start, startError(`${name} stays on`))
  }
  const server = await open(t, data_dir)
  await ask(server, 'alter system set fsync = off')
  await server.stop()
  assert.deepEqual(await ask(await open(t, data_dir), 'show fsync'), { fsync: 'on' })
})

test('a setting that PostgreSQL does not know is reported with its message', async () => {
  const start = startEmbedded({ data_dir, settings: { shared_bufers: '16MB' } })
  await assert.rejects(start, startError('unrecognized configuration parameter "shared_bufers"'))
})

test('a cluster of another major version is one clear line', async (t) => {
  const folder = temporaryFolder(t)
  mkdirSync(join(folder, 'postgres'))
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), '99\n')
  await assert.rejects(startEmbedded({ data_dir: folder }), startError('was made by PostgreSQL 99'))
})

test('a data folder that cannot be written is one clear line', async (t) => {
  const file = join(temporaryFolder(t), 'file')
  writeFileSync(file, '')
  const start = startEmbedded({ data_dir: join(file, 'data') })
  await assert.rejects(start, startError('cannot be made or written \\(ENOTDIR\\)'))
})

test('as root, a data folder that only root can enter has its database elsewhere', {
  skip: process.getuid?.() !== 0 && 'needs root',
}, async (t) => {
  const folder = temporaryFolder(t)
  chmodSync(folder, 0o700)
  const home = join(folder, 'project')
  await (await open(t, home)).stop()
  const note = join(home, 'postgres-location.txt')
  const [cluster = ''] = readFileSync(note, 'utf8').split('\n')
  t.after(() => rmSync(cluster, { recursive: true }))
  t.after(() => rmSync(`${cluster}.log`))
  assert.match(cluster, /^\/var\/lib\/bezant\/[0-9a-f]{16}$/)
  assert.ok(existsSync(join(cluster, 'PG_VERSION')))

  await (await open(t, home)).stop()
  renameSync(home, `${home}-moved`)
  await assert.rejects(startEmbedded({ data_dir: `${home}-moved` }), startError('has been moved'))
  renameSync(`${home}-moved`, home)
  renameSync(cluster, `${cluster}-away`)
  await assert.rejects(startEmbedded({ data_dir: home }), startError('which is gone'))
  renameSync(`${cluster}-away`, cluster)
})

async function open(t: TestContext, folder: string, onProgress = (_line: string) => {}) {
  const server = await startEmbedded({ data_dir: folder, settings, onProgress })
  t.after(() => server.stop())
  return server
}

/** Processes whose lease the server has. */
const HOLDERS = `select count(*)::int from pg_stat_activity
  where application_name = 'bezant lease'`

async function ask(server: Embedded, statement: string): Promise<unknown> {
  const client = new pg.Client(server.url)
  await client.connect()
  const result = await client.query<Record<string, unknown>>(statement)
  await client.end()
  return result.rows[0]
}

/** Starts the server in a process of its own, kills that, and answers the server's number. */
async function startAndKillNode(folder: string): Promise<number> {
  const program = `import { startEmbedded } from ${JSON.stringify(MODULE)}
    const server = await startEmbedded(${JSON.stringify({ data_dir: folder, settings })})
    console.log(server.pid)
    setInterval(() => {}, 1000)`
  const node = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const died = once(node, 'exit').then(() => assert.fail('the process ended by itself'))
  died.catch(() => {})
  const [said]: unknown[] = await Promise.race([once(node.stdout, 'data'), died])
  node.kill('SIGKILL')
  await once(node, 'exit')
  return Number(String(said))
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !holds(); await pause(10)) {
    assert.ok(Date.now() < end, 'it did not happen within 20 s')
  }
}

function startError(pattern: string) {
  return (error: unknown) => {
    assert.ok(error instanceof StartError, String(error))
    assert.match(error.message, new RegExp(pattern))
    assert.doesNotMatch(error.message, /\n/)
    return true
  }
}

function temporaryFolder(t: { after(undo: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-embedded-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}
