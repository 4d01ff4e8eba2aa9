/**
 * An approval that could not be written to its connection holds money that nobody will claim: it
 * is taken back by a reversal of our own (docs/iso8583.md 7, point 6).
 */

import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '#kit/log.ts'
import type { Secret } from '#lib/secret.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from './schema.ts'

/** Who decides. */
export type NetworkEngine = {
  /** Rejects only where nothing could be recorded. */
  submit(tenant_id: string, job: { request: AuthorizationRequest }): Promise<AuthorizationAnswer>
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
  /** Never rejects; what cannot be reversed is logged with its transaction. */
  reverse(approval: Approval): void
  /** Waits for the reversals under way, for some milliseconds at most. */
  settle(within: number): Promise<void>
}

/** Milliseconds before each try: past the last, the network's own reversal or the expiry helps. */
const TRIES = [0, 250, 1_000, 4_000]

export function openReversals(engine: NetworkEngine, log: Log): Reversals {
  const running = new Set<Promise<void>>()
  const reverse = async ({ tenant_id, request, answer }: Approval) => {
    const { transaction_id } = answer
    for (const delay of TRIES) {
      await wait(delay, undefined, { ref: false })
      try {
        const reversal = reversalOf(request, answer)
        const { status_code } = await engine.submit(tenant_id, { request: reversal })
        log.info({ transaction_id, status_code }, 'reversed an approval that could not be sent')
        return
      } catch (error) {
        log.warn({ transaction_id, err: error }, 'an approval that could not be sent still holds')
      }
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
 * A hold or posting is there to be taken back. That of a repeat is not: the first answer may have
 * arrived, and if it did not it was reversed when its own connection broke.
 */
export const needsReversal = ({ request, answer }: Approval): boolean =>
  answer.approved &&
  !answer.repeated &&
  answer.amount > 0n &&
  (request.message_type === '0100' || request.message_type === '0200')

/**
 * A reversal advice by the transaction's own id. Its key cannot be one of the network's, and stays
 * the same in every try. Proofs of the card are left behind: nothing of them is checked again.
 */
export function reversalOf(
  request: AuthorizationRequest,
  { transaction_id, amount }: AuthorizationAnswer,
): AuthorizationRequest {
  const { processing_code, card, currency, merchant, pos, entry_mode, three_ds } = request
  const { recurring, rrn, stan, acquirer_id } = request
  return {
    ...{ message_type: '0420', processing_code, card, amount, currency, merchant, pos, entry_mode },
    ...{ three_ds, recurring, partial_capable: false, is_verification: false },
    ...(rrn !== undefined && { rrn }),
    ...(stan !== undefined && { stan }),
    ...(acquirer_id !== undefined && { acquirer_id }),
    original: { transaction_id },
    duplicate_key: `UNSENT|${transaction_id}`,
  }
}
