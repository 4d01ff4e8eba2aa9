/** A stored dispute as it is answered and reported: minor units become decimals. */

import { formatAmount } from '#lib/money.ts'
import type { Dispute, DisputeRow, StoredMove } from './schema.ts'

export function presentDispute(row: DisputeRow): Dispute {
  const { id, transaction_id, account_id, card_id, user_id, status, outcome, reason } = row
  const { scheme, reason_code, explanation, evidence, currency, provisional_credit } = row
  const { outgoing, deadline, created, modified } = row
  const shown = (minor: bigint) => formatAmount(minor, currency)
  return {
    id,
    transaction_id,
    account_id,
    card_id,
    ...(user_id !== null && { user_id }),
    status,
    ...(outcome !== null && { outcome }),
    reason,
    ...(scheme !== null && { scheme }),
    ...(reason_code !== null && { reason_code }),
    explanation,
    evidence,
    amount: shown(row.amount),
    currency,
    provisional_credit,
    credited_amount: shown(row.credited),
    recovered_amount: shown(row.recovered),
    represented_amount: shown(row.represented),
    ...(outgoing !== null && { outgoing }),
    ...(deadline !== null && { deadline }),
    moves: row.moves.map((move) => presentMove(move, currency)),
    created,
    modified,
  }
}

const presentMove = ({ amount, created, ...move }: StoredMove, currency: string) => ({
  ...move,
  ...(amount !== undefined && { amount: formatAmount(BigInt(amount), currency) }),
  created: new Date(created),
})
