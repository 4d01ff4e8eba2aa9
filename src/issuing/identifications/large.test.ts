/** Files of the largest size, at flat memory (reliability 53): npm run test:deep. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Length } from '#test/support/large_sender.ts'
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
    const papers = `/v1/users/${user.id}/identifications`
    const { body } = await world.request('POST', papers, { type: 'ADDITIONAL' })
    return `${papers}/${body.id}/files`
  }

  async function send(path: string, sizes: readonly number[], length: Length = 'told') {
    const words = [base + path, world.tenant.api_key, length, ...sizes.map(String)]
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['test/support/large_sender.ts', ...words])
    return Number(stdout)
  }

  test('five in a call pass at flat memory', async () => {
    const path = await filesOf()
    await send(path, [8 * MEBIBYTE])
    const before = process.memoryUsage.rss()
    let most = 0
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 10)
    const status = await send(path, FIVE)
    clearInterval(timer)
    assert.equal(status, 200)
    const growth = Math.round((most - before) / MEBIBYTE)
    assert.ok(most - before <= GROWTH_MAX, `grew by ${growth} MiB`)
    const { data } = (await world.request('GET', path)).body
    const sizes = data.map((row: { size: number }) => row.size)
    assert.deepEqual(sizes, [...FIVE, 8 * MEBIBYTE])
  })

  test('413 one byte more, with its length told or not', async () => {
    const path = await filesOf()
    assert.equal(await send(path, [LARGEST + 1]), 413)
    assert.equal(await send(path, [LARGEST + 1], 'untold'), 413)
    assert.equal(await send(path, [129 * MEBIBYTE], 'untold'), 413)
    assert.equal(await send(path, [LARGEST], 'untold'), 200)
  })
})
