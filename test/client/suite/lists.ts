import assert from 'node:assert/strict'
import { List, type Page } from '#client/core/lists.ts'
import { test } from './harness.ts'

/** Three pages, and the cursors that were asked for. */
function open(last: Partial<Page<number>> = {}) {
  const asked: (string | undefined)[] = []
  const pages: Record<string, Page<number>> = {
    '': { data: [1, 2], after: 'a', has_more: true },
    a: { data: [], after: 'b', has_more: true },
    b: { data: [3], has_more: false, ...last },
  }
  const list = new List(async (after) => {
    asked.push(after)
    const page = pages[after ?? '']
    if (!page) throw new Error(`no page ${after}`)
    return page
  })
  return { list, asked }
}

test('for await goes through the objects of all pages, one page at a time', async () => {
  const { list, asked } = open()
  const seen: number[] = []
  for await (const item of list) {
    seen.push(item)
    if (item === 1) assert.deepEqual(asked, [undefined])
  }
  assert.deepEqual(seen, [1, 2, 3])
  assert.deepEqual(asked, [undefined, 'a', 'b'])
})

test('a loop that is left asks for no further page', async () => {
  const { list, asked } = open()
  for await (const item of list) if (item === 2) break
  assert.deepEqual(asked, [undefined])
})

test('await gives the first page, and asks for it once', async () => {
  const { list, asked } = open()
  assert.deepEqual(await list, { data: [1, 2], after: 'a', has_more: true })
  assert.equal((await list).data.length, 2)
  assert.deepEqual(asked, [undefined])
})

test('nothing is asked for before the list is used', () => {
  assert.deepEqual(open().asked, [])
})

test('a page without a cursor, or with the one before it, ends the list', async () => {
  for (const last of [{ has_more: true }, { has_more: true, after: 'b' }]) {
    const { list, asked } = open(last)
    assert.deepEqual(await list.all({ limit: 10 }), [1, 2, 3])
    assert.equal(asked.length, 3)
  }
})

test('all gives at most as many objects as its limit', async () => {
  for (const [limit, items] of [
    [0, []],
    [1, [1]],
    [2, [1, 2]],
  ] as const) {
    const { list, asked } = open()
    assert.deepEqual(await list.all({ limit }), items)
    assert.equal(asked.length, Math.min(limit, 1))
  }
})

test('an error of a page is thrown to who awaits it', async () => {
  const list = new List<number>(() => Promise.reject(new Error('gone')))
  await assert.rejects(async () => await list, { message: 'gone' })
  await assert.rejects(list.all({ limit: 1 }), { message: 'gone' })
})
