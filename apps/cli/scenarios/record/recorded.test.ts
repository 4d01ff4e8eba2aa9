import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { isAnswer } from '#iso8583/mti.ts'
import { readOperations } from '../file/operations.ts'
import { parseScenario } from '../file/parse.ts'
import { type Recorded, type RecordedMessage, recordedScenario } from './recorded.ts'

type Values = Readonly<Record<number, string>>

function message(mti: string, values: Values, elements: readonly string[] = []): RecordedMessage {
  const fields = Object.entries(values).map(([number, value]) => ({
    number,
    value,
    masked: false,
    ...(number === '48' && {
      subfields: elements.map((id) => ({ number: id, value: '***', masked: true })),
    }),
  }))
  return { direction: isAnswer(mti) ? 'SENT' : 'RECEIVED', mti, fields }
}

const sale = {
  3: '000000',
  4: '000000008000',
  11: '000001',
  18: '5411',
  22: '812',
  25: '59',
  42: 'SHOP           ',
  43: 'Lulu                     Abu Dhabi    AE',
  49: '784',
}

const transaction = {
  id: 't1',
  status: 'PENDING',
  status_code: '0000',
  amount: 80,
  currency: 'AED',
  billing_currency: 'AED',
  billing_amount: 80,
  cleared_amount: 0,
  events: [{ status_code: '0000' }],
}

/** The steps of what is recorded, which must be a scenario. */
function stepsOf(...recorded: Recorded[]) {
  const text = recordedScenario(recorded)
  const parsed = parseScenario(text, readOperations())
  assert.ok(parsed.ok, JSON.stringify(parsed))
  return parse(text).steps
}

test('a sale becomes a message with its merchant, and what became of it', () => {
  const messages = [message('0100', sale), message('0110', { 11: '000001', 39: '00' })]
  assert.deepEqual(stepsOf({ transaction, messages }), [
    { cardholder: { funds: 160 } },
    {
      send: 'authorization',
      amount: 80,
      currency: 'AED',
      entry_mode: 'ECOMMERCE',
      merchant: { id: 'SHOP', name: 'Lulu', city: 'Abu Dhabi', country: 'AE', mcc: '5411' },
      as: 'first',
      expect: {
        response_code: '00',
        of: 'first',
        status_code: '0000',
        transaction: { status: 'PENDING', amount: 80, cleared_amount: 0 },
      },
    },
  ])
})

test('a decline for funds has an account without any', () => {
  const declined = { ...transaction, status: 'DECLINED', status_code: '1016', events: [] }
  const [cardholder] = stepsOf({ transaction: declined, messages: [message('0100', sale)] })
  assert.deepEqual(cardholder, { cardholder: {} })
})

test('a partial approval has an account with that part', () => {
  const part = { ...transaction, amount: 50, billing_amount: 50, status_code: '0002', events: [] }
  const messages = [message('0100', { ...sale, 48: '**' }, ['61'])]
  const [cardholder, send] = stepsOf({ transaction: part, messages })
  assert.deepEqual(cardholder.cardholder, { funds: 50, product: { partial_approval: true } })
  assert.deepEqual([send.amount, send.partial_approval], [80, true])
})

test('a CVV2 is right, or wrong where that declined', () => {
  const messages = [message('0100', { ...sale, 48: '**' }, ['92'])]
  const cvv2Of = (status_code: string) =>
    stepsOf({ transaction: { ...transaction, status_code }, messages })[1].cvv2
  assert.equal(cvv2Of('0000'), '${cvv2}')
  assert.equal(cvv2Of('1022'), '${wrong_cvv2}')
})

test('another currency has its rate', () => {
  const foreign = { ...transaction, currency: 'USD', billing_amount: 293.8, rate: '3.6725' }
  const [, rate] = stepsOf({ transaction: foreign, messages: [message('0100', sale)] })
  assert.deepEqual(rate.body.rates, [{ from: 'USD', to: 'AED', rate: '3.6725' }])
})

test('later messages name the first, and a repeat repeats it', () => {
  const partial = { 95: `${'6000'.padStart(12, '0')}${'0'.repeat(12)}C00000000C00000000` }
  const messages = [
    message('0100', sale),
    message('0101', sale),
    message('0100', { ...sale, 11: '000002' }),
    message('0400', { ...sale, ...partial, 11: '000003' }),
    message('0220', { ...sale, 11: '000004' }),
  ]
  const steps = stepsOf({ transaction, messages }).slice(1)
  assert.deepEqual(
    steps.map(({ send, repeat, of, amount }: Record<string, unknown>) => [
      send ?? repeat,
      of,
      amount,
    ]),
    [
      ['authorization', undefined, 80],
      ['first', undefined, undefined],
      ['increment', 'first', 80],
      ['reversal', 'first', 20],
      ['completion', 'first', 80],
    ],
  )
})

const original = (mti: string, stan: string) => `${mti}${stan}0612101530${'0'.repeat(22)}`
const sent = { ...sale, 7: '0612101530' }

test('a message names the one that it is about, and a repeat its own original', () => {
  const messages = [
    message('0100', sent),
    message('0110', { 11: '000001', 39: '91' }),
    message('0101', sent),
    message('0110', { 11: '000001', 39: '00' }),
    message('0220', { ...sent, 11: '000002' }),
    message('0230', { 11: '000002', 39: '00' }),
    message('0221', { ...sent, 11: '000002' }),
    message('0230', { 11: '000002', 39: '00' }),
    message('0400', { ...sent, 11: '000003', 90: original('0220', '000002') }),
  ]
  const steps = stepsOf({ transaction, messages }).slice(1)
  assert.partialDeepStrictEqual(steps, [
    { send: 'authorization', as: 'first', expect: { response_code: '91' } },
    { repeat: 'first', expect: { response_code: '00' } },
    { send: 'completion', of: 'first', as: 'first_3' },
    { repeat: 'first_3' },
    { send: 'reversal', of: 'first_3' },
  ])
})

test('a repeat whose original has never arrived is the message itself', () => {
  const steps = stepsOf({ transaction, messages: [message('0101', sent)] }).slice(1)
  assert.partialDeepStrictEqual(steps, [{ send: 'authorization', as: 'first' }])
})

test('a refund comes after the purchase to which it refers', () => {
  const refund = { ...transaction, id: 't2', reference_transaction_id: 't1' }
  const steps = stepsOf(
    { transaction, messages: [message('0200', sale)] },
    { transaction: refund, messages: [message('0200', { ...sale, 3: '200000' })] },
  )
  assert.partialDeepStrictEqual(steps.slice(1), [
    { send: 'purchase', as: 'first' },
    { send: 'refund', of: 'first', as: 'second' },
  ])
})
