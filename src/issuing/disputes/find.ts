/** Disputes with the locks of their money, and who makes a step. */

import { type KeptAccount, lockAccounts } from '#issuing/ledger/ledger.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { findStoredTransaction } from '#issuing/transactions/transactions.ts'
import type { Context, Tx } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { parseAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import { settledOf } from './rules/open.ts'
import type { DisputeRow, StoredMove } from './schema.ts'
import { findDisputed, findDisputeRow, lockDisputeRow } from './store.ts'

/** A dispute with the locks of its money: the account first, as every use case. */
export async function lockWithMoney(tx: Tx, id: string) {
  const { transaction_id } = await findStored(tx, id)
  const { transaction, account } = await lockDisputed(tx, transaction_id)
  const row = await lockDisputeRow(tx, id)
  if (!row) throw new ApiError('not_found')
  return { row, transaction, account }
}

type Disputed = TransactionRow & { card_id: string }

export async function lockDisputed(
  tx: Tx,
  transaction_id: string,
): Promise<{ transaction: Disputed; account: KeptAccount }> {
  const { account_id } = await findStoredTransaction(tx, transaction_id)
  const [account] = account_id === null ? [] : await lockAccounts(tx, [account_id])
  // Read behind the lock: refunds until then are in it.
  const { card_id, ...transaction } = await findStoredTransaction(tx, transaction_id)
  if (!account || card_id === null) throw new ApiError('nothing_to_dispute')
  return { transaction: { ...transaction, card_id }, account }
}

/** The amount of the transaction that is left for this dispute. */
export const leftFor = async (tx: Tx, row: TransactionRow, id: string): Promise<bigint> =>
  settledOf(row) - (await findDisputed(tx, row.id, id))

export function readAmount(
  amount: number | string | undefined,
  { currency }: Pick<KeptAccount, 'currency'>,
): bigint | undefined {
  if (amount === undefined) return undefined
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  if (parsed.minor === 0n) throw invalid('amount', 'must be above zero')
  return parsed.minor
}

export async function findStored(ctx: Context | Tx, id: string): Promise<DisputeRow> {
  const row = await findDisputeRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** A step of now by the caller: the person, where it comes with a session. */
export function moveBy(
  { now, actor, member }: Context,
  step: Pick<StoredMove, 'step' | 'status' | 'note' | 'amount'>,
): StoredMove {
  const author = member ? { kind: 'member', id: member.id } : { kind: actor.kind, id: actor.id }
  return { ...step, author, created: now.toISOString() }
}
