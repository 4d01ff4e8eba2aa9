/** One payment in three books: the differences, the messages under way, and the counts. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { comparePayment } from './compare.ts'
import type { Day } from './day.ts'
import type { IssuerTransaction, Message, Operation, Order, Payment } from './model.ts'
import { Totals } from './totals.ts'
import { unknownReference } from './unknown.ts'

const at = (time: string) => new Date(`2026-11-${time}Z`)
const noon = at('25T12:00:00.000')
const day: Day = { from: at('25T00:00:00.000'), to: at('26T00:00:00.000') }
const whose = { tenant_id: 'T' }

const order: Order = {
  id: 'O',
  merchant_id: 'M',
  reference: 'R',
  currency: 'AED',
  authorized: 10_000n,
  status: 'COMPLETED',
  released: false,
  created: noon,
}
const message = (id: string, mti: string, changes: Partial<Message> = {}): Message => ({
  id,
  mti,
  status: 'APPROVED',
  reverses: null,
  key: `key of ${id}`,
  amount: 10_000n,
  currency: 'AED',
  created: noon,
  modified: noon,
  ...changes,
})
const operation = (
  id: string,
  type: Operation['type'],
  changes: Partial<Operation> = {},
): Operation => ({
  id,
  type,
  status: 'SUCCESS',
  amount: 10_000n,
  currency: 'AED',
  message_id: `${id}m`,
  created: noon,
  ...changes,
})
const transaction = (
  id: string,
  type: IssuerTransaction['type'],
  changes: Partial<IssuerTransaction> = {},
): IssuerTransaction => ({
  ...whose,
  id,
  type,
  rrn: 'RRN',
  acceptor: 'A',
  key: 'key of a',
  status: 'SETTLED',
  currency: 'AED',
  authorized: 10_000n,
  amount: 10_000n,
  held: 0n,
  cleared_amount: 10_000n,
  posted_amount: 10_000n,
  postings: [{ id: `posting of ${id}`, amount: 10_000n, created: noon }],
  created: noon,
  ...changes,
})

/** Captured in full, and refunded in two parts. */
const payment: Payment = {
  ...whose,
  authorization_id: 'a',
  rrn: 'RRN',
  acceptor: 'A',
  order,
  is_elsewhere: false,
  operations: [
    operation('c', 'CAPTURE'),
    operation('r1', 'REFUND', { amount: 1_000n }),
    operation('r2', 'REFUND', { amount: 1_000n }),
  ],
  messages: [
    message('a', '0100'),
    message('cm', '0220'),
    message('r1m', '0200', { amount: 1_000n }),
    message('r2m', '0200', { amount: 1_000n }),
  ],
}
const refundOf = (id: string, key: string, amount = 1_000n) =>
  transaction(id, 'REFUND', {
    key: `key of ${key}`,
    amount,
    authorized: amount,
    cleared_amount: amount,
    posted_amount: amount,
    postings: [{ id: `posting of ${id}`, amount, created: noon }],
  })
const purchase = transaction('t', 'PURCHASE')
const issuer = [purchase, refundOf('t1', 'r1m'), refundOf('t2', 'r2m')]

type Books = { payment?: Partial<Payment>; issuer?: IssuerTransaction[] | undefined; day?: Day }

const compare = (books: Books = {}) =>
  comparePayment({
    payment: { ...payment, ...books.payment },
    issuer: 'issuer' in books ? books.issuer : issuer,
    merchant_id: 'M',
    day: books.day ?? day,
  })
const named = (books: Books) => {
  const { differences, open } = compare(books)
  return [
    ...differences.map(({ kind, entry }) => `${kind} ${entry}`),
    ...open.map(({ reason, entry }) => `${reason} ${entry}`),
  ]
}

/** Messages or operations with other values in one. */
const changed = <Row extends { id: string }>(
  rows: readonly Row[],
  id: string,
  values: Partial<Row>,
) => rows.map((row) => (row.id === id ? { ...row, ...values } : row))
const without = <Row extends { id: string }>(rows: readonly Row[], id: string) =>
  rows.filter((row) => row.id !== id)

