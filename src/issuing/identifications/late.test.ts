/**
 * An upload that is so slow that its first bytes were deleted meanwhile, 408, or its identification
 * became one of another type, 400: nothing stays.
 */

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { form, pdf } from '#test/support/files.ts'
import { people } from '#test/support/people.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
world.sweeper.start()
after(() => world[Symbol.asyncDispose]())
const they = people(world, world.tenant)

const looseCount = async () =>
  (await world.db.selectFrom('loose_blobs').select('blob_key').execute()).length
const filesStored = () =>
  globSync('files/**/*', { cwd: world.config.data_dir, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )

const file = (value: Buffer) => ({ name: 'files', value, file_name: 'a.pdf' })
const LAST_BYTES = 1000

for (const method of ['PUT', 'POST']) {
  test(`408 to a ${method} whose first file was given up before the second had come`, async () => {
    const { id: user_id } = await they.create()
    const { id } = await they.addIdentification(user_id, { type: 'ADDITIONAL' })
    const path = `/v1/users/${user_id}/identifications/${id}/files`
    const { headers, payload } = form(file(pdf()), file(pdf(Buffer.alloc(200_000))))
    const slowly = async function* () {
      yield payload.subarray(0, payload.length - LAST_BYTES)
      await until('the second file comes', async () => (await looseCount()) === 2)
      await giveUpFirst()
      yield payload.subarray(payload.length - LAST_BYTES)
    }
    const answer = await world.request(method, path, Readable.from(slowly()), { headers })
    assert.deepEqual([answer.status, answer.body.code], [408, 'request_timeout'], answer.text)
    assert.deepEqual((await world.request('GET', path)).body.data, [])
    assert.deepEqual(filesStored(), [])
    assert.equal(await looseCount(), 0)
  })
}

test('400 to a file whose identification became a bank statement while it came', async () => {
  const { id: user_id } = await they.create()
  const { id } = await they.addIdentification(user_id, { type: 'ADDITIONAL' })
  const document = `/v1/users/${user_id}/identifications/${id}`
  const { headers, payload } = form({ ...file(pdf(Buffer.alloc(200_000))), name: 'file' })
  const slowly = async function* () {
    yield payload.subarray(0, payload.length - LAST_BYTES)
    await until('the file comes', async () => (await looseCount()) === 1)
    const changed = await world.request('PUT', document, { type: 'BANK_STATEMENT' })
    assert.equal(changed.status, 200, changed.text)
    yield payload.subarray(payload.length - LAST_BYTES)
  }
  const answer = await world.request('PUT', `${document}/files`, Readable.from(slowly()), {
    headers,
  })
  assert.equal(answer.status, 400, answer.text)
  assert.equal(answer.body.errors[0].path, 'identification_type')
  assert.deepEqual((await world.request('GET', `${document}/files`)).body.data, [])
  assert.equal(await looseCount(), 0)
})

/** As an hour does it. */
async function giveUpFirst(): Promise<void> {
  const first = world.db.selectFrom('loose_blobs').select((row) => row.fn.min('due').as('due'))
  await world.db
    .updateTable('loose_blobs')
    .set({ due: new Date(0) })
    .where('due', '=', first)
    .execute()
  await until('the first is given up', async () => (await looseCount()) === 1)
}
