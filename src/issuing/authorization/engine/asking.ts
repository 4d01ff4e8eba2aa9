/**
 * Messages about which a security module (D-1013) or the tenant's responder (D-58, D-470) must be
 * asked first. The batch sets them aside. While the question is open they are in no batch, and no
 * batch takes from the queue of their card, because later messages are decided on their effect. A
 * module is asked before the batch is written, the responder once it is committed.
 */

import { mergeSettings, responderKeys } from '#issuing/tenants/tenants.ts'
import { present } from '#issuing/transactions/rules.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { inSpan } from '#kit/tracing/tracing.ts'
import type { Question } from '../decide/question.ts'
import type { Inquiry, Responder } from '../responder/responder.ts'
import type { Left } from './apart.ts'
import type { Decided } from './batch.ts'
import type { Lane } from './lane.ts'
import type { CardQueue, Pending } from './pending.ts'

/** No proof is waited for longer; by then the sender of the message has given up. */
const ANSWER_MS = 4_000
/** A module that is asked at all gets so long. */
const LEAST_MS = 10

export class Asking {
  readonly #services: Services
  readonly #responder: Responder

  constructor(services: Services, responder: Responder) {
    this.#services = services
    this.#responder = responder
  }

  /** Before any other batch takes from the queues of these messages. */
  hold(lane: Lane, decided: Decided): void {
    for (const queue of queuesAsked(decided.taken, decided)) lane.hold(queue)
  }

  /**
   * Asks a module about messages that have left their batch. They are taken again once it has
   * answered; `start` is called then. Several messages of a card ask at one time.
   */
  askAhead(lane: Lane, left: readonly Left[], start: () => void): void {
    for (const [queue, asking] of Map.groupBy(left, ({ pending }) => pending.queue)) {
      lane.beginAsking(queue)
      const ends = asking.flatMap(({ pending, inquiry }) =>
        inquiry ? [inquiry.ask(patienceOf(pending))] : [],
      )
      void Promise.all(ends).then(() => {
        lane.endAsking(queue)
        start()
      })
    }
    lane.giveBack(left.map(({ pending }) => pending))
  }

  /**
   * Asks about the messages of a batch that has ended. Answers their queues, which are held until
   * `release` is called for each.
   */
  ask(
    lane: Lane,
    taken: readonly Pending[],
    decided: Decided,
    release: (queue: CardQueue) => void,
  ): ReadonlySet<CardQueue> {
    const asked = [...decided.questions].flatMap(([at, question]) => {
      const pending = taken[at]
      if (!pending) return []
      const end =
        'ask' in question
          ? question.ask(patienceOf(pending))
          : this.#askAbout(pending, this.#inquiryOf(lane.tenant_id, question, decided))
      return [{ queue: pending.queue, end }]
    })
    // Several messages of a card ask at one time, and are decided together.
    for (const [queue, questions] of Map.groupBy(asked, ({ queue }) => queue)) {
      void Promise.all(questions.map(({ end }) => end)).then(() => release(queue))
    }
    return queuesAsked(taken, decided)
  }

  stop(): void {
    this.#responder.stop()
  }

  async #askAbout(pending: Pending, inquiry: Inquiry): Promise<void> {
    const parent = pending.spans?.place
    const ask = () => this.#responder.ask(inquiry)
    pending.verdict = await inSpan('responder', { kind: 'client', parent }, ask)
    pending.asked_id = inquiry.id
  }

  #inquiryOf(
    tenant_id: string,
    { id, transaction }: Question,
    { stored_settings, signing, workingSet: { now } }: Decided,
  ): Inquiry {
    const { keys, profile } = this.#services
    const settings = mergeSettings(stored_settings, profile)
    const { responder, allow_private_endpoints: allow_private } = settings
    if (!responder) throw new Error('a question without a responder')
    return {
      tenant_id,
      settings: responder,
      allow_private,
      keys: () => responderKeys({ keys, tenant_id }, signing, now),
      id,
      body: JSON.stringify(present(transaction)),
      requested: transaction,
      real_now: new Date(now.getTime() - Number(signing.clock_offset_ms)),
    }
  }
}

/** How long its sender still waits for the answer, milliseconds. */
function patienceOf({ request, received, verdict }: Pending): number {
  const end = Math.min(request.deadline ?? Number.POSITIVE_INFINITY, received + ANSWER_MS)
  return Math.max(LEAST_MS, end + (verdict?.ms ?? 0) - performance.now())
}

const queuesAsked = (taken: readonly Pending[], { questions }: Decided): Set<CardQueue> =>
  new Set([...questions.keys()].flatMap((at) => taken[at]?.queue ?? []))
