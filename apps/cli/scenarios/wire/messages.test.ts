import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from '#iso8583/message.ts'
import { parseOriginal, parseReplacement } from '#iso8583/original.ts'
import { messageKinds } from '../file/schema.ts'
import { StepFault } from '../run/step_fault.ts'
import { makeMessage, repeatOf } from './messages.ts'

const counter = () => ({ stan: 0, now: new Date('2030-06-12T10:15:30.000Z') })
const card = { card_number: '5200000000000007', currency: 'AED' }

test('every kind of message can be written, with a trace number of its own', () => {
  const count = counter()
  const original = makeMessage({ ...card, send: 'authorization', amount: 10 }, count)
  const traces = messageKinds.map((send) => {
    const { message } = makeMessage({ ...card, send, amount: 10, original }, count)
    assert.ok(encode(message, 'ascii').length > 100, send)
    return message.fields[11]
  })
  assert.equal(new Set(traces).size, messageKinds.length)
})

test('amounts are minor units of the currency', () => {
  const of = (currency: string, amount: number | string) =>
    makeMessage({ ...card, currency, send: 'purchase', amount }, counter()).message.fields[4]
  assert.equal(of('AED', '10.50'), '000000001050')
  assert.equal(of('JPY', 10), '000000000010')
  assert.equal(of('KWD', 1.005), '000000001005')
})

test('a partial reversal names its original and what remains of it', () => {
  const count = counter()
  const original = makeMessage({ ...card, send: 'authorization', amount: 100 }, count)
  const { fields } = makeMessage({ ...card, send: 'reversal', amount: 40, original }, count).message
  assert.partialDeepStrictEqual(parseOriginal(fields[90] ?? ''), {
    mti: '0100',
    stan: '000001',
    transmitted: '0612101530',
  })
  assert.equal(parseReplacement(fields[95] ?? '')?.actual, 6000n)
  assert.equal(fields[37], original.message.fields[37])
})

test('a repeat differs in its type alone', () => {
  const exchange = makeMessage({ ...card, send: 'completion', amount: 1 }, counter())
  const repeat = repeatOf(exchange)
  assert.equal(repeat.mti, '0221')
  assert.deepEqual(repeat.fields, exchange.message.fields)
})

test('a field may be replaced or removed', () => {
  const fields = { 22: null, 25: '08' }
  const { message } = makeMessage({ ...card, send: 'purchase', amount: 1, fields }, counter())
  assert.equal(message.fields[22], undefined)
  assert.equal(message.fields[25], '08')
})

test('a value that no message has is a fault of its member', () => {
  const cases = [
    [{ amount: -1 }, ['amount']],
    [{ amount: '1.005' }, ['amount']],
    [{ currency: 'AAA', amount: 1 }, ['currency']],
    [{}, ['send']],
  ] as const
  for (const [given, path] of cases) {
    assert.throws(
      () => makeMessage({ ...card, send: 'purchase', ...given }, counter()),
      (error) => error instanceof StepFault && String(error.path) === String(path),
    )
  }
})
