import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

const USD = { amount: 3_700n, currency: 'AED', rate: '3.7' }

/** A payment of 10.00 USD from an account in AED, for which the platform has no rate. */
function open(billed: TestMessage['billed'] = USD, rate?: string) {
  const desk = new Desk()
  const { id } = desk.addAccount(100_000n)
  if (rate !== undefined) desk.rates.set('USD|AED', rate)
  const card = desk.addCard(id, { partial_approval: true })
  const first = purchase(card, 1_000n, { currency: 'USD', ...(billed && { billed }) })
  const now = () => ({ held: desk.account(id).held, posted: 100_000n - desk.account(id).balance })
  return { desk, id, first, now }
}

describe('what the scheme bills in the currency of the account', () => {
  test('is held without a rate of the platform, at the rate of DE10', () => {
    const { desk, first, now } = open()
    const answer = desk.ask(first)
    assert.equal(answer.status_code, '0000')
    assert.deepEqual(now(), { held: 3_700n, posted: 0n })
    assert.equal(desk.row(answer).foreign?.rate, '3.7')
  })

  test('is held before a rate of the platform, and whatever DE10 says', () => {
    const { desk, first, now } = open({ amount: 3_711n, currency: 'AED', rate: '3.7' }, '3.6725')
    const answer = desk.ask(first)
    assert.equal(now().held, 3_711n)
    assert.equal(desk.row(answer).foreign?.rate, '37.11/10.00')
  })

  test('in another currency than the account has, the rate of the platform counts', () => {
    const { desk, first, now } = open({ amount: 920n, currency: 'EUR' }, '3.6725')
    desk.ask(first)
    assert.equal(now().held, 3_672n)
  })

  test('is posted by the completion as that one says, and the hold ends', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    desk.ask(about(first, { message_type: '0220', billed: { amount: 3_750n, currency: 'AED' } }))
    assert.deepEqual(now(), { held: 0n, posted: 3_750n })
  })

  test('is posted by a completion of a part, and the rest stays held', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    const billed = { amount: 1_500n, currency: 'AED' }
    desk.ask(about(first, { message_type: '0220', amount: 400n, billed }))
    assert.deepEqual(now(), { held: 2_220n, posted: 1_500n })
    desk.ask(about(first, { message_type: '0420', amount: 600n }))
    assert.deepEqual(now(), { held: 0n, posted: 1_500n })
  })

  test('goes back in a part, which is held again as it was authorized', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    const billed = { amount: 1_500n, currency: 'AED' }
    const part = () => about(first, { message_type: '0220', amount: 400n, billed })
    const [one, other] = [part(), part()]
    desk.ask(one)
    desk.ask(other)
    assert.deepEqual(now(), { held: 740n, posted: 3_000n })
    const original = { message_key: nameOf(other), rrn: other.rrn ?? '' }
    desk.ask(about(other, { message_type: '0420', original }))
    assert.deepEqual(now(), { held: 2_220n, posted: 1_500n })
  })

  test('goes back by the reversal of the completion', () => {
    const { desk, first, now } = open()
    desk.ask(first)
    const billed = { amount: 3_750n, currency: 'AED' }
    const completion = about(first, { message_type: '0220', billed })
    desk.ask(completion)
    desk.ask(about(completion, { message_type: '0420' }))
    assert.equal(now().posted, 0n)
  })

  test('covers a part by its own rate', () => {
    const { desk, id, first, now } = open({ amount: 3_711n, currency: 'AED' })
    const spent = purchase(undefined, 98_145n, { card: first.card })
    desk.ask(spent)
    const answer = desk.ask({ ...first, partial_capable: true })
    assert.equal(answer.status_code, '0002')
    assert.equal(answer.amount, 499n)
    assert.equal(now().held - 98_145n, 1_852n)
    assert.ok(desk.available(id) >= 0n)
  })
})

describe('what the scheme bills in the currency of the message', () => {
  const billed = { amount: 1_030n, currency: 'AED' }
  /** A payment of 10.00 AED for which the scheme bills 10.30. */
  function openOwn() {
    const opened = open()
    return { ...opened, first: { ...opened.first, currency: 'AED', billed } }
  }

  test('is held and posted, and has no rate', () => {
    const { desk, first, now } = openOwn()
    const answer = desk.ask(first)
    assert.partialDeepStrictEqual(answer, { status_code: '0000', amount: 1_030n })
    assert.deepEqual(now(), { held: 1_030n, posted: 0n })
    desk.ask(about(first, { message_type: '0220', billed }))
    assert.deepEqual(now(), { held: 0n, posted: 1_030n })
    assert.partialDeepStrictEqual(desk.row(answer), {
      ...{ status: 'SETTLED', amount: 1_030n, billing_amount: 1_030n, foreign: null },
    })
  })

  test('is posted by a completion that bills another amount than was held', () => {
    const { desk, first, now } = openOwn()
    desk.ask({ ...first, billed: { amount: 1_000n, currency: 'AED' } })
    desk.ask(about(first, { message_type: '0220', billed }))
    assert.deepEqual(now(), { held: 0n, posted: 1_030n })
  })

  test('is posted at once, and without an original', () => {
    for (const [message_type, status_code] of [
      ['0200', '0000'],
      ['0220', '1857'],
    ] as const) {
      const { desk, first, now } = openOwn()
      assert.equal(desk.ask({ ...first, message_type }).status_code, status_code)
      assert.deepEqual(now(), { held: 0n, posted: 1_030n })
    }
  })

  test('goes back as a whole, and of a part so much stays as DE95 is of DE4', () => {
    const { desk, first, now } = openOwn()
    desk.ask(first)
    desk.ask(about(first, { message_type: '0420', billed, remaining_amount: 500n }))
    assert.deepEqual(now(), { held: 515n, posted: 0n })
    desk.ask(about(first, { message_type: '0420', billed }))
    assert.deepEqual(now(), { held: 0n, posted: 0n })
  })

  test('in a currency that is not that of the account does not count', () => {
    const { desk, first, now } = open({ amount: 1_030n, currency: 'USD' }, '3.6725')
    desk.ask(first)
    assert.equal(now().held, 3_672n)
  })

  test('of nothing does not count', () => {
    const { desk, first, now } = openOwn()
    desk.ask({ ...first, billed: { amount: 0n, currency: 'AED' } })
    assert.equal(now().held, 1_000n)
  })
})
