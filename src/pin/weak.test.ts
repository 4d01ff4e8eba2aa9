import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#lib/secret.ts'
import { isWeakPin } from './weak.ts'

const weak = `
  0000 9999 111111 1234 0123 4321 9876 7890 8901 0987 123456 654321 1212 6969 1122 7788 112233
  123123 1221 123321 1984 1999 2000 2024 2580 5683 0007 159753 2468`

for (const pin of weak.trim().split(/\s+/)) {
  test(`${pin} is weak`, () => assert.ok(isWeakPin(new Secret(pin))))
}

const fine = '4829 7291 8563 4769 8739 1601 3283 5403 2093 3019 8273 482915 730284 90543'

for (const pin of fine.split(' ')) {
  test(`${pin} is not weak`, () => assert.ok(!isWeakPin(new Secret(pin))))
}

test('rejecting weak PINs leaves more than 95 of 100 to choose from', () => {
  const all = Array.from({ length: 10_000 }, (_, pin) => String(pin).padStart(4, '0'))
  assert.ok(all.filter((pin) => isWeakPin(new Secret(pin))).length < 500)
})
