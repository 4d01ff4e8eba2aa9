import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { encodeCursor } from '#lib/paging.ts'
import { listPage, type PageRange } from './lists.ts'

const key = { created: '2026-11-21T10:20:30.123456Z', id: newId() }
const row = { id: newId(), created: new Date('2026-11-21T10:20:30.123Z') }

/** The range that the store gets for a query, and the page of the rows that it returns. */
async function paged<Row extends typeof row>(
  query: { limit?: number; after?: string },
  rows: readonly Row[],
) {
  const ranges: PageRange[] = []
  const page = await listPage('cards', query, async (range) => {
    ranges.push(range)
    return rows
  })
  return { page, range: ranges[0] }
}

test('a list without a query begins at its newest row and has at most 50', async () => {
  const { page, range } = await paged(
    {},
    Array.from({ length: 51 }, () => row),
  )
  assert.deepEqual(range, { limit: 51, after: undefined })
  assert.equal(page.data.length, 50)
  assert.ok(page.has_more)
})

test('a page begins after the row of its cursor, to the microsecond', async () => {
  const { range } = await paged({ limit: 2, after: encodeCursor('cards', key) }, [])
  assert.deepEqual(range, { limit: 3, after: key })
})

test('a cursor has the milliseconds of a row, or the text of the database', async () => {
  const { page } = await paged({}, [row])
  assert.equal(
    page.after,
    encodeCursor('cards', { id: row.id, created: row.created.toISOString() }),
  )
  const exact = await paged({}, [{ ...row, created_text: key.created }])
  assert.equal(exact.page.after, encodeCursor('cards', { id: row.id, created: key.created }))
})

test('an invalid cursor fails on its member before anything is read', async () => {
  const read = () => assert.fail('the store was read')
  const errorOn = (path: string) => ({
    code: 'cursor_invalid',
    errors: [{ path, message: 'is not a cursor of this list' }],
  })
  await assert.rejects(listPage('cards', { after: 'x' }, read), errorOn('after'))
  const other = encodeCursor('users', key)
  await assert.rejects(listPage('cards', { after: other }, read), errorOn('after'))
  const inBody = listPage('cards', { after: 'x' }, read, undefined, 'cursors.after')
  await assert.rejects(inBody, errorOn('cursors.after'))
})
