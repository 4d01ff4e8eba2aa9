import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase } from '#test/support/desk.ts'

function open(balance = 10_000n) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  return { desk, id, card: desk.addCard(id) }
}

describe('a repeat', () => {
  for (const message_type of ['0100', '0120', '0200', '0220', '0400', '0420'] as const) {
    test(`of a ${message_type} gets the stored answer and does nothing more`, () => {
      const { desk, id, card } = open()
      const message = purchase(card, 700n, { message_type, advised_approval: { approved: true } })
      const first = desk.ask(message)
      const { balance, held } = desk.account(id)
      const size = desk.transactions.size
      for (const again of [desk.ask(message), ...desk.decide(message, message)]) {
        const { answer_number: _counted, ...same } = again
        assert.deepEqual(same, { ...first, repeated: true })
      }
      assert.partialDeepStrictEqual(desk.account(id), { balance, held })
      assert.equal(desk.transactions.size, size)
      assert.equal(desk.events.length, 1)
    })
  }

  test('in the batch of its first', () => {
    const { desk, id, card } = open()
    const message = purchase(card, 700n)
    const [first, again] = desk.decide(message, message)
    assert.ok(first)
    assert.deepEqual(again, { ...first, repeated: true, answer_number: 2 })
    assert.equal(desk.account(id).held, 700n)
  })

  test('of a declined request is declined, though the money has come since', () => {
    const { desk, id, card } = open(0n)
    const message = purchase(card, 700n)
    desk.ask(message)
    desk.accounts.set(id, { ...desk.account(id), balance: 1_000n })
    assert.partialDeepStrictEqual(desk.ask(message), { status_code: '1016', repeated: true })
  })

  for (const message_type of ['0100', '0200'] as const) {
    test(`of a reversed ${message_type} is declined and changes nothing`, () => {
      for (const reversal of ['0400', '0420'] as const) {
        const { desk, id, card } = open()
        const message = purchase(card, 700n, { message_type })
        desk.ask(message)
        desk.ask(about(message, { message_type: reversal }))
        const size = desk.transactions.size
        const again = desk.ask(message)
        assert.partialDeepStrictEqual(again, { status_code: '1894', approved: false, amount: 0n })
        assert.equal('approval_code' in again, false)
        assert.partialDeepStrictEqual(desk.account(id), { balance: 10_000n, held: 0n })
        assert.equal(desk.transactions.size, size)
      }
    })
  }

  test('of a request that was reversed in the same batch is declined in that batch too', () => {
    const { desk, card } = open()
    const message = purchase(card, 700n)
    const answers = desk.decide(message, about(message, { message_type: '0420' }), message)
    const codes = answers.map(({ status_code }) => status_code)
    assert.deepEqual(codes, ['0000', '0000', '1894'])
    assert.equal(desk.ask(message).status_code, '1894')
  })

  test('of a request that was reversed in part only is answered as before', () => {
    const { desk, card } = open()
    const message = purchase(card, 700n)
    desk.ask(message)
    desk.ask(about(message, { message_type: '0400', remaining_amount: 300n }))
    assert.partialDeepStrictEqual(desk.ask(message), { status_code: '0000', amount: 700n })
  })

  test('of a reversed increment is declined, that of what it raised is not', () => {
    const { desk, id, card } = open()
    const message = purchase(card, 700n)
    desk.ask(message)
    const raise = about(message, {
      message_type: '0100',
      amount: 200n,
      original: { rrn: message.rrn ?? '' },
    })
    desk.ask(raise)
    desk.ask(about(raise, { message_type: '0400', original: { message_key: nameOf(raise) } }))
    assert.equal(desk.account(id).held, 700n)
    assert.equal(desk.ask(raise).status_code, '1894')
    assert.equal(desk.ask(message).status_code, '0000')
  })

  test('of an advice is accepted though what it reported was reversed', () => {
    const { desk, card } = open()
    const advised_approval = { approved: true }
    const message = purchase(card, 700n, { message_type: '0120', advised_approval })
    desk.ask(message)
    desk.ask(about(message, { message_type: '0420' }))
    assert.equal(desk.ask(message).status_code, '0000')
  })

  test('comes in time even when it is late', () => {
    const { desk, card } = open()
    const message = purchase(card, 700n)
    desk.ask(message)
    assert.equal(desk.ask({ ...message, late: true }).status_code, '0000')
  })

  test('is none when another class of message has the same numbers', () => {
    const { desk, id, card } = open()
    const message = purchase(card, 100n)
    const { duplicate_key = '' } = message
    desk.ask(message)
    const sale = { ...message, message_type: '0200' } as const
    desk.ask({ ...sale, duplicate_key: duplicate_key.replace('0100', '0200'), original: {} })
    assert.partialDeepStrictEqual(desk.account(id), { balance: 9_900n, held: 100n })
  })

  test('is none without a key: each is decided for itself', () => {
    const { desk, id, card } = open()
    const {
      duplicate_key: _none,
      rrn: _reference,
      original: _original,
      ...message
    } = purchase(card, 100n)
    desk.decide(message, message)
    assert.equal(desk.account(id).held, 200n)
    assert.equal(desk.messages.size, 0)
  })
})

describe('the end of a hold', () => {
  test('nothing cleared: EXPIRED, reported as EXPIRED_AUTH', () => {
    const { desk, id, card } = open()
    const answer = desk.ask(purchase(card, 700n))
    desk.wait(6.999)
    assert.equal(desk.row(answer).status, 'PENDING')
    desk.wait(0.001)
    const { status, hold_expires, events } = desk.row(answer)
    assert.deepEqual([status, hold_expires], ['EXPIRED', null])
    assert.partialDeepStrictEqual(events.at(-1), { type: 'EXPIRED', amount: '700' })
    assert.equal(events.at(-1)?.message_type, undefined)
    assert.equal(desk.account(id).held, 0n)
    const { event, sequence } = desk.events.at(-1) ?? {}
    assert.deepEqual([event, sequence], ['EXPIRED_AUTH', 2])
  })

  test('is over once', () => {
    const { desk, card } = open()
    desk.ask(purchase(card, 700n))
    desk.wait(7)
    desk.wait(7)
    assert.equal(desk.events.length, 2)
  })

  test('is what the tenant set', () => {
    const { desk, card } = open()
    desk.settings = { ...desk.settings, hold_days: 1, clearing_hold_days: 2 }
    const first = purchase(card, 700n)
    const answer = desk.ask(first)
    desk.ask(about(first, { message_type: '0220', amount: 1n }))
    desk.wait(1)
    assert.equal(desk.row(answer).status, 'PENDING')
    desk.wait(1)
    assert.equal(desk.row(answer).status, 'SETTLED')
  })

  test('an increment does not put it off', () => {
    const { desk, id, card } = open()
    const first = purchase(card, 700n)
    desk.ask(first)
    desk.wait(6)
    desk.ask(about(first, { message_type: '0100', amount: 1n }))
    desk.wait(1)
    assert.equal(desk.account(id).held, 0n)
  })
})
