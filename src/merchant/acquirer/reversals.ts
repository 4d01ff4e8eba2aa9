/** The reversals of a message whose outcome was not known (D-131, D-874). */

import type { Tx } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ADVICES } from './due.ts'
import { NO_ORIGINAL } from './rules.ts'
import {
  findMessage,
  insertCardAgain,
  insertMessage,
  listReversals,
  lockMessage,
  type MessageRow,
  nextStamp,
} from './store.ts'
import { type Card, reversalFields } from './wire.ts'

/** So many reversals of one message follow the first. */
const FURTHER_MAX = 3

/** Records a reversal that is sent until it is acknowledged. */
export async function recordReversal(tx: Tx, message: MessageRow): Promise<void> {
  const { id: reverses, mti } = message
  const fields = reversalFields(mti, message.fields, null, '68', await nextStamp(tx))
  await insertReversal(tx, message, { fields, due: tx.now, reverses, attempts: 0 })
}

/**
 * An approval of a reversed message has come: its reversal is sent once more, as its repeat, since
 * the issuer may have acknowledged the first one before it knew the message. Nothing if no reversal
 * was sent yet, because the one to come is late enough. `card` is sealed again if it was deleted;
 * undefined if a message of the payment may still follow anyway.
 */
export async function reverseAgain(tx: Tx, id: string, card: Card | undefined): Promise<void> {
  const message = await lockMessage(tx, id)
  if (!message || !isReversed(message)) return
  const reversals = await listReversals(tx, message)
  const [first] = reversals
  if (!first || reversals.length > FURTHER_MAX) return
  if (reversals.some(({ attempts }) => attempts === 0)) return
  if (card) await insertCardAgain(tx, message.authorization_id, card)
  // The answer to one that is under way may be of the time before the approval.
  const due = first.due ?? tx.now
  await insertReversal(tx, message, { fields: first.fields, due, reverses: id, attempts: 1 })
}

/**
 * The issuer has answered that it has no original of a repeat that followed an approval: it may
 * answer repeats from its memory, so one reversal follows that is new to it.
 */
export async function reverseAnew(tx: Tx, repeat: MessageRow): Promise<void> {
  const { reverses, response_code, id } = repeat
  if (reverses === null || response_code !== NO_ORIGINAL) return
  const message = await findMessage(tx, reverses)
  const reversals = message ? await listReversals(tx, message) : []
  const [first] = reversals
  if (!message || !first || reversals.length > FURTHER_MAX) return
  if (first.id !== id && stanOf(first) === stanOf(repeat)) await recordReversal(tx, message)
}

export const isReversed = ({ status }: MessageRow): boolean =>
  status === 'REVERSING' || status === 'REVERSED'

const stanOf = ({ fields }: MessageRow) => (fields as Record<string, string>)[11]

type Reversal = Pick<MessageRow, 'fields' | 'due' | 'reverses' | 'attempts'>

async function insertReversal(
  tx: Tx,
  { authorization_id, issuer }: MessageRow,
  reversal: Reversal,
): Promise<void> {
  await insertMessage(tx, {
    id: newId(),
    authorization_id,
    issuer,
    mti: '0420',
    ...reversal,
  }).start()
  tx.afterCommit(() => tx.notify(ADVICES, tx.tenant_id))
}
