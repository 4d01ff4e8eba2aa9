/**
 * Messages that ask a security module leave their batch before it is written (D-1013): nothing of
 * the batch is about them, so neither the module nor they wait for its commit. Pure.
 */

import type { Inquiry } from '#issuing/vault/vault.ts'
import type { Question } from '../decide/question.ts'
import type { Decided } from './batch.ts'
import type { CardQueue, Pending } from './pending.ts'

/** A message that has left its batch, and what it asks; one behind it may ask nothing. */
export type Left = { pending: Pending; inquiry: Inquiry | undefined }

type Questions = Decided['questions']

/**
 * The batch without the messages that ask a module and those of their cards behind them, which keep
 * their order. A message that asks the tenant's responder stays until the batch is committed.
 */
export function apart(decided: Decided): { decided: Decided; left: readonly Left[] } {
  const { taken, answers, questions } = decided
  const first = firstAsking(taken, questions)
  if (first.size === 0) return { decided, left: [] }
  const left: Left[] = []
  const staying: number[] = []
  for (const [at, pending] of taken.entries()) {
    const from = first.get(pending.queue)
    const inquiry = inquiryAt(questions, at)
    const asksOthers = questions.has(at) && !inquiry
    const isLeaving = from !== undefined && at >= from && answers[at] === undefined && !asksOthers
    if (isLeaving) left.push({ pending, inquiry })
    else staying.push(at)
  }
  const rest = {
    taken: staying.flatMap((at) => taken[at] ?? []),
    answers: staying.map((at) => answers[at]),
    questions: new Map(
      staying.flatMap((at, place) => {
        const question = questions.get(at)
        return question ? [[place, question] as const] : []
      }),
    ),
  }
  return { decided: { ...decided, ...rest }, left }
}

function firstAsking(taken: readonly Pending[], questions: Questions): Map<CardQueue, number> {
  const first = new Map<CardQueue, number>()
  for (const [at, { queue }] of taken.entries()) {
    if (inquiryAt(questions, at) && !first.has(queue)) first.set(queue, at)
  }
  return first
}

function inquiryAt(questions: Questions, at: number): Inquiry | undefined {
  const question: Inquiry | Question | undefined = questions.get(at)
  return question && 'ask' in question ? question : undefined
}
