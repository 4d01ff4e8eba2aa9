import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { keptBody, placeIn, shownHeaders, tokenOf } from './rules.ts'

test('a token is the place that it was made of, and no other text is one', () => {
  const place = { tenant_id: newId(), id: newId() }
  const token = tokenOf(place)
  assert.match(token, /^[\w-]{43}$/)
  assert.deepEqual(placeIn(token), place)
  for (const text of [
    '',
    'x',
    `${token}A`,
    token.slice(1),
    `${token}=`,
    '../cards',
    'é'.repeat(43),
  ]) {
    assert.equal(placeIn(text), undefined, text)
  }
})

test('headers of the transport and of the signature are shown; others may be credentials', () => {
  const raw = ['Host', 'a', 'Authorization', 'Basic x', 'webhook-id', '1', 'X-Key', 'secret']
  assert.deepEqual(shownHeaders(raw), [
    { name: 'host', value: 'a' },
    { name: 'authorization', value: '***' },
    { name: 'webhook-id', value: '1' },
    { name: 'x-key', value: '***' },
  ])
  assert.equal(shownHeaders(['user-agent', 'x'.repeat(5000)])[0]?.value.length, 1000)
  assert.equal(shownHeaders(Array.from({ length: 400 }, () => 'a')).length, 50)
})

test('a body is kept to 32 KiB of text that the database can hold', () => {
  assert.equal(keptBody(Buffer.from('{"a": 1}')), '{"a": 1}')
  assert.equal(keptBody(Buffer.from('a\u0000b')), 'a\ufffdb')
  for (const bytes of [Buffer.alloc(40_000, 'x'), Buffer.from(`x${'é'.repeat(20_000)}`)]) {
    const text = keptBody(bytes)
    assert.ok(Buffer.byteLength(text) > 32_700 && Buffer.byteLength(text) <= 32_768)
  }
})