const { messages, operations } = payment
const cases: [name: string, books: Books, found: string[]][] = [
  ['all three agree', {}, []],
  ['the issuer is elsewhere', { issuer: undefined }, []],
  [
    'the payment was declined everywhere',
    {
      payment: {
        order: undefined,
        operations: [],
        messages: [message('a', '0100', { status: 'DECLINED' })],
      },
      issuer: [],
    },
    [],
  ],
  [
    'the issuer lacks everything',
    { issuer: [] },
    [
      'missing_authorization AUTHORIZATION',
      'missing_capture CAPTURE',
      'missing_refund REFUND',
      'missing_refund REFUND',
    ],
  ],
  [
    'the orders lack the payment',
    { payment: { order: undefined, operations: [], messages: [message('a', '0100')] } },
    [
      'missing_authorization AUTHORIZATION',
      'missing_capture CAPTURE',
      'missing_refund REFUND',
      'missing_refund REFUND',
    ],
  ],
  [
    'the acquirer has the payment as declined',
    { payment: { messages: changed(messages, 'a', { status: 'DECLINED' }) } },
    ['missing_authorization AUTHORIZATION'],
  ],
  [
    'the issuer voided a payment that the acquirer has',
    {
      payment: {
        order: { ...order, status: 'OPENED' },
        operations: [],
        messages: [message('a', '0100')],
      },
      issuer: [
        transaction('t', 'PURCHASE', {
          status: 'VOIDED',
          cleared_amount: 0n,
          posted_amount: 0n,
          postings: [],
        }),
      ],
    },
    ['missing_authorization AUTHORIZATION'],
  ],
  [
    'the payment was released, and voided at the issuer',
    {
      payment: {
        order: { ...order, status: 'OPENED', released: true },
        operations: [],
        messages: [message('a', '0100'), message('x', '0420')],
      },
      issuer: [
        transaction('t', 'PURCHASE', {
          status: 'VOIDED',
          amount: 0n,
          cleared_amount: 0n,
          posted_amount: 0n,
          postings: [],
        }),
      ],
    },
    [],
  ],
  [
    'one of two equal refunds is missing at the issuer',
    { issuer: [purchase, refundOf('t2', 'r2m')] },
    ['missing_refund REFUND'],
  ],
  [
    'the issuer has a refund once more',
    { issuer: [...issuer, refundOf('t3', 'another')] },
    ['doubled_refund REFUND'],
  ],
  [
    'the issuer has a refund of another amount once more',
    { issuer: [...issuer, refundOf('t3', 'another', 1n)] },
    ['missing_refund REFUND'],
  ],
  [
    'the issuer authorized the payment twice',
    {
      issuer: [
        ...issuer,
        transaction('t9', 'PURCHASE', {
          key: 'another',
          postings: [],
          cleared_amount: 0n,
          posted_amount: 0n,
        }),
      ],
    },
    ['doubled_authorization AUTHORIZATION'],
  ],
  [
    'a refund has another amount at the acquirer',
    { payment: { messages: changed(messages, 'r1m', { amount: 1_001n }) } },
    ['other_amount REFUND'],
  ],
  [
    'a capture has another currency at the acquirer',
    { payment: { messages: changed(messages, 'cm', { currency: 'USD' }) } },
    ['other_currency CAPTURE'],
  ],
  [
    'a capture has another day at the orders',
    { payment: { operations: changed(operations, 'c', { created: at('24T12:00:00.000') }) } },
    ['other_day CAPTURE'],
  ],
  [
    'a message was under way at midnight',
    {
      payment: {
        messages: changed(messages, 'cm', {
          created: at('25T23:59:59.000'),
          modified: at('26T00:20:00.000'),
        }),
        operations: changed(operations, 'c', { created: at('25T23:59:59.000') }),
      },
      issuer: [
        { ...purchase, postings: [{ id: 'p', amount: 10_000n, created: at('26T00:20:01.000') }] },
        ...issuer.slice(1),
      ],
    },
    ['over_midnight CAPTURE'],
  ],
  [
    'an advice is not answered, and the issuer has it',
    {
      payment: {
        messages: changed(messages, 'cm', { status: 'PENDING' }),
        operations: changed(operations, 'c', { status: 'PENDING' }),
      },
    },
    ['unanswered CAPTURE'],
  ],
  [
    'a refund is being reversed, and the issuer has it',
    {
      payment: {
        messages: changed(messages, 'r1m', { status: 'REVERSING' }),
        operations: changed(operations, 'r1', { status: 'PENDING' }),
      },
    },
    ['reversing REFUND'],
  ],
  [
    'a refund was reversed',
    {
      payment: {
        messages: changed(messages, 'r1m', { status: 'REVERSED' }),
        operations: changed(operations, 'r1', { status: 'FAILURE' }),
      },
      issuer: [purchase, refundOf('t2', 'r2m')],
    },
    [],
  ],
  [
    'a refund was reversed, and not at the issuer',
    {
      payment: {
        messages: changed(messages, 'r1m', { status: 'REVERSED' }),
        operations: changed(operations, 'r1', { status: 'FAILURE' }),
      },
    },
    ['missing_reversal REFUND'],
  ],
  [
    'a capture has no message',
    { payment: { messages: without(messages, 'cm') } },
    ['missing_capture CAPTURE'],
  ],
  [
    'the payment is over and held',
    { issuer: [{ ...purchase, held: 1n }, ...issuer.slice(1)] },
    ['hold_remains AUTHORIZATION'],
  ],
  [
    'the payment is held while its release is under way',
    {
      payment: { messages: [...messages, message('x', '0420', { status: 'PENDING' })] },
      issuer: [{ ...purchase, held: 1n }, ...issuer.slice(1)],
    },
    [],
  ],
  [
    'the ledger moved less than the transaction has cleared',
    { issuer: [{ ...purchase, cleared_amount: 10_001n }, ...issuer.slice(1)] },
    ['ledger_differs CAPTURE'],
  ],
]

