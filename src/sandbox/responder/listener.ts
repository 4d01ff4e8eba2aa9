/**
 * Questions to the responder of a tenant that cannot be called: a row each, which the tenant reads
 * and answers by calls (D-510). The process that asks, the one that is read from and the one that
 * gets the answer may differ; each notifies the others.
 *
 * The process that asks ends the question by a statement that returns its answer. So an answer that
 * was accepted is used, also if its notification is lost, and none is accepted later.
 */

import type { Listener } from '#issuing/authorization/authorization.ts'
import { createSeats, createWaitingRoom, wakingSweep } from '#issuing/webhooks/webhooks.ts'
import type { Context, Tx } from '#kit/context.ts'
import { announce } from '#kit/db/connections/announcements.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { parseAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import {
  QUESTIONS_MAX,
  type QuestionQuery,
  type ResponderAnswer,
  type ResponderRequest,
} from './schema.ts'
import { insertQuestion, listQuestions, lockQuestion, updateAnswer, updateOver } from './store.ts'

/** The channel that wakes calls that wait for a question. */
const QUESTIONS = 'responder questions'
/** The channel that ends the wait for an answer; the id of the question follows. */
const ANSWER = 'responder answer '

/** Calls that wait for questions in this process. */
const CALLS = { of_all: 1_000, of_tenant: 100, of_key: 100 }

/** The time that the database may take beyond that of a question. */
const GRACE_MS = 1_000

type Ending = 'answered' | 'timeout' | 'aborted'
type Heard = Awaited<ReturnType<Listener['ask']>>
const TIMEOUT: Heard = { kind: 'unanswered', error: 'timeout' }

export type ResponderListener = Listener & {
  /** Waits for the first question if there is none. */
  read: (ctx: Context, query: QuestionQuery) => Promise<{ data: ResponderRequest[] }>
  /** Fails with `question_answered` and `question_overdue`. */
  answer: (tx: Tx, id: string, answer: ResponderAnswer) => Promise<void>
  /** Hears of answers, from this process and from others. */
  notify: (channel: string) => void
  /** Wakes waiting calls on a notification, and ends them when the program stops. */
  sweep: Sweep
}

/** `notify` is of the whole process. */
type Parts = Pick<Services, 'db' | 'notify'>

export function createListener(services: Parts): ResponderListener {
  const calls = createSeats(CALLS)
  const room = createWaitingRoom({ keyOf: (except: readonly string[]) => except.join(), look })
  return {
    ...createAsking(services),
    async read(ctx, { wait = 0, except = [] }) {
      const from = [...new Set(except.map((id) => id.toLowerCase()))].sort()
      if (wait === 0) return { data: await listQuestions(ctx, from) }
      const seat = calls.take(ctx)
      try {
        const milliseconds = wait * 1000
        const data = await room.waitFor({ ctx, from, limit: QUESTIONS_MAX, milliseconds })
        return { data: data ?? [] }
      } finally {
        seat[Symbol.dispose]()
      }
    },
    async answer(tx, id, answer) {
      await acceptAnswer(tx, id, answer)
      tx.afterCommit(() => notifyAll(services, `${ANSWER}${id.toLowerCase()}`, tx.tenant_id))
    },
    sweep: wakingSweep('responder questions', QUESTIONS, room),
  }
}

async function look(ctx: Context, except: readonly string[]) {
  const questions = await listQuestions(ctx, except)
  return questions.length === 0 ? undefined : questions
}

/** If it does not arrive, calls look themselves, and answers are found at the deadline. */
function notifyAll({ db, notify }: Parts, channel: string, tenant_id: string): void {
  notify(channel, tenant_id)
  void announce(db.forTenant(tenant_id), channel, tenant_id).catch(() => {})
}

/** The side that asks. */
function createAsking(services: Parts): Pick<ResponderListener, 'ask' | 'abort' | 'notify'> {
  const asked = new Map<string, (ending: Ending) => void>()
  return {
    async ask({ tenant_id, id, body, timeout_ms }) {
      const ending = Promise.withResolvers<Ending>()
      const late = Promise.withResolvers<Heard>()
      asked.set(id, ending.resolve)
      const timers = [
        setTimeout(ending.resolve, timeout_ms, 'timeout'),
        setTimeout(late.resolve, timeout_ms + GRACE_MS, TIMEOUT),
      ]
      const about = { db: services.db.forTenant(tenant_id), tenant_id }
      const question = { id, transaction: body, timeout_ms }
      const onStored = () => notifyAll(services, QUESTIONS, tenant_id)
      try {
        return await Promise.race([late.promise, hear(about, question, onStored, ending.promise)])
      } catch {
        return { kind: 'unanswered', error: 'the question cannot be stored' }
      } finally {
        asked.delete(id)
        for (const timer of timers) clearTimeout(timer)
      }
    },
    abort() {
      for (const end of asked.values()) end('aborted')
    },
    notify(channel) {
      if (channel.startsWith(ANSWER)) asked.get(channel.slice(ANSWER.length))?.('answered')
    },
  }
}

/** Stores the question, waits for its end, and takes the answer that is there then. */
async function hear(
  about: Pick<Context, 'db' | 'tenant_id'>,
  question: Parameters<typeof insertQuestion>[1],
  onStored: () => void,
  ended: Promise<Ending>,
): Promise<Heard> {
  await insertQuestion(about, question)
  onStored()
  if ((await ended) === 'aborted') return { kind: 'aborted' }
  const answer = await updateOver(about, question.id)
  return answer === null ? TIMEOUT : { kind: 'answered', answer }
}

async function acceptAnswer(tx: Tx, id: string, answer: ResponderAnswer): Promise<void> {
  const question = await lockQuestion(tx, id)
  if (!question) throw new ApiError('not_found')
  if (question.answer !== null) throw new ApiError('question_answered')
  if (question.is_over) throw new ApiError('question_overdue')
  const { amount = null } = answer
  if (amount !== null) {
    const read = parseAmount(amount, question.currency)
    if (!read.ok) throw invalid('amount', read.message)
  }
  await updateAnswer(tx, id, answer)
}
