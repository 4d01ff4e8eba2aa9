/** Answers of batches, those in doubt too (D-300, D-301). */

import type { Services } from '#kit/http/callers/callers.ts'
import { isPostedAgainst } from '../decide/messages/answers.ts'
import { isReversible, unansweredOf } from '../decide/state/unanswered.ts'
import { metrics } from '../metrics.ts'
import type { Answers, Decided } from './batch.ts'
import type { Batch } from './chain.ts'
import { engineContext } from './context.ts'
import { isBatchKept } from './doubt.ts'
import { DecidedTooLate, type EngineLimits, isTooLate, OutcomeUnknown } from './errors.ts'
import { type Lane, queuesOf } from './lane.ts'
import type { Pending } from './pending.ts'
import type { UnansweredQueue } from './unanswered_queue.ts'

/** How often requests in doubt are checked for those that waited too long. */
const LOOK_MS = 50

export class Outcomes {
  readonly #services: Services
  readonly #unanswered: UnansweredQueue
  readonly #limits: Pick<EngineLimits, 'answer_ms'>
  /** Whether no caller waits for an outcome any more. */
  readonly #isStopped: () => boolean

  constructor(
    services: Services,
    unanswered: UnansweredQueue,
    limits: Pick<EngineLimits, 'answer_ms'>,
    isStopped: () => boolean,
  ) {
    this.#services = services
    this.#unanswered = unanswered
    this.#limits = limits
    this.#isStopped = isStopped
  }

  /**
   * Answers a batch that was committed. Requests that came too long ago get none; their approvals
   * wait to be reversed once this resolves, which it does without a fault.
   */
  async answer(lane: Lane, taken: readonly Pending[], answers: Answers): Promise<void> {
    const end = performance.now()
    for (const [at, pending] of taken.entries()) {
      const answer = answers[at]
      if (!answer || !pending.isOpen) continue
      metrics.authorizations.inc({ status_code: answer.status_code })
      if (isPostedAgainst(pending.request, answer)) {
        metrics.presentmentsAgainst.inc({ status_code: answer.status_code })
      }
      metrics.authorizationSeconds.observe((end - pending.received) / 1000)
      if (isTooLate(pending, this.#limits)) lane.reject(pending, new DecidedTooLate(undefined))
      else lane.resolve(pending, answer)
    }
    await this.#reverseUnanswered(lane, taken, answers)
  }

  /**
   * Finds the outcomes of batches at the same time (D-415). `giveBack` gets each as soon as its
   * outcome is known; those that have cards in common together, so that these keep their order.
   */
  async resolveAll(
    lane: Lane,
    batches: readonly Batch[],
    giveBack: (batches: readonly Batch[]) => void,
  ): Promise<void> {
    const joined = batches.filter((batch) => batches.some((other) => haveCommonCards(batch, other)))
    await Promise.all(
      batches.map(async (batch) => {
        if (batch.decided) await this.resolve(lane, batch.taken, batch.decided)
        if (!joined.includes(batch)) giveBack([batch])
      }),
    )
    if (joined.length > 0) giveBack(joined)
  }

  /**
   * Finds the outcome of a batch in doubt. Its cards wait meanwhile, so that no repeat is answered
   * before that is known.
   */
  async resolve(
    lane: Lane,
    taken: readonly Pending[],
    { id, answers }: Decided,
  ): Promise<boolean | undefined> {
    const looks = setInterval(() => this.#giveUp(lane, taken), LOOK_MS)
    const ctx = engineContext(this.#services, lane.tenant_id)
    const kept = await isBatchKept(ctx, id, this.#isStopped)
    if (kept) await this.answer(lane, taken, answers)
    clearInterval(looks)
    if (kept === undefined) {
      for (const pending of taken) lane.reject(pending, new OutcomeUnknown(undefined))
    }
    return kept
  }

  /** No answer rather than a wrong one, to requests in doubt and to those behind them. */
  #giveUp(lane: Lane, taken: readonly Pending[]): void {
    const behind = new Set(taken.map(({ queue }) => queue))
    for (const pending of [...taken, ...[...behind].flatMap(({ waiting }) => waiting)]) {
      if (isTooLate(pending, this.#limits)) lane.reject(pending, new OutcomeUnknown(undefined))
    }
  }

  async #reverseUnanswered(lane: Lane, taken: readonly Pending[], answers: Answers): Promise<void> {
    const lost = taken.flatMap(({ request, state }, at) => {
      const answer = answers[at]
      if (state === 'answered' || !answer || !isReversible(request, answer)) return []
      return unansweredOf(request, answer) ?? []
    })
    if (lost.length > 0) await this.#unanswered.add(lane.tenant_id, lost)
  }
}

function haveCommonCards(one: Batch, other: Batch): boolean {
  const others = queuesOf([other])
  return one !== other && [...queuesOf([one])].some((queue) => others.has(queue))
}
