import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openBucket } from '#test/support/services/bucket.ts'
import { openWorld } from '#test/support/world.ts'
import { type BlobStore, BlobStoreUnavailable, type Bytes, folderStore } from './blobs.ts'
import { bucketStore } from './bucket.ts'
import { putSealed, readSealed } from './sealed_blobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'bezant-blobs-'))
const bucket = await openBucket()
const world = await openWorld()
after(async () => {
  await world[Symbol.asyncDispose]()
  await bucket.close()
  rmSync(folder, { recursive: true, force: true })
})
const { keys } = world.services

const newKey = () => `${randomUUID()}/${randomUUID()}`
async function* inPieces(bytes: Buffer, length = 10_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}
async function allOf(bytes: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
const filesIn = (cwd: string) =>
  globSync('**/*', { cwd, withFileTypes: true }).filter((entry) => entry.isFile())

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
        assert.ok((await allOf(store.get(key, { start: 0, end: size }))).equals(bytes))
        const range = { start: Math.floor(size / 3), end: Math.floor(size / 2) }
        const part = await allOf(store.get(key, range))
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
      const reading = allOf(store.get(newKey(), { start: 0, end: 10 }))
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

describe('sealed blobs', () => {
  const store = folderStore(folder)

  for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072, 300_001]) {
    test(`${size} bytes come back in any range`, async () => {
      const bytes = randomBytes(size)
      const blob = await putSealed(store, keys, newKey(), inPieces(bytes, 40_000))
      assert.equal(blob.size, size)
      assert.ok((await allOf(readSealed(store, keys, blob))).equals(bytes))
      for (const [start, end] of [
        [0, 1],
        [65_535, 65_537],
        [65_536, 131_072],
        [size - 1, size],
      ] as const) {
        if (start < 0 || end > size) continue
        const part = await allOf(readSealed(store, keys, blob, { start, end }))
        assert.ok(part.equals(bytes.subarray(start, end)), `${start} to ${end}`)
      }
      await store.remove(blob.key)
    })
  }

  test('bytes that were changed, cut, swapped or moved are never read', async () => {
    const bytes = randomBytes(200_000)
    const blob = await putSealed(store, keys, newKey(), inPieces(bytes))
    const [entry] = filesIn(folder)
    assert.ok(entry)
    const path = join(entry.parentPath, entry.name)
    const sealed = readFileSync(path)
    assert.ok(!sealed.includes(bytes.subarray(0, 32)))
    const chunk = 65_536 + 16
    const changed = Buffer.from(sealed)
    changed.writeUInt8(sealed.readUInt8(70_000) ^ 1, 70_000)
    const broken = [
      changed,
      sealed.subarray(0, -1),
      sealed.subarray(0, chunk),
      sealed.subarray(0, 2 * chunk),
      Buffer.concat([
        sealed.subarray(chunk, 2 * chunk),
        sealed.subarray(0, chunk),
        sealed.subarray(2 * chunk),
      ]),
    ]
    for (const bad of broken) {
      writeFileSync(path, bad)
      await assert.rejects(allOf(readSealed(store, keys, blob)))
    }
    const other = { ...blob, key: newKey() }
    await assert.rejects(allOf(readSealed(store, keys, other)))
    await store.remove(blob.key)
  })
})
