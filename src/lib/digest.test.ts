import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { base62, hasChecksum, hmacSha256, isSameText, keyText, sha256Hex } from './digest.ts'

test('digests are those of the standards', () => {
  assert.equal(sha256Hex('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  // RFC 4231, test case 2.
  assert.equal(
    hmacSha256('Jefe', 'what do ya want for nothing?').toString('hex'),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  )
})

test('base 62 has one length for one number of bytes', () => {
  assert.equal(base62(Buffer.alloc(4)), '000000')
  assert.equal(base62(Buffer.from('ffffffff', 'hex')), '4gfFC3')
  assert.equal(base62(Buffer.from([61])), '0z')
  assert.equal(base62(Buffer.alloc(32, 255)).length, base62(Buffer.alloc(32)).length)
})

test('a key proves its own spelling, and a mistyped one does not', () => {
  const key = keyText('bzt_', randomBytes(32))
  assert.match(key, /^bzt_[0-9A-Za-z]{49}$/)
  assert.ok(hasChecksum(key))
  for (let at = 0; at < key.length; at += 1) {
    const other = key.charAt(at) === 'x' ? 'y' : 'x'
    assert.ok(!hasChecksum(key.slice(0, at) + other + key.slice(at + 1)))
  }
  for (const text of ['', 'x', '000000', 'ключ-ключ', 'x'.repeat(100_000)]) {
    assert.ok(!hasChecksum(text))
  }
})

test('texts are compared whole', () => {
  assert.ok(isSameText('abc', 'abc') && !isSameText('abc', 'abd') && !isSameText('abc', 'ab'))
})
