/** The messages of one payment in every order: nothing is held or posted twice (D-316). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { about, Desk, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

const OPENING = 10_000n
const AUTHORIZED = 1_000n
const STAYS = 600n

function open(balance = OPENING) {
  const desk = new Desk()
  const { id } = desk.addAccount(balance)
  return { desk, id, card: desk.addCard(id) }
}

const approved = { message_type: '0120', advised_approval: { approved: true } } as const

/** Advices name their request by DE90 or share its retrieval reference alone. */
const namings = ['DE90', 'the retrieval reference'] as const
type Naming = (typeof namings)[number]

const adviceOf = (
  first: TestMessage,
  naming: Naming,
  fields: Partial<TestMessage> = {},
): TestMessage => {
  const { rrn = '' } = first
  const original = naming === 'DE90' ? { message_key: nameOf(first), rrn } : { rrn }
  return about(first, { ...approved, ...fields, original })
}

describe('an advice that comes late holds nothing more', () => {
  const rows: readonly (readonly [
    what: string,
    before: (first: TestMessage, desk: Desk) => void,
  ])[] = [
    ['its request was cleared', (first, desk) => cleared(first, desk, AUTHORIZED)],
    ['its request was cleared in part', (first, desk) => cleared(first, desk, 400n)],
    ['its request was cleared by more', (first, desk) => cleared(first, desk, 1_100n)],
    ['its request was reversed', (first, desk) => reversed(first, desk)],
    ['its request was reversed in part', (first, desk) => reversed(first, desk, STAYS)],
    [
      'the hold has ended',
      (first, desk) => {
        desk.ask(first)
        desk.wait(7)
      },
    ],
    ['the presentment came before it', (first, desk) => presented(first, desk)],
    [
      'the reversal of its request came before both',
      (first, desk) => desk.ask(about(first, { message_type: '0420' })),
    ],
    ['another advice came', (first, desk) => desk.ask(adviceOf(first, 'DE90'))],
    [
      'another advice came and was reversed',
      (first, desk) => {
        const advice = adviceOf(first, 'DE90')
        desk.decide(advice, about(advice, { message_type: '0400' }))
      },
    ],
  ]
  for (const [what, before] of rows) {
    for (const naming of namings) {
      test(`${what}, named by ${naming}`, () => {
        const { desk, id, card } = open()
        const first = purchase(card, AUTHORIZED)
        before(first, desk)
        const { balance, held } = desk.account(id)
        const events = desk.events.length
        desk.ask(adviceOf(first, naming))
        assert.partialDeepStrictEqual(desk.account(id), { balance, held })
        assert.equal(desk.events.length, events + 1, 'it is recorded')
      })
    }
  }

  test('a credit that was posted is not posted again', () => {
    for (const message_type of ['0100', '0200', '0220'] as const) {
      const { desk, id, card } = open(0n)
      const first = purchase(card, 50n, { message_type, processing_code: '260000' })
      desk.ask(first)
      desk.ask(adviceOf(first, 'the retrieval reference'))
      assert.equal(desk.account(id).balance, 50n, message_type)
    }
  })
})

const cleared = (first: TestMessage, desk: Desk, amount: bigint) =>
  desk.decide(first, about(first, { message_type: '0220', amount }))
const reversed = (first: TestMessage, desk: Desk, remaining_amount?: bigint) =>
  desk.decide(
    first,
    about(first, { message_type: '0400', ...(remaining_amount && { remaining_amount }) }),
  )
const presented = (first: TestMessage, desk: Desk) => {
  const outcome = desk.ask(about(first, { message_type: '0220' }))
  assert.equal(outcome.status_code, '1857')
}

describe('a request that comes after what was done for it', () => {
  test('is answered as its advice was, and holds nothing more', () => {
    const { desk, id, card } = open(AUTHORIZED)
    const first = purchase(card, AUTHORIZED)
    const advised_approval = { approved: true, approval_code: 'STIP01' }
    const advice = desk.ask(adviceOf(first, 'DE90', { advised_approval }))
    assert.partialDeepStrictEqual(desk.ask(first), {
      transaction_id: advice.transaction_id,
      status_code: '0000',
      approval_code: 'STIP01',
    })
    assert.equal(desk.account(id).held, AUTHORIZED)
    desk.ask(about(first, { message_type: '0100', amount: 1n }))
    desk.ask(about(first, { message_type: '0420' }))
    assert.equal(desk.account(id).held, 0n)
  })

  test('holds what was not presented before it', () => {
    for (const [amount, held] of [
      [400n, 600n],
      [AUTHORIZED, 0n],
      [1_100n, 0n],
    ] as const) {
      const { desk, id, card } = open()
      const first = purchase(card, AUTHORIZED)
      desk.ask(about(first, { message_type: '0220', amount }))
      const answer = desk.ask(first)
      assert.equal(answer.status_code, '0000')
      assert.equal(desk.row(answer).status, held > 0n ? 'PENDING' : 'SETTLED')
      assert.partialDeepStrictEqual(desk.account(id), { balance: OPENING - amount, held })
    }
  })

  test('of another amount than its advice raises the hold, as an increment does', () => {
    const { desk, id, card } = open()
    const first = purchase(card, AUTHORIZED)
    desk.ask(adviceOf(first, 'DE90'))
    desk.ask(about(first, { message_type: '0100', amount: 200n }))
    assert.equal(desk.account(id).held, 1_200n)
  })
})

