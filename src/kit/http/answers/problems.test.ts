/** Faults that the validator finds, in words for the sender of the request. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { AmountInput, createAjv, DateText, Instant, Nullable, Uuid } from '../schema.ts'
import { shapeFaults } from './problems.ts'

function messagesOf(schema: TSchema, value: unknown): string[] {
  const validate = createAjv(false).compile(Type.Object({ member: schema }))
  assert.equal(validate({ member: value }), false)
  return shapeFaults(validate.errors ?? []).map(({ path, message }) => `${path} ${message}`)
}

test('a value of the right type is not also of a wrong one', () => {
  assert.deepEqual(messagesOf(AmountInput, -5), ['member must be >= 0'])
  assert.deepEqual(messagesOf(Nullable(AmountInput), -5), ['member must be >= 0'])
  const long = 'member must NOT have more than 32 characters'
  assert.deepEqual(messagesOf(AmountInput, '1'.repeat(33)), [long])
})

test('a value of a wrong type has one fault with every type', () => {
  assert.deepEqual(messagesOf(AmountInput, true), ['member must be of type number or string'])
  const word = Type.Unsafe({ type: 'string', enum: ['A', 'B'] })
  const faults = ['member must be of type string', 'member must be one of A, B']
  assert.deepEqual(messagesOf(word, 1), faults)
})

test('a format is named by what it asks for', () => {
  assert.deepEqual(messagesOf(Uuid, '1'), ['member must be a UUID'])
  const email = Type.String({ format: 'email' })
  assert.deepEqual(messagesOf(email, 'none'), ['member must be an e-mail address'])
  const instant = 'member must be an instant such as 2026-01-31T09:00:00Z'
  assert.deepEqual(messagesOf(Instant, '2026-13-01'), [instant])
  const date =
    'member must be a date such as 2026-01-31, or an instant such as 2026-01-31T09:00:00Z'
  assert.deepEqual(messagesOf(DateText, '1990-13-01'), [date])
})
