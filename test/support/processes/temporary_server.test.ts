/** The server of a run of tests: its end by a signal, and what it forgoes. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { dataFolder, launch } from './process.ts'
import { onServer } from './server.ts'
import { openTemporaryServer } from './temporary_server.ts'

const SERVER = new URL('./server.ts', import.meta.url).href
const MODULE = new URL('./temporary_server.ts', import.meta.url).href

test('a run that a signal ends leaves neither its server nor its folder', async () => {
  const prefix = `bezant-ended-${process.pid}-`
  const script = `
    const { openTemporaryServer } = await import('${MODULE}')
    const { onServer } = await import('${SERVER}')
    const { url } = await openTemporaryServer('${prefix}')
    console.log(url)
    await onServer(url, (client) => client.query('select pg_sleep(600)'))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  let url = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    url += text
    if (!url.endsWith('\n')) continue
    assert.ok(existsSync(socketIn(url)))
    child.kill('SIGTERM')
  }
  const [code] = await closed
  assert.equal(code, 143)
  assert.equal(existsSync(socketIn(url)), false)
  for (const folder of ['/dev/shm', tmpdir()].filter((one) => existsSync(one))) {
    const left = readdirSync(folder).filter((name) => name.startsWith(prefix))
    assert.deepEqual(left, [], folder)
  }
})

test('a server without syncs keeps its rows and its URL, and no start accepts it', async () => {
  await using server = new AsyncDisposableStack()
  const { url, forgoSync, stop } = await openTemporaryServer('bezant-unsynced-')
  server.defer(stop)
  await onServer(url, (client) => client.query('create table kept as select 1 as one'))
  await forgoSync()
  const settings = await onServer(url, async (client) => {
    await client.query('select one from kept')
    const sql = `select name, setting from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') order by name`
    return (await client.query<{ name: string; setting: string }>(sql)).rows
  })
  assert.deepEqual(
    settings.map(({ setting }) => setting),
    ['off', 'off', 'on'],
  )
  const MASTER_KEY = randomBytes(32).toString('hex')
  for (const env of [{ MODE: 'sandbox' }, { MODE: 'live', MASTER_KEY }]) {
    const { ended, errors } = launch({ ...env, DATABASE_URL: url, DATA_DIR: dataFolder() })
    assert.equal(await ended, 1)
    assert.match(errors().join(), /the database has (fsync|full_page_writes) = off/)
  }
})

const socketIn = (url: string): string => new URL(url.trim()).searchParams.get('host') ?? ''
