/** The conclusion about a message once its answer is known, and until it is (D-131). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import type { IssuerLink } from './link.ts'
import { isReversed, recordReversal, reverseAgain, reverseAnew } from './reversals.ts'
import { isAcknowledged, type Outcome, resendAt } from './rules.ts'
import { LinkClosed, transmit } from './sending.ts'
import {
  deleteCard,
  deleteUnneededCard,
  findMessage,
  updateMessageDue,
  updateMessageFinished,
  updateMessageReversed,
} from './store.ts'
import type { Card } from './wire.ts'

export type Conclusion =
  /** Not approved: nothing is in effect, because it took none or was reversed. */
  | { known: true; approved: boolean }
  /** `due`: when the same message is to be sent again. Null: its reversal decides. */
  | { known: false; due: Date | null }

/** Called for a message whose reversal is acknowledged, in the transaction that records it. */
export type TakenBack = (tx: Tx, message_id: string) => Promise<void>

/**
 * Records the outcome of a message once; later calls return the recorded outcome. A request
 * without a decided answer is reversed: the reversal is recorded here and sent until it is
 * acknowledged. A completion is sent again. One that was reversed meanwhile and is approved all the
 * same is reversed once more (D-874); `card` is that of an authorization, for this.
 */
export async function conclude(
  tx: Tx,
  id: string,
  outcome: Outcome,
  card?: Card,
): Promise<Conclusion> {
  const finished = await updateMessageFinished(tx, id, changesOf(outcome))
  if (finished?.status === 'REVERSING') await recordReversal(tx, finished)
  if (
    finished?.mti === '0100' &&
    (finished.status === 'DECLINED' || finished.status === 'UNSENT')
  ) {
    await deleteCard(tx, finished.authorization_id)
  }
  const message = finished ?? (await findMessage(tx, id))
  if (!message) throw new Error('a message to the issuer is missing')
  const isLate = !finished && isReversed(message)
  if (isLate && outcome.kind === 'answered' && outcome.approved) await reverseAgain(tx, id, card)
  const { status, attempts } = message
  if (status === 'PENDING') return { known: false, due: resendAt(tx.now, attempts) }
  if (status === 'REVERSING') return { known: false, due: null }
  return { known: true, approved: status === 'APPROVED' }
}

/**
 * Sends an advice once, and either records that it is acknowledged or notes when it is sent again.
 * `onTakenBack` is called when the advice reverses a message whose outcome was not known.
 */
export async function forward(
  ctx: Context,
  link: IssuerLink,
  id: string,
  onTakenBack?: TakenBack,
): Promise<boolean> {
  const outcome = await transmit(ctx, link, id).catch(whileOpen)
  if (!outcome) return false
  const message = await findMessage(ctx, id)
  const { attempts = 0, reverses = null } = message ?? {}
  if (isAcknowledged(outcome, reverses !== null)) {
    await transact(ctx, (tx) => acknowledge(tx, id, outcome, onTakenBack))
    return true
  }
  if (message) await updateMessageDue(ctx, message, resendAt(ctx.now, attempts))
  return false
}

/** A process that ends leaves its messages to another process. */
function whileOpen(error: unknown): undefined {
  if (!(error instanceof LinkClosed)) throw error
}

/** The card of an authorization that is released in full is deleted. */
async function acknowledge(
  tx: Tx,
  id: string,
  outcome: Outcome,
  onTakenBack: TakenBack | undefined,
): Promise<void> {
  const response_code = outcome.kind === 'answered' ? outcome.response_code : null
  const message = await updateMessageFinished(tx, id, { status: 'APPROVED', response_code })
  if (!message) return
  if (message.reverses !== null) {
    // The owner of the message is locked before the message, as everywhere.
    await onTakenBack?.(tx, message.reverses)
    await updateMessageReversed(tx, message.reverses)
    await reverseAnew(tx, message)
  }
  const fields = message.fields as Record<string, string | undefined>
  const whole = fields[90]?.startsWith('0100') === true && fields[95] === undefined
  if (whole) await deleteUnneededCard(tx, message.authorization_id)
}

function changesOf(outcome: Outcome) {
  if (outcome.kind !== 'answered') return outcome.kind
  const { approved, response_code, approval_code } = outcome
  return {
    status: approved ? ('APPROVED' as const) : ('DECLINED' as const),
    response_code,
    approval_code,
  }
}
