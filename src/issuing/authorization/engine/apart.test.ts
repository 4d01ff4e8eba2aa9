import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Inquiry } from '#issuing/vault/vault.ts'
import { purchase } from '#test/support/desk.ts'
import type { Question } from '../decide/question.ts'
import type { AuthorizationAnswer } from '../schema.ts'
import { apart } from './apart.ts'
import type { Decided } from './batch.ts'
import { CardQueue, Pending } from './pending.ts'

// The rule asks nothing of them but which of the two they are.
const inquiry = { ask: async () => {} } as unknown as Inquiry
const question = { id: 'q' } as unknown as Question
const answer = { status_code: '0000' } as unknown as AuthorizationAnswer

type Row = [queue: CardQueue, is: 'answered' | 'asks module' | 'asks responder' | 'waits']

function partOf(rows: readonly Row[]) {
  const taken = rows.map(
    ([queue]) => new Pending({ request: purchase({ card_id: 'c' }, 1n) }, queue),
  )
  const questions = new Map<number, Inquiry | Question>()
  for (const [at, [, is]] of rows.entries()) {
    if (is === 'asks module') questions.set(at, inquiry)
    if (is === 'asks responder') questions.set(at, question)
  }
  const answers = rows.map(([, is]) => (is === 'answered' ? answer : undefined))
  const { decided, left } = apart({ taken, answers, questions } as unknown as Decided)
  const placeOf = (pending: Pending) => taken.indexOf(pending)
  return {
    stay: decided.taken.map(placeOf),
    answered: decided.answers.map((one) => one !== undefined),
    asked: [...decided.questions.keys()],
    left: left.map(({ pending, inquiry: own }) => [placeOf(pending), own !== undefined]),
  }
}

const [one, two, three] = [new CardQueue('1'), new CardQueue('2'), new CardQueue('3')]

test('a batch in which nothing asks a module stays whole', () => {
  const rows: Row[] = [
    [one, 'answered'],
    [two, 'asks responder'],
    [two, 'waits'],
  ]
  const stay = [0, 1, 2]
  assert.deepEqual(partOf(rows), { stay, answered: [true, false, false], asked: [1], left: [] })
})

test('what asks a module leaves with those of its card behind it, and nothing else does', () => {
  const rows: Row[] = [
    [one, 'answered'],
    [one, 'asks module'],
    [two, 'answered'],
    [one, 'asks module'],
    [one, 'waits'],
    [three, 'asks responder'],
    [three, 'waits'],
  ]
  assert.deepEqual(partOf(rows), {
    stay: [0, 2, 5, 6],
    answered: [true, true, false, false],
    asked: [2],
    left: [
      [1, true],
      [3, true],
      [4, false],
    ],
  })
})

test('a message before the one that asks a module stays, so that it comes before it again', () => {
  const rows: Row[] = [
    [one, 'asks responder'],
    [one, 'asks module'],
    [one, 'waits'],
  ]
  assert.deepEqual(partOf(rows), {
    stay: [0],
    answered: [false],
    asked: [0],
    left: [
      [1, true],
      [2, false],
    ],
  })
})
