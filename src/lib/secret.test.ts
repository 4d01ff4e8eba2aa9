import assert from 'node:assert/strict'
import { test } from 'node:test'
import { format, inspect } from 'node:util'
import { Secret } from './secret.ts'

const pan = '4000001234567899'

test('a secret shows stars however it is printed', () => {
  const secret = new Secret(pan)
  const held = { card: { secret }, list: [secret] }
  const prints = [
    `${secret}`,
    String(secret),
    JSON.stringify(held),
    inspect(held, { depth: 9, showHidden: true }),
    format('%s %o %O %j', secret, secret, held, held),
    inspect(new Error('no', { cause: secret })),
    JSON.stringify({ ...secret }),
  ]
  for (const print of prints) assert.ok(!print.includes(pan), print)
  assert.equal(`${secret}`, '****')
})

test('a secret of bytes shows neither its hex nor its numbers', () => {
  const secret = new Secret(Buffer.from('0123456789abcdef', 'hex'))
  assert.equal(JSON.stringify({ secret }), '{"secret":"****"}')
  assert.equal(inspect({ secret }), '{ secret: **** }')
})

test('revealing gives the value', () => {
  assert.equal(new Secret(pan).reveal(), pan)
})

test('what is made of a secret is a secret', () => {
  const made = new Secret(pan).map((digits) => digits.slice(-4))
  assert.equal(`${made}`, '****')
  assert.equal(made.reveal(), '7899')
})

test('secrets are equal when their bytes are', () => {
  assert.ok(new Secret(pan).equals(new Secret(pan)))
  assert.ok(new Secret(pan).equals(new Secret(Buffer.from(pan))))
  assert.ok(!new Secret(pan).equals(new Secret('4000001234567890')))
  assert.ok(!new Secret(pan).equals(new Secret('4')))
})
