/** The answer to a repeat of the message that made a transaction, from the transaction (D-109). */

import type { MakingAnswer, TransactionRow } from '#issuing/transactions/rules.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import { DECLINED, isRequest } from './undone.ts'

/** The members of an answer that the row of its transaction does not show. */
export function makingAnswer({
  approval_code,
  available,
  emv,
  hints,
}: AuthorizationAnswer): MakingAnswer {
  return {
    ...(approval_code !== undefined && { approval_code }),
    ...(emv !== undefined && { emv }),
    ...(available && {
      available: {
        amount: String(available.amount),
        ledger: String(available.ledger),
        currency: available.currency,
      },
    }),
    hints,
  }
}

/** The message that made a transaction, with its answer; undefined if none of the network did. */
export function makingMessage(row: TransactionRow) {
  const { message, id, message_type } = row
  if (!message) return undefined
  const { key, fingerprint } = message
  return { key, mti: message_type, transaction_id: id, fingerprint, answer: answerOf(row, message) }
}

type Made = NonNullable<TransactionRow['message']>

/** The first event of a transaction is what its message did. */
function answerOf(row: TransactionRow, { answer }: Made): AuthorizationAnswer {
  const [first] = row.events
  if (!first) throw new Error(`transaction ${row.id} has no event`)
  const approved = first.type !== 'DECLINED'
  const { approval_code, available, emv, hints } = answer
  const given: AuthorizationAnswer = {
    transaction_id: row.id,
    status_code: first.status_code,
    approved,
    amount: approved ? BigInt(first.amount) : 0n,
    hints,
    repeated: false,
    ...(available && {
      available: {
        amount: BigInt(available.amount),
        ledger: BigInt(available.ledger),
        currency: available.currency,
      },
    }),
  }
  if (row.withdrawn && approved && isRequest(row.message_type)) return { ...given, ...DECLINED }
  return {
    ...given,
    ...(approval_code !== undefined && { approval_code }),
    ...(emv !== undefined && { emv }),
  }
}
