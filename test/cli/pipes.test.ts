/** Commands whose reader has seen enough, as behind `head`: nothing is left half-way. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { openCommand, PROGRAM } from './running.ts'

const keep = keeper()
const world = keep(await openWorld())
const BEZANT_URL = await world.app.listen({ host: '127.0.0.1', port: 0 })
const command = keep(openCommand({ BEZANT_URL, BEZANT_KEY: world.tenant.api_key }))

/** Runs it without readers, which have gone before it writes; resolves to its exit code. */
async function runUnread(words: readonly string[], env: Record<string, string> = {}) {
  const child = command.start(words, env)
  child.stdin.end()
  child.stdout.destroy()
  child.stderr.destroy()
  const [code] = await once(child, 'exit')
  return code
}

const file = join(command.folder, 'programme.yaml')
writeFileSync(file, 'version: 1\nallowed_mccs: { A: { mccs: [] }, B: { mccs: [] } }\n')

test('plan says by its exit code that there is a difference', async () => {
  assert.equal(await runUnread(['plan', file]), 2)
})

test('apply does all of its plan', async () => {
  assert.equal(await runUnread(['apply', file, '--yes']), 0)
  const { body } = await world.request('GET', '/v1/allowedmccs')
  assert.deepEqual(body.data.map(({ name }: { name: string }) => name).sort(), ['A', 'B'])
})

test('a wrong command ends with 2', async () => {
  assert.equal(await runUnread(['users', 'list', '--wrong']), 2)
  assert.equal(await runUnread(['profile', 'use', 'none']), 2)
})

test('doctor finds what it finds', async () => {
  assert.equal(await runUnread(['doctor'], { DATABASE_URL: world.url }), 0)
})

test('a full disk is one line and 1', {
  skip: process.platform !== 'linux' && '/dev/full is of Linux',
}, () => {
  const full = openSync('/dev/full', 'w')
  const stdio = ['ignore', full, 'pipe'] as const
  // spawnSync blocks this process, which has the API: nothing is asked of it.
  const words = [PROGRAM, 'completion', 'bash']
  const { status, stderr } = spawnSync(process.execPath, words, {
    stdio: [...stdio],
    env: command.environment,
    encoding: 'utf8',
  })
  closeSync(full)
  assert.equal(status, 1)
  assert.match(stderr, /^the output cannot be written: ENOSPC[^\n]*\n$/)
})

test('lists and decisions are read no further', async () => {
  let asked = 0
  const decision = {
    id: '1',
    amount: 1,
    currency: 'AED',
    merchant: {},
    modified: '2026-01-15T09:00:00Z',
    transaction_type: 'PURCHASE',
    status: 'PENDING',
    status_code: '0000',
    status_description: 'Approved',
  }
  const event = { event: 'TRANSACTION', card_transaction: decision }
  const server = createServer((_, response) => {
    asked += 1
    const page = { data: [{ id: '1', created: '2026-01-15T09:00:00Z', ...event }], has_more: true }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ...page, after: String(asked) }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const env = { BEZANT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  for (const words of [
    ['users', 'list', '--all', '--json'],
    ['logs', 'tail'],
  ]) {
    assert.equal(await runUnread(words, env), 0)
    assert.ok(asked < 5, `${asked} pages were asked for`)
    asked = 0
  }
  server.close()
})