describe('a payment, where', () => {
  for (const [name, books, found] of cases) {
    test(name, () => {
      assert.deepEqual(named(books), found)
    })
  }
})

describe('the entries of a day', () => {
  test('are counted in each book that has them then', () => {
    const totals = new Totals()
    const { counted } = compare({
      payment: { operations: changed(operations, 'c', { created: at('24T12:00:00.000') }) },
    })
    totals.add(counted)
    const sums = totals.books().map(({ book, CAPTURE, REFUND }) => [book, CAPTURE, REFUND.count])
    assert.deepEqual(sums, [
      ['ORDERS', { count: 0, amount: 0n }, 2],
      ['ACQUIRER', { count: 1, amount: 10_000n }, 2],
      ['ISSUER', { count: 1, amount: 10_000n }, 2],
    ])
  })

  test('are compared with those of other days, of which none is named', () => {
    const later = { from: day.to, to: at('27T00:00:00.000') }
    assert.deepEqual(named({ issuer: [], day: later }), [])
    assert.deepEqual(compare({ day: later }).counted, [])
  })

  test('are described by what each book has', () => {
    const { differences } = compare({
      payment: { messages: changed(messages, 'r1m', { amount: 1_001n }) },
    })
    const [{ detail, order_id, rrn, sides } = assert.fail()] = differences
    assert.equal(
      detail,
      'The refund is 10.00 AED in the orders, and 10.01 AED in the messages of the acquirer.',
    )
    assert.deepEqual({ order_id, rrn }, { order_id: 'O', rrn: 'RRN' })
    assert.deepEqual(
      Object.entries(sides).map(([book, { id, amount }]) => [book, id, amount]),
      [
        ['ORDERS', 'r1', 1_000n],
        ['ACQUIRER', 'r1m', 1_001n],
        ['ISSUER', 't1', 1_000n],
      ],
    )
  })
})

test('a reference that no message has is one difference, and counts at the issuer', () => {
  const { differences, counted } = unknownReference(purchase, undefined, day)
  assert.deepEqual(
    differences.map(({ kind, detail }) => [kind, detail]),
    [
      [
        'unknown_reference',
        'The issuer has a payment of 100.00 AED with the retrieval reference RRN, which no message ' +
          'of the acquirer has.',
      ],
    ],
  )
  assert.deepEqual(
    counted.map(({ entry, acceptor }) => [entry, acceptor]),
    [
      ['CAPTURE', 'A'],
      ['AUTHORIZATION', 'A'],
    ],
  )
})
