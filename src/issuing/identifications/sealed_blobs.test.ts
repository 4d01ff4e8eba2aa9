/** Blobs under keys of their own: read whole and in ranges, and never when they were changed. */

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { folderStore } from '#kit/files/blobs.ts'
import { bytesOf, filesIn, inPieces } from '#test/support/services/blobs.ts'
import { openWorld } from '#test/support/world.ts'
import { putSealed, readSealed } from './sealed_blobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'bezant-sealed-'))
const world = await openWorld()
after(async () => {
  await world[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})
const { keys } = world.services

const newKey = () => `${randomUUID()}/${randomUUID()}`

describe('sealed blobs', () => {
  const store = folderStore(folder)

  for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072, 300_001]) {
    test(`${size} bytes come back in any range`, async () => {
      const bytes = randomBytes(size)
      const blob = await putSealed(store, keys, newKey(), inPieces(bytes, 40_000))
      assert.equal(blob.size, size)
      assert.ok((await bytesOf(readSealed(store, keys, blob))).equals(bytes))
      for (const [start, end] of [
        [0, 1],
        [65_535, 65_537],
        [65_536, 131_072],
        [size - 1, size],
      ] as const) {
        if (start < 0 || end > size) continue
        const part = await bytesOf(readSealed(store, keys, blob, { start, end }))
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
      await assert.rejects(bytesOf(readSealed(store, keys, blob)))
    }
    const other = { ...blob, key: newKey() }
    await assert.rejects(bytesOf(readSealed(store, keys, other)))
    await store.remove(blob.key)
  })
})
