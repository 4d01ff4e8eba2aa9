import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

const PUMP = { id: 'PUMP1', name: 'Pump', mcc: '5542' }

/** A hold of 400 at a pump; `now` is what came of all messages so far. */
function open(merchant = PUMP, currency = 'AED') {
  const desk = new Desk()
  const { id } = desk.addAccount(10_000n)
  desk.rates.set('USD|AED', '3')
  const card = desk.addCard(id)
  const first = purchase(card, 400n, { merchant, currency })
  const now = () => ({ held: desk.account(id).held, posted: 10_000n - desk.account(id).balance })
  return { desk, card, first, now }
}

const adviceOf = (first: TestMessage, amount: bigint, fields: Partial<TestMessage> = {}) =>
  about(first, {
    message_type: '0120',
    amount,
    advised_approval: { approved: true, approval_code: 'FUEL01' },
    ...fields,
  })
const presented = (first: TestMessage, amount: bigint) =>
  about(first, { message_type: '0220', amount, original: { rrn: first.rrn ?? '' } })

describe('an approved advice of a fuel pump that names its request replaces the hold', () => {
  const amounts = [0n, 1n, 70n, 400n, 900n]
  for (const amount of amounts) {
    test(`by ${amount} of 400`, () => {
      const { desk, first, now } = open()
      const answer = desk.ask(first)
      desk.ask(adviceOf(first, amount))
      assert.deepEqual(now(), { held: amount, posted: 0n })
      assert.equal(desk.row(answer).status, amount === 0n ? 'VOIDED' : 'PENDING')
      if (amount > 0n) assert.equal(desk.row(answer).amount, amount)
    })
  }

  test('by nothing, and the request is not approved again by its repeat', () => {
    const { desk, first } = open()
    desk.ask(first)
    desk.ask(adviceOf(first, 0n))
    assert.partialDeepStrictEqual(desk.ask(first), { approved: false, status_code: '1894' })
  })

  test('in another currency by its part', () => {
    const { desk, first, now } = open(PUMP, 'USD')
    desk.ask(first)
    assert.equal(now().held, 1_200n)
    desk.ask(adviceOf(first, 70n))
    assert.equal(now().held, 210n)
  })

  for (const order of ['after', 'before'] as const) {
    test(`by nothing in a currency without a rate, ${order} its request`, () => {
      const { desk, first, now } = open(PUMP, 'SEK')
      const billed = (amount: bigint) => ({ amount, currency: 'AED', rate: '5' })
      const request = { ...first, billed: billed(2_000n) }
      const advice = adviceOf(first, 0n, { billed: billed(0n) })
      const [one, other] = order === 'after' ? [request, advice] : [advice, request]
      desk.ask(one)
      desk.ask(other)
      assert.deepEqual(now(), { held: 0n, posted: 0n })
    })
  }

  for (const [amount, billed] of [
    [70n, 215n],
    [500n, 1_511n],
  ] as const) {
    test(`in another currency by what the scheme bills for ${amount} (D-1034)`, () => {
      const { desk, first, now } = open(PUMP, 'USD')
      desk.ask({ ...first, billed: { amount: 1_200n, currency: 'AED' } })
      assert.equal(now().held, 1_200n)
      desk.ask(adviceOf(first, amount, { billed: { amount: billed, currency: 'AED' } }))
      assert.equal(now().held, billed)
      const claim = presented(first, amount)
      desk.ask({ ...claim, billed: { amount: billed, currency: 'AED' } })
      assert.deepEqual(now(), { held: 0n, posted: billed })
    })
  }

  test('by its retrieval reference alone too', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    desk.ask(adviceOf(first, 70n, { original: { rrn: first.rrn ?? '' } }))
    assert.equal(now().held, 70n)
  })

  test('under another retrieval reference, by DE90', () => {
    const { desk, card, first, now } = open()
    desk.ask(first)
    const other = purchase(card, 70n, { message_type: '0120', merchant: PUMP })
    const original = { message_key: nameOf(first), rrn: other.rrn ?? '' }
    const advised_approval = { approved: true, approval_code: 'FUEL01' }
    desk.ask({ ...other, original, advised_approval })
    assert.equal(now().held, 70n)
  })

  test('the last of several counts', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    for (const amount of [70n, 65n, 80n]) desk.ask(adviceOf(first, amount))
    assert.equal(now().held, 80n)
  })

  test('that is not approved is recorded only', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    const answer = desk.ask(adviceOf(first, 70n, { advised_approval: { approved: false } }))
    assert.equal(answer.status_code, '1856')
    assert.equal(now().held, 400n)
  })

  test('elsewhere it raises the hold, as before', () => {
    const { desk, first, now } = open({ ...PUMP, mcc: '5411' })
    desk.ask(first)
    desk.ask(adviceOf(first, 70n))
    assert.equal(now().held, 470n)
  })

  test('that names nothing is a hold of its own', () => {
    const { desk, card, first, now } = open()
    desk.ask(first)
    const other = purchase(card, 70n, { message_type: '0120', merchant: PUMP })
    desk.ask({ ...other, advised_approval: { approved: true, approval_code: 'FUEL01' } })
    assert.equal(now().held, 470n)
  })
})

describe('the first presentment of a fuel pump ends the hold', () => {
  for (const amount of [1n, 70n, 400n, 430n]) {
    test(`of ${amount} of 400`, () => {
      const { desk, first, now } = open()
      const answer = desk.ask(first)
      desk.ask(presented(first, amount))
      assert.deepEqual(now(), { held: 0n, posted: amount })
      assert.equal(desk.row(answer).status, 'SETTLED')
    })
  }

  test('elsewhere the rest stays held', () => {
    const { desk, first, now } = open({ ...PUMP, mcc: '5411' })
    desk.ask(first)
    desk.ask(presented(first, 70n))
    assert.deepEqual(now(), { held: 330n, posted: 70n })
  })
})

/** The same messages in any order leave the same. */
describe('the messages of a fuel pump end alike in any order', () => {
  const permutations = <T>(all: readonly T[]): T[][] =>
    all.length < 2
      ? [[...all]]
      : all.flatMap((one, at) =>
          permutations(all.filter((_, other) => other !== at)).map((rest) => [one, ...rest]),
        )
  type Row = [what: string, advised: bigint | null, posted: bigint | null, held: bigint]
  const cases: Row[] = [
    ['request and advice', 70n, null, 70n],
    ['request and advice of more', 900n, null, 900n],
    ['request and advice of nothing', 0n, null, 0n],
    ['request and presentment', null, 70n, 0n],
    ['request, advice and presentment', 70n, 70n, 0n],
    ['request, advice and presentment of less', 70n, 60n, 0n],
    ['request, advice and presentment of more', 70n, 80n, 0n],
  ]
  for (const [what, advised, claimed, held] of cases) {
    test(what, () => {
      const count = 1 + (advised === null ? 0 : 1) + (claimed === null ? 0 : 1)
      for (const order of permutations(Array.from({ length: count }, (_, at) => at))) {
        const { desk, first, now } = open()
        const sent = [
          first,
          ...(advised === null ? [] : [adviceOf(first, advised)]),
          ...(claimed === null ? [] : [presented(first, claimed)]),
        ]
        for (const at of order) {
          const message = sent[at]
          if (message) desk.ask(message)
        }
        assert.deepEqual(now(), { held, posted: claimed ?? 0n }, `order ${order.join()}`)
      }
    })
  }
})
