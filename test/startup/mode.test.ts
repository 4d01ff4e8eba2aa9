/** A database belongs to one mode, from its first start on (D-330). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { BASE_TABLES } from '#test/support/inspection/base_tables.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'

const MASTER_KEY = randomBytes(32).toString('hex')

/** A database of the test's own, and commands on it with a data folder of their own. */
async function openPlace() {
  const { url, drop } = await createTestDatabase()
  const run = (MODE: string, DATA_DIR: string, args: readonly string[] = ['src/main.ts']) =>
    launch({ DATABASE_URL: url, MASTER_KEY, MODE, DATA_DIR }, args)
  return { url, run, [Symbol.asyncDispose]: drop }
}

async function endsWell(started: Launched): Promise<void> {
  await started.ready
  started.kill('SIGTERM')
  assert.equal(await started.ended, 0, started.output())
}

async function assertFails(started: Launched, message: RegExp): Promise<void> {
  assert.equal(await started.ended, 1, started.output())
  assert.equal(started.errors().length, 1, started.errors().join('\n'))
  assert.match(started.errors()[0] ?? '', message)
}

/** One checksum of all rows of a table, for each table. */
function contentOf(url: string): Promise<Record<string, string>> {
  return onServer(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select name from (${BASE_TABLES}) t where schema = 'public'`,
    )
    const content: Record<string, string> = {}
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ sum: string }>(
        `select md5(coalesce(string_agg(r::text, e'\\n' order by r::text), '')) as sum from ${name} r`,
      )
      content[name] = rows[0]?.sum ?? ''
    }
    return content
  })
}

for (const [mode, other] of [
  ['live', 'sandbox'],
  ['sandbox', 'live'],
] as const) {
  test(`a ${other} process and its tools leave a ${mode} database alone`, async () => {
    await using place = await openPlace()
    const [own, strange] = [dataFolder(), dataFolder()]
    await endsWell(place.run(mode, own))
    const before = await contentOf(place.url)

    const message = new RegExp(`MODE is ${other}, and this database belongs to a ${mode} platform`)
    await assertFails(place.run(other, strange), message)
    await assertFails(place.run(other, strange, ['apps/cli/bezant.mjs', 'doctor']), message)
    await assertFails(place.run(other, strange, ['apps/cli/bezant.mjs', 'keys', 'rotate']), message)
    assert.deepEqual(await contentOf(place.url), before)
    assert.ok(!existsSync(join(strange, 'sandbox.json')))
    assert.ok(!existsSync(join(strange, 'operator.key')))

    assert.equal(await place.run(mode, own, ['apps/cli/bezant.mjs', 'doctor']).ended, 0)
    await endsWell(place.run(mode, own))
  })
}

test('of two first starts in different modes at once, one wins and the other does not start', async () => {
  await using place = await openPlace()
  const both = (['live', 'sandbox'] as const).map((mode) => {
    const started = place.run(mode, dataFolder())
    const ready = started.ready.then(
      () => true,
      () => false,
    )
    return { mode, started, ready }
  })
  const ready = await Promise.all(both.map((one) => one.ready))
  assert.equal(ready.filter(Boolean).length, 1)
  for (const [index, { mode, started }] of both.entries()) {
    if (ready[index]) await endsWell(started)
    else await assertFails(started, new RegExp(`MODE is ${mode}, and this database belongs`))
  }
})

test('the demo does not write to a live platform', async () => {
  await using sandbox = await openPlace()
  await using live = await openPlace()
  const [sandboxFolder, liveFolder] = [dataFolder(), dataFolder()]
  const sandbox_run = sandbox.run('sandbox', sandboxFolder)
  await sandbox_run.ready
  const { base_url } = sandboxIn(sandboxFolder)
  const demo = sandbox.run('live', sandboxFolder, ['apps/cli/bezant.mjs', 'demo'])
  assert.equal(await demo.ended, 1)
  assert.match(demo.errors().join(), /is a live platform: the demo writes to a sandbox only/)
  await endsWell(sandbox_run)

  // The address of the sandbox that ended is now that of a live platform.
  const PORT = new URL(base_url).port
  const real = launch({
    DATABASE_URL: live.url,
    MASTER_KEY,
    MODE: 'live',
    DATA_DIR: liveFolder,
    PORT,
  })
  await real.ready
  const late = sandbox.run('sandbox', sandboxFolder, ['apps/cli/bezant.mjs', 'demo'])
  assert.equal(await late.ended, 1)
  assert.match(late.errors().join(), /is a live platform: the demo writes to a sandbox only/)
  await endsWell(real)
})
