import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newId } from './id.ts'
import { decodeCursor, encodeCursor, type PageKey, pageOf } from './paging.ts'

const id = newId()

test('a cursor keeps microseconds, in the spelling of ISO 8601 and of PostgreSQL', () => {
  for (const created of ['2026-11-21T10:20:30.123456Z', '2026-11-21 10:20:30.123456+00']) {
    const cursor = encodeCursor('cards', { created, id })
    assert.match(cursor, /^[\w-]{1,128}$/)
    assert.deepEqual(decodeCursor('cards', cursor), { created, id })
  }
})

const written = (text: string) => Buffer.from(text).toString('base64url')

const WHOLE = encodeCursor('cards', { created: '2026-11-21T10:20:30Z', id })
const [, , MARK] = Buffer.from(WHOLE, 'base64url').toString().split('|')

const garbage = [
  '',
  'x',
  'null',
  id,
  written(id),
  written(`2026-11-21T10:20:30Z|${id}`),
  written(`2026-11-21T10:20:30Z|${id}|`),
  written(`2026-11-21T10:20:30Z|${id}|${MARK}|`),
  written(`2026-02-30T10:20:30Z|${id}|${MARK}`),
  written(`2026-11-21T25:20:30Z|${id}|${MARK}`),
  written(`2026-11-21|${id}|${MARK}`),
  written(`'; drop table cards; --|${id}|${MARK}`),
  written(`2026-11-21T10:20:30Z|x|${MARK}`),
  `${WHOLE}=`,
  `${WHOLE}\n`,
  'A'.repeat(100_000),
]

for (const text of garbage) {
  test(`garbage is no cursor: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.equal(decodeCursor('cards', text), undefined)
  })
}

test('a cursor belongs to its list', () => {
  assert.ok(decodeCursor('cards', WHOLE))
  assert.equal(decodeCursor('users', WHOLE), undefined)
})

test('no text makes the reading of a cursor throw', () => {
  fc.assert(fc.property(fc.string(), (text) => decodeCursor('cards', text) === undefined))
  fc.assert(fc.property(fc.base64String(), (text) => decodeCursor('cards', text) === undefined))
})

test('a key that could not be read back is not written', () => {
  assert.throws(() => encodeCursor('cards', { created: 'yesterday', id }), TypeError)
  assert.throws(
    () => encodeCursor('cards', { created: '2026-11-21T10:20:30Z', id: 'x' }),
    TypeError,
  )
})

const rows: PageKey[] = [3, 2, 1].map((second) => ({
  created: `2026-11-21T10:20:0${second}Z`,
  id: newId(),
}))
const keyOf = (row: PageKey) => row

test('a page with more after it has `has_more` and points at its last row', () => {
  const page = pageOf('cards', rows, 2, keyOf)
  assert.deepEqual(page.data, rows.slice(0, 2))
  assert.ok(page.has_more)
  assert.deepEqual(decodeCursor('cards', page.after ?? ''), rows[1])
})

test('the last page has a cursor and no more, an empty one has neither', () => {
  const page = pageOf('cards', rows, 3, keyOf)
  assert.ok(!page.has_more)
  assert.deepEqual(decodeCursor('cards', page.after ?? ''), rows[2])
  assert.deepEqual(pageOf('cards', [], 3, keyOf), { data: [], has_more: false })
})
