/** Messages about a payment that was declined, or that the network has reversed (D-1037, D-1332). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase } from '#test/support/desk.ts'

type Later = Parameters<typeof about>[1]

/** A request that was declined for want of funds, or that was approved and reversed. */
function refused(how: 'declined' | 'reversed') {
  const desk = new Desk()
  const { id } = desk.addAccount(how === 'declined' ? 500n : 10_000n)
  const first = purchase(desk.addCard(id), 1_000n)
  assert.equal(desk.ask(first).approved, how === 'reversed')
  if (how === 'reversed') desk.ask(about(first, { message_type: '0420' }))
  const before = desk.account(id)
  const original = { message_key: nameOf(first), rrn: first.rrn ?? '' }
  return {
    ask: (fields: Later) => desk.ask(about(first, { original, ...fields })),
    moved: () => {
      const { balance, held } = desk.account(id)
      return { balance: balance - before.balance, held: held - before.held }
    },
  }
}

const NOTHING = { balance: 0n, held: 0n }
const STAND_IN = { approved: true, approval_code: '778899' }

type Row = [how: 'declined' | 'reversed', what: string, Later, string, object]
const rows: Row[] = [
  ['declined', 'a reversal', { message_type: '0420' }, '9115', NOTHING],
  ['reversed', 'a reversal', { message_type: '0420' }, '1894', NOTHING],
  [
    ...(['declined', 'an advice that reports the decline'] as const),
    { message_type: '0120', advised_approval: { approved: false } },
    ...(['1856', NOTHING] as const),
  ],
  [
    ...(['reversed', 'an advice that approves nothing'] as const),
    { message_type: '0120', advised_approval: { approved: false } },
    ...(['1856', NOTHING] as const),
  ],
  [
    ...(['reversed', 'an advice of an approval'] as const),
    { message_type: '0120', advised_approval: STAND_IN },
    ...(['1894', NOTHING] as const),
  ],
  [
    ...(['declined', 'an advice of a stand-in, under a code of its own'] as const),
    { message_type: '0120', advised_approval: STAND_IN },
    ...(['0000', { balance: 0n, held: 1_000n }] as const),
  ],
  [
    ...(['declined', 'a presentment'] as const),
    { message_type: '0220' },
    ...(['9115', { balance: -1_000n, held: 0n }] as const),
  ],
  [
    ...(['reversed', 'a presentment'] as const),
    { message_type: '0220' },
    ...(['1894', { balance: -1_000n, held: 0n }] as const),
  ],
]

describe('a message that names what was declined or reversed', () => {
  for (const [how, what, fields, code, moves] of rows) {
    test(`${what} of what was ${how} is ${code}`, () => {
      const { ask, moved } = refused(how)
      assert.equal(ask(fields).status_code, code)
      assert.deepEqual(moved(), moves)
    })
  }

  test('the presentment of a stand-in clears its hold, and is not of what was declined', () => {
    const { ask, moved } = refused('declined')
    ask({ message_type: '0120', advised_approval: STAND_IN })
    assert.equal(ask({ message_type: '0220' }).status_code, '0000')
    assert.deepEqual(moved(), { balance: -1_000n, held: 0n })
  })
})
