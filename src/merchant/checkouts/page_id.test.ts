import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { newPageKey, pageId, placeOf, readPageQuery } from './page_id.ts'

test('a page id leads back to its tenant and key, and nothing else does', () => {
  const place = { tenant_id: newId(), page_key: newPageKey() }
  const id = pageId(place)
  assert.equal(id.length, 43)
  assert.deepEqual(placeOf(id), place)
  for (const other of ['', 'x', `${id}A`, id.slice(1), `${id.slice(0, -1)}!`]) {
    assert.equal(placeOf(other), undefined, other)
  }
})

describe('the address of a page', () => {
  const cases: [url: string, id: string, lang: string, card?: string][] = [
    ['/checkout?id=abc', 'abc', ''],
    ['/checkout?id=abc&lang=ar', 'abc', 'ar'],
    ['/checkout?id=abc/?lang=ar', 'abc', 'ar'],
    ['/checkout?id=abc?lang=en', 'abc', 'en'],
    ['/checkout/?id=abc/', 'abc', ''],
    ['/checkout?id=abc%2F%3Flang=ar', 'abc', 'ar'],
    ['/checkout?id=abc&lang=ar&card=slow', 'abc', 'ar', 'slow'],
    ['/checkout', '', ''],
  ]
  for (const [url, id, lang, card = ''] of cases) {
    test(`${url} is read`, () => assert.deepEqual(readPageQuery(url), { id, lang, card }))
  }
})
