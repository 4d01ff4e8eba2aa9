/** The end of a run by a signal. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'

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

const socketIn = (url: string): string => new URL(url.trim()).searchParams.get('host') ?? ''
