import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { bytesOf, filesIn, inPieces } from '#test/support/services/blobs.ts'
import { openBucket } from '#test/support/services/bucket.ts'
import { type BlobStore, BlobStoreUnavailable, folderStore } from './blobs.ts'
import { bucketStore } from './bucket.ts'

const folder = mkdtempSync(join(tmpdir(), 'bezant-blobs-'))
const bucket = await openBucket()
after(async () => {
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})

const newKey = () => `${randomUUID()}/${randomUUID()}`

const stores: [name: string, store: BlobStore, place: string][] = [
  ['a folder', folderStore(folder), folder],
  ['a bucket', bucketStore({ ...bucket, region: 'us-east-1' }), bucket.folder],
]

for (const [name, store, place] of stores) {
  describe(`blobs in ${name}`, () => {
    for (const size of [0, 1, 20_000, 9 * 1024 * 1024, 17 * 1024 * 1024]) {
      test(`${size} bytes come back, whole and in ranges, and go`, async () => {
        const [key, bytes] = [newKey(), randomBytes(size)]
        await store.put(key, inPieces(bytes, 100_000))
        assert.ok((await bytesOf(store.get(key, { start: 0, end: size }))).equals(bytes))
        const range = { start: Math.floor(size / 3), end: Math.floor(size / 2) }
        const part = await bytesOf(store.get(key, range))
        assert.ok(part.equals(bytes.subarray(range.start, range.end)))
        await store.remove(key)
        await store.remove(key)
        assert.deepEqual(filesIn(place), [])
      })
    }

    test('a source that fails leaves nothing, and its error is thrown', async () => {
      for (const before of [1000, 10 * 1024 * 1024]) {
        const source = async function* () {
          yield* inPieces(randomBytes(before), 500_000)
          throw new Error('broken off')
        }
        await assert.rejects(store.put(newKey(), source()), { message: 'broken off' })
      }
      assert.deepEqual(
        filesIn(place).filter(({ name }) => !/upload|part/.test(name)),
        [],
      )
    })

    test('bytes that are gone are the store’s fault', async () => {
      const reading = bytesOf(store.get(newKey(), { start: 0, end: 10 }))
      await assert.rejects(reading, BlobStoreUnavailable)
    })
  })
}

test('a folder keeps no half of a blob, also when it was cut off by a crash', async () => {
  const [store, key] = [folderStore(folder), newKey()]
  await store.put(key, inPieces(randomBytes(10)))
  const [entry] = filesIn(folder)
  assert.ok(entry)
  writeFileSync(join(entry.parentPath, `${entry.name}.part`), 'half')
  await store.remove(key)
  assert.deepEqual(filesIn(folder), [])
  await assert.rejects(store.put('../outside', inPieces(Buffer.alloc(1))), /not the key/)
})

test('a folder that cannot be written is an outage', async () => {
  writeFileSync(join(folder, 'file'), '')
  const store = folderStore(join(folder, 'file'))
  await assert.rejects(store.put(newKey(), inPieces(Buffer.alloc(1))), BlobStoreUnavailable)
  rmSync(join(folder, 'file'))
})
