/** A sandbox whose DATA_DIR is used with two databases (D-941). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { readSandbox } from '#sandbox/seed/file.ts'
import { keeper } from '#test/support/keeper.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'

const keep = keeper()

test('the keys of each of two databases are kept, and put back where it is started', async () => {
  const DATA_DIR = dataFolder()
  const MASTER_KEY = randomBytes(32).toString('hex')
  const [one, two] = await Promise.all([createTestDatabase(), createTestDatabase()])
  for (const { drop } of [one, two]) keep({ [Symbol.asyncDispose]: drop })
  const startOn = async ({ url }: { url: string }) => {
    const started = launch({ DATA_DIR, DATABASE_URL: url, MASTER_KEY })
    await started.ready
    const { base_url, tenant } = sandboxIn(DATA_DIR)
    const { status } = await fetch(`${base_url}/v1/cards`, { headers: { apikey: tenant.api_key } })
    assert.equal(status, 200)
    started.kill('SIGTERM')
    assert.equal(await started.ended, 0)
    const [, other = ''] = /of another database stay in (.+)\n/.exec(started.output()) ?? []
    return { key: tenant.api_key, other }
  }
  const first = await startOn(one)
  assert.equal(first.other, '')
  const second = await startOn(two)
  assert.equal(readSandbox(second.other)?.tenant.api_key, first.key)
  const again = await startOn(one)
  assert.equal(again.key, first.key)
  assert.equal(readSandbox(again.other)?.tenant.api_key, second.key)
  assert.equal((await startOn(two)).key, second.key)
})
