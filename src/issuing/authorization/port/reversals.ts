/**
 * An approval that could not be written to its connection holds money that no merchant will claim:
 * the platform reverses it (docs/iso8583.md 7, point 6).
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#kit/log.ts'
import type { Secret } from '#lib/secret.ts'
import { isReversible, namesOf, unansweredOf } from '../decide/state/unanswered.ts'
import type { Submission } from '../engine/pending.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'

/** Decides the messages. */
export type NetworkEngine = {
  /** Rejects with OutcomeUnknown, or if nothing was recorded. */
  submit(tenant_id: string, submission: Omit<Submission, 'keep'>): Promise<AuthorizationAnswer>
  /** The tenant whose number range holds the card number. */
  tenantOfPan(pan: Secret): Promise<string | undefined>
}

/** An approval on its way to the network. */
export type Approval = {
  tenant_id: string
  request: AuthorizationRequest
  answer: AuthorizationAnswer
}

export type Reversals = {
  /** An answer could not be sent. Never rejects; a failed reversal is logged. */
  reverse(approval: Approval): void
  /** Waits for the reversals under way, for some milliseconds at most. */
  settle(within: number): Promise<void>
}

/** Milliseconds before the second try; the pause doubles up to the longest. */
const FIRST_PAUSE = 250
const LONGEST_PAUSE = 30_000

/**
 * Each reversal is retried until it is decided. Meanwhile the engine stores it as soon as the
 * database answers, so that the end of this process loses nothing (D-301).
 */
export function openReversals(engine: NetworkEngine, log: Log): Reversals {
  const running = new Set<Promise<void>>()
  const reverse = async ({ tenant_id, request, answer }: Approval) => {
    const { transaction_id } = answer
    const reverses = unansweredOf(request, answer)
    const submission = { request: reversalOf(request, answer), ...(reverses && { reverses }) }
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        const { status_code } = await engine.submit(tenant_id, submission)
        log.info({ transaction_id, status_code }, 'reversed an approval that could not be sent')
        return
      } catch (error) {
        log.warn({ transaction_id, err: error }, 'an approval that could not be sent still holds')
      }
      await wait(pause, undefined, { ref: false })
    }
  }
  return {
    reverse(approval) {
      const run = reverse(approval).finally(() => running.delete(run))
      running.add(run)
    },
    async settle(within) {
      const late = wait(within, undefined, { ref: false })
      await Promise.race([Promise.all(running), late])
    },
  }
}

/**
 * The function to call if the answer cannot be sent; undefined if nothing was approved that is held
 * or posted. The answer to a repeat counts as one more: the decision on the reversal knows whether
 * another may have arrived (D-528).
 */
export function whenUnsent(reversals: Reversals, approval: Approval): (() => void) | undefined {
  const { request, answer } = approval
  return isReversible(request, answer) ? () => reversals.reverse(approval) : undefined
}

/**
 * A reversal advice by the transaction's own id. Proofs of the card are left out: none of them is
 * checked again.
 */
function reversalOf(
  request: AuthorizationRequest,
  answer: AuthorizationAnswer,
): AuthorizationRequest {
  const { processing_code, card, currency, merchant, pos, entry_mode, three_ds } = request
  const { recurring, rrn, stan, acquirer_id } = request
  const { transaction_id, amount } = answer
  const one = unansweredOf(request, answer)
  return {
    message_type: '0420',
    processing_code,
    card,
    amount,
    currency,
    merchant,
    pos,
    entry_mode,
    three_ds,
    recurring,
    partial_capable: false,
    is_verification: false,
    ...(rrn !== undefined && { rrn }),
    ...(stan !== undefined && { stan }),
    ...(acquirer_id !== undefined && { acquirer_id }),
    ...(one
      ? namesOf(one)
      : { original: { transaction_id }, duplicate_key: `UNSENT|${transaction_id}` }),
  }
}
