import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Expectations } from '../file/schema.ts'
import { assertHolds } from './expectations.ts'
import type { Done, State } from './state.ts'

// Expectations on the answer alone send no request to the platform.
const state = { variables: new Map(), messages: new Map() } as unknown as State

const holds = (expect: Expectations, done: Done) => assertHolds(expect, state, done, {})
const answer = (fields: Record<number, string>) => ({ mti: '0110', fields })

test('the same answer has the same fields, and no further one', async () => {
  const first = answer({ 11: '000001', 39: '00' })
  await holds({ same_answer: true }, { first, answer: answer({ 39: '00', 11: '000001' }) })
  for (const other of [{ 11: '000001' }, { 11: '000001', 39: '00', 38: '123456' }]) {
    await assert.rejects(holds({ same_answer: true }, { first, answer: answer(other) }))
    await holds({ same_answer: false }, { first, answer: answer(other) })
  }
})

test('an amount is a number or its text, and other text is no amount', async () => {
  const done = (minor: string) => ({
    exchange: { message: answer({}), currency: 'AED', amount: 0n },
    answer: answer({ 4: minor }),
  })
  await holds({ amount: '10.50' }, done('000000001050'))
  await holds({ amount: 10.5 }, done('000000001050'))
  for (const amount of ['', ' ', '0x0', 'none']) {
    await assert.rejects(holds({ amount }, done('000000000000')), /amount: expected ".*", was 0/)
  }
})
