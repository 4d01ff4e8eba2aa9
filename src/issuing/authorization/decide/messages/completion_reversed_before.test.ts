/**
 * A part of a completion is taken back, and the two come in any order: the posted and held amounts
 * at the end are the same (iso8583.md section 7, D-877).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

const OPENING = 10_000n
const AUTHORIZED = 1_000n
const STAYS = 600n

function open(fields: Partial<TestMessage> = {}) {
  const desk = new Desk()
  const { id } = desk.addAccount(OPENING)
  desk.rates.set('USD|AED', '3.6725')
  const card = desk.addCard(id)
  const request = purchase(card, AUTHORIZED, fields)
  const completion = about(request, { message_type: '0220' })
  const reversal = (remaining_amount?: bigint, of: TestMessage = completion) =>
    about(of, {
      message_type: '0420',
      ...(remaining_amount !== undefined && { remaining_amount }),
    })
  return { desk, id, request, completion, reversal, part: reversal(STAYS) }
}

type Scene = ReturnType<typeof open>
/** The balance and the held amount once the messages have come. */
function left(order: (scene: Scene) => TestMessage[], fields: Partial<TestMessage> = {}) {
  const scene = open(fields)
  const answers = order(scene).map((message) => scene.desk.ask(message))
  const { balance, held } = scene.desk.account(scene.id)
  return { balance, held, answers, scene }
}

describe('a completion of which a part was reversed', () => {
  for (const [what, fields] of [
    ['in the currency of the account', {}],
    ['in another currency', { currency: 'USD' }],
  ] as const) {
    test(`leaves the same whichever comes first, ${what}`, () => {
      const after = left(({ request, completion, part }) => [request, completion, part], fields)
      const before = left(({ request, completion, part }) => [request, part, completion], fields)
      assert.deepEqual([before.balance, before.held], [after.balance, after.held])
    })

    test(`leaves the same without an authorization, ${what}`, () => {
      const after = left(({ completion, part }) => [completion, part], fields)
      const before = left(({ completion, part }) => [part, completion], fields)
      assert.deepEqual([before.balance, before.held], [after.balance, after.held])
    })
  }

  test('is posted but for that part, which is held as before', () => {
    const { answers, scene, ...money } = left((one) => [one.request, one.part, one.completion])
    assert.partialDeepStrictEqual(money, { balance: OPENING - STAYS, held: AUTHORIZED - STAYS })
    const [, reversal, completion] = answers
    assert.equal(reversal?.status_code, '9114')
    assert.partialDeepStrictEqual(completion, { status_code: '0000', approved: true })
    assert.ok(completion)
    assert.partialDeepStrictEqual(scene.desk.row(completion), {
      status: 'PENDING',
      cleared_amount: STAYS,
      held: AUTHORIZED - STAYS,
      events: [
        { type: 'AUTHORIZED' },
        { type: 'CLEARED', amount: String(AUTHORIZED) },
        { type: 'REVERSED', amount: String(AUTHORIZED - STAYS) },
      ],
    })
    assert.equal(scene.desk.ask(scene.completion).repeated, true)
    assert.equal(scene.desk.account(scene.id).balance, OPENING - STAYS)
    assert.equal(scene.desk.ask(scene.reversal(0n)).status_code, '1894')
  })

  test('is 1894 where a reversal in full came too, and where nothing stays', () => {
    for (const stays of [undefined, 0n]) {
      const { answers, balance, held } = left((one) => [
        ...[one.request, one.part, one.reversal(stays), one.completion],
      ])
      assert.equal(answers.at(-1)?.status_code, '1894')
      assert.deepEqual([balance, held], [OPENING, AUTHORIZED])
    }
  })

  test('is posted whole where more stays than it claims', () => {
    const { balance } = left((one) => [one.request, one.reversal(5_000n), one.completion])
    assert.equal(balance, OPENING - AUTHORIZED)
  })

  test('changes no other completion of the payment', () => {
    const { balance, answers } = left(({ request, part }) => {
      const other = about(request, { message_type: '0220', amount: 300n })
      assert.notEqual(nameOf(other), part.original?.message_key)
      return [request, part, other]
    })
    assert.equal(answers.at(-1)?.status_code, '0000')
    assert.equal(balance, OPENING - 300n)
  })
})
