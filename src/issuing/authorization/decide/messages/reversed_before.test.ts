/**
 * A network that stood in takes a part of it back, and the messages come in any order: the amounts
 * held and posted at the end are those that stay (D-316, D-855).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { unansweredOf } from '../state/unanswered.ts'

const OPENING = 10_000n
const ADVISED = 1_000n
const STAYS = 600n
const STAND_IN = '778899'

type Name = 'request' | 'advice' | 'part' | 'presentment'
type Naming = '0100' | '0120'

/**
 * The reversal names by DE90 the request that the network answered, or the advice of that request.
 */
function open(naming: Naming, fields: Partial<TestMessage> = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(OPENING)
  desk.rates.set('USD|AED', '3.6725')
  const card = desk.addCard(id)
  const request = purchase(card, ADVISED, fields)
  const { rrn = '' } = request
  const advice = about(request, {
    message_type: '0120',
    advised_approval: { approved: true, approval_code: STAND_IN },
    original: { message_key: nameOf(request), rrn },
  })
  const named = naming === '0100' ? request : advice
  const part = about(named, { message_type: '0420', remaining_amount: STAYS })
  const presentment = about(request, {
    message_type: '0220',
    amount: STAYS,
    original: { rrn, approval_code: STAND_IN },
  })
  return { desk, id, messages: { request, advice, part, presentment } }
}

const orders: readonly (readonly Name[])[] = [
  ['advice', 'part', 'presentment'],
  ['part', 'advice', 'presentment'],
  ['part', 'presentment', 'advice'],
  ['advice', 'presentment', 'part'],
  ['presentment', 'part', 'advice'],
  ['part', 'advice', 'request', 'presentment'],
]

for (const naming of ['0100', '0120'] as const) {
  describe(`of a payment of which a reversal of the ${naming} leaves a part`, () => {
    for (const order of orders) {
      test(`what stays is posted once, and nothing is held: ${order.join(', ')}`, () => {
        const { desk, id, messages } = open(naming)
        for (const name of order) desk.ask(messages[name])
        assert.partialDeepStrictEqual(desk.account(id), { balance: OPENING - STAYS, held: 0n })
      })
    }

    test('its advice is accepted, and holds what stays', () => {
      const { desk, id, messages } = open(naming)
      desk.ask(messages.part)
      const answer = desk.ask(messages.advice)
      assert.partialDeepStrictEqual(answer, { status_code: '0000', approved: true })
      assert.partialDeepStrictEqual(desk.row(answer), {
        status: 'PENDING',
        amount: STAYS,
        billing_amount: STAYS,
        held: STAYS,
        events: [
          { type: 'AUTHORIZED', amount: String(ADVISED) },
          { type: 'REVERSED', amount: String(ADVISED - STAYS) },
        ],
      })
      assert.equal(desk.account(id).held, STAYS)
      assert.equal(desk.ask(messages.advice).repeated, true)
      desk.ask(
        about(messages.advice, {
          message_type: '0120',
          advised_approval: { approved: true, approval_code: STAND_IN },
        }),
      )
      assert.equal(desk.account(id).held, STAYS)
    })

    test('a second reversal before the advice leaves the lower amount, all of it nothing', () => {
      for (const [remaining_amount, held] of [
        [200n, 200n],
        [800n, STAYS],
        [2_000n, STAYS],
        [undefined, 0n],
        [0n, 0n],
      ] as const) {
        const { desk, id, messages } = open(naming)
        desk.ask(messages.part)
        const { original = {} } = messages.part
        const more = remaining_amount === undefined ? {} : { remaining_amount }
        desk.ask(about(messages.request, { message_type: '0420', ...more, original }))
        desk.ask(messages.advice)
        assert.equal(desk.account(id).held, held, String(remaining_amount))
      }
    })

    test('in another currency a part of what was converted is held', () => {
      const { desk, id, messages } = open(naming, { currency: 'USD' })
      desk.ask(messages.part)
      const answer = desk.ask(messages.advice)
      assert.partialDeepStrictEqual(desk.row(answer), { amount: STAYS, billing_amount: 2_203n })
      assert.equal(desk.account(id).held, 2_203n)
    })

    test('a reversal of the rest ends it', () => {
      const { desk, id, messages } = open(naming)
      for (const message of [messages.part, messages.advice]) desk.ask(message)
      const { original = {} } = messages.part
      desk.ask(about(messages.request, { message_type: '0420', original }))
      assert.partialDeepStrictEqual(desk.account(id), { balance: OPENING, held: 0n })
    })
  })
}

test('after the platform took its approval back, a part that the network reverses is posted', () => {
  for (const order of [
    ['advice', 'presentment'],
    ['presentment', 'advice'],
  ] as const) {
    const { desk, id, messages } = open('0100')
    const { request, part } = messages
    const unanswered = unansweredOf(request, desk.ask(request))
    assert.ok(unanswered)
    const { transaction_id } = unanswered
    desk.ask({
      ...about(request, { message_type: '0420', original: { transaction_id } }),
      unanswered,
    })
    desk.ask(part)
    for (const name of order) desk.ask(messages[name])
    assert.partialDeepStrictEqual(desk.account(id), { balance: OPENING - STAYS, held: 0n })
  }
})

test('the request itself stays declined: nobody waits for its answer', () => {
  const { desk, id, messages } = open('0100')
  desk.ask(messages.part)
  assert.equal(desk.ask(messages.request).status_code, '1894')
  assert.equal(desk.account(id).held, 0n)
})
