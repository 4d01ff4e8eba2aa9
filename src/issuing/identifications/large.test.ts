/** Files of the largest size, at flat memory: npm run test:deep. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { after, before, describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import type { Length } from '#test/support/processes/large_sender.ts'
import { openWorld, type World } from '#test/support/world.ts'

const MEBIBYTE = 1024 * 1024
const LARGEST = 128 * MEBIBYTE
const GROWTH_MAX = 64 * MEBIBYTE
const FIVE = [LARGEST, LARGEST, LARGEST, LARGEST, LARGEST]

describe('files of 128 MiB', { skip: !process.env['TEST_DEEP'] }, () => {
  let world: World
  let base: string
  before(async () => {
    world = await openWorld()
    base = await world.app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(() => world[Symbol.asyncDispose]())

  async function filesOf(): Promise<string> {
    const { body: user } = await world.request('POST', '/v1/users', { first_name: 'Omar' })
    const documents = `/v1/users/${user.id}/identifications`
    const { body } = await world.request('POST', documents, { type: 'ADDITIONAL' })
    return `${documents}/${body.id}/files`
  }

  async function send(path: string, sizes: readonly number[], length: Length = 'declared') {
    const words = [base + path, world.tenant.api_key, length, ...sizes.map(String)]
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, [
      'test/support/processes/large_sender.ts',
      ...words,
    ])
    return Number(stdout)
  }

  test('five in a call pass at flat memory', async (t) => {
    const path = await filesOf()
    await send(path, [8 * MEBIBYTE])
    const grown = watchMemory()
    assert.equal(await send(path, FIVE), 200)
    assertFlat(grown(), t)
    const { data } = (await world.request('GET', path)).body
    const sizes = data.map((row: { size: number }) => row.size)
    assert.deepEqual(sizes, [...FIVE, 8 * MEBIBYTE])
  })

  test('five calls at once pass at flat memory', async (t) => {
    const paths = await Promise.all(FIVE.map(() => filesOf()))
    const grown = watchMemory()
    const statuses = await Promise.all(paths.map((path) => send(path, [LARGEST])))
    assert.deepEqual(
      statuses,
      FIVE.map(() => 200),
    )
    assertFlat(grown(), t)
  })

  test('413 one byte more, with or without its length; 400 with a false one', async () => {
    const path = await filesOf()
    for (const size of [LARGEST + 1, 129 * MEBIBYTE]) {
      assert.equal(await send(path, [size], 'declared'), 413)
      assert.equal(await send(path, [size], 'undeclared'), 413)
      assert.equal(await send(path, [size], 'false'), 400)
    }
    assert.equal(await send(path, [LARGEST], 'undeclared'), 200)
    assert.equal((await world.request('GET', path)).body.data.length, 1)
  })

  test('a rejected file leaves nothing', async () => {
    const rows = await world.db
      .selectFrom('identification_files')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .executeTakeFirstOrThrow()
    const entries = globSync('files/**/*', { cwd: world.config.data_dir, withFileTypes: true })
    assert.equal(BigInt(entries.filter((entry) => entry.isFile()).length), rows.count)
    assert.deepEqual(await world.db.selectFrom('loose_blobs').selectAll().execute(), [])
  })
})

/** Answers by how many bytes this process was larger at most. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 10)
  return () => {
    clearInterval(timer)
    return most - before
  }
}

function assertFlat(bytes: number, t: TestContext): void {
  const reported = `grew by ${Math.round(bytes / MEBIBYTE)} MiB`
  t.diagnostic(reported)
  assert.ok(bytes <= GROWTH_MAX, reported)
}
