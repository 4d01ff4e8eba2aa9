/** Bytes that no file owns, in a store that keeps some of them (D-933). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { databaseNowPlus } from '#kit/clock.ts'
import type { BlobStore } from '#kit/files/blobs.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import { fileSweeps } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

test('bytes that cannot be deleted hold up no others', async () => {
  const { id: tenant_id } = await world.otherTenant()
  const keys = Array.from({ length: 3 }, () => `${tenant_id}/${newId()}`)
  const rows = keys.map((blob_key, at) => ({
    tenant_id,
    blob_key,
    due: databaseNowPlus(at - 10_000),
  }))
  await world.db.insertInto('loose_blobs').values(rows).execute()
  const store: BlobStore = {
    put: () => assert.fail(),
    get: () => assert.fail(),
    async remove(key) {
      if (key === keys[0]) throw new Error('the object is locked')
    },
  }
  const [sweep] = fileSweeps({ store, scanner: undefined })
  assert.equal(sweep?.name, 'loose file bytes')
  const ctx = await world.ctx(tenant_id)
  const isDue = async () => (await sweep.dueTenants(world.db, FIRST_ID, 100)).includes(tenant_id)
  for (let round = 0; round < 3; round++) await sweep.run(ctx)
  const left = await world.db.selectFrom('loose_blobs').select('blob_key').execute()
  assert.deepEqual(left, [{ blob_key: keys[0] }])
  assert.equal(await isDue(), false)
})