describe('the reversal of a request that was declined, or never came', () => {
  for (const [what, balance, sendsFirst] of [
    ['declined', 0n, true],
    ['never came', OPENING, false],
  ] as const) {
    test(`${what}: the hold of an advice for it is released`, () => {
      const { desk, id, card } = open(balance)
      const first = purchase(card, AUTHORIZED)
      if (sendsFirst) assert.equal(desk.ask(first).status_code, '1016')
      desk.ask(adviceOf(first, 'DE90'))
      assert.equal(desk.account(id).held, AUTHORIZED)
      assert.equal(desk.ask(about(first, { message_type: '0420' })).status_code, '0000')
      assert.equal(desk.account(id).held, 0n)
    })
  }
})

type Letter = 'A' | 'S' | 'C' | 'R' | 'U' | 'W'

function permutations(letters: readonly Letter[]): Letter[][] {
  if (letters.length === 0) return [[]]
  return letters.flatMap((one) =>
    permutations(letters.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  )
}

type Variant = { naming: Naming; clears: bigint; stays: bigint | undefined }

const variants: readonly Variant[] = namings.flatMap((naming) =>
  [400n, AUTHORIZED].flatMap((clears) =>
    [undefined, STAYS].map((stays) => ({ naming, clears, stays })),
  ),
)

const describeVariant = ({ naming, clears, stays }: Variant): string =>
  `advice by ${naming}, clears ${clears}, ${stays ?? 0n} stays`

/** Request, advice, completion, reversal, the reversal of the completion, and 31 days. */
function messagesOf(card: { card_id: string }, { naming, clears, stays }: Variant) {
  const A = purchase(card, AUTHORIZED)
  const C = about(A, { message_type: '0220', amount: clears })
  return {
    A,
    S: adviceOf(A, naming),
    C,
    R: about(A, {
      message_type: '0420',
      ...(stays !== undefined && { remaining_amount: stays }),
    }),
    U: about(C, { message_type: '0420' }),
  }
}

/** The most that may be paid and held after these messages, by the answer to each. */
class Bounds {
  #authorized = 0n
  #cap = AUTHORIZED
  #seen = new Set<Letter>()
  readonly #clears: bigint
  readonly #stays: bigint
  constructor({ clears, stays = 0n }: Variant) {
    this.#clears = clears
    this.#stays = stays
  }

  get paid(): bigint {
    return this.#seen.has('C') && !this.#seen.has('U') ? this.#clears : 0n
  }

  get held(): bigint {
    const left = (this.#authorized < this.#cap ? this.#authorized : this.#cap) - this.paid
    return left > 0n ? left : 0n
  }

  add(letter: Letter, status_code: string | undefined): void {
    // A reversal of the rest leaves what was cleared: should that be taken back, it is held again.
    if (letter === 'R' && status_code === '0000') {
      this.#cap = this.#stays > this.paid ? this.#stays : this.paid
    }
    // Before what it names it leaves as much as after it.
    if (letter === 'R' && status_code === '9114') this.#cap = this.#stays
    if (letter === 'A' || letter === 'S') this.#authorized = AUTHORIZED
    this.#seen.add(letter)
  }
}

test('after any order of the messages no more is paid than was presented, or held than is open', () => {
  for (const variant of variants) {
    for (const order of permutations(['A', 'S', 'C', 'R', 'U', 'W'])) {
      const { desk, id, card } = open()
      const messages = messagesOf(card, variant)
      const bounds = new Bounds(variant)
      const where = `${order.join('')} ${describeVariant(variant)}`
      for (const letter of order) {
        if (letter === 'W') desk.wait(31)
        bounds.add(letter, letter === 'W' ? undefined : desk.ask(messages[letter]).status_code)
        const { balance, held } = desk.account(id)
        assert.ok(OPENING - balance <= bounds.paid && balance <= OPENING, `paid: ${where}`)
        assert.ok(held <= bounds.held, `held ${held} of ${bounds.held} at ${letter}: ${where}`)
      }
      const { balance, held } = desk.account(id)
      for (const again of Object.values(messages)) desk.ask(again)
      assert.partialDeepStrictEqual(desk.account(id), { balance, held }, `repeats: ${where}`)
    }
  }
})
