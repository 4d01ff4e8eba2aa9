/** Public functions of disputes: opened, changed and read here, moved in moves.ts (D-1060). */

import { emit } from '#events/outbox.ts'
import { findCard } from '#issuing/cards/cards.ts'
import { readSettings, withinTenant } from '#issuing/tenants/tenants.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { asInvalid, invalid } from '#kit/http/answers/problems.ts'
import { listPage, type PageRange } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { disputeMoved } from './events.ts'
import { findStored, leftFor, lockDisputed, lockWithMoney, moveBy, readAmount } from './find.ts'
import { presentDispute } from './present.ts'
import { checkAmount, codeFor, settledPart, submitBy } from './rules/open.ts'
import { schemeOf } from './rules/reasons.ts'
import { checkMove, dueOf } from './rules/states.ts'
import {
  type AnswerableDispute,
  Dispute,
  type DisputeChanges,
  type DisputeQuery,
  type DisputeRow,
  type NewDispute,
  type OutgoingDispute,
} from './schema.ts'
import {
  insertDispute,
  listDisputeRows,
  listDisputesAbout,
  listOutgoingRows,
  lockDisputeRow,
  updateDisputeRow,
} from './store.ts'

export { auditDisputes } from './audit.ts'
export { addMerchantFiles, type MerchantFile, sealedDisputeFileKeys } from './files.ts'
export { moveDispute, recordNetworkMove } from './moves.ts'
export { disputesDue } from './store.ts'

/** The most disputes of one look at what has to leave. */
const OUTGOING_MOST = 1000

/**
 * Opens a dispute as a DRAFT. Fails with `nothing_to_dispute`, `dispute_exceeds_amount`,
 * `dispute_too_late`, `id_taken`, and 400 on transaction, amount and code. The account is locked,
 * whose balance every refund changes: so refunds and other disputes of the transaction are seen,
 * or wait.
 */
export function openDispute(ctx: Context | Tx, input: NewDispute): Promise<Dispute> {
  return transact(ctx, async (tx) => {
    const id = input.id?.toLowerCase() ?? newId()
    const isNone = asInvalid('transaction_id', 'names no transaction')
    const { transaction, account } = await lockDisputed(tx, input.transaction_id).catch(isNone)
    const { bin } = await findCard(tx, transaction.card_id)
    const scheme = schemeOf(bin)
    const { reason, explanation, evidence = {} } = input
    const reason_code = codeOfInput(scheme, reason, input.reason_code)
    const amount = await amountOf(tx, transaction, id, readAmount(input.amount, account))
    const { dispute_provisional_credit } = await readSettings(tx)
    const deadline = submitBy(transaction, { scheme, reason, reason_code })
    if (deadline <= tx.now) throw new ApiError('dispute_too_late')
    const row: DisputeRow = {
      ...{ id, reason, scheme, reason_code, explanation, evidence, amount, deadline },
      transaction_id: transaction.id,
      account_id: account.id,
      card_id: transaction.card_id,
      user_id: transaction.user_id,
      status: 'DRAFT',
      outcome: null,
      currency: account.currency,
      settled: settledPart(transaction, amount),
      represented: 0n,
      provisional_credit: dispute_provisional_credit,
      credited: 0n,
      recovered: 0n,
      outgoing: null,
      due: dueOf('DRAFT', deadline, false),
      alerted: false,
      moves: [moveBy(tx, { step: 'OPEN', status: 'DRAFT' })],
      created: tx.now,
      modified: tx.now,
    }
    if (!(await insertDispute(tx, row))) throw new ApiError('id_taken')
    await emit(tx, disputeMoved(undefined, row))
    return presentDispute(row)
  })
}

/** Changes a DRAFT: only what is sent. Fails as `openDispute`, and with `dispute_not_draft`. */
export function changeDispute(
  ctx: Context | Tx,
  id: string,
  changes: DisputeChanges,
): Promise<Dispute> {
  return transact(ctx, async (tx) => {
    const { row, transaction, account } = await lockWithMoney(tx, id)
    if (row.status !== 'DRAFT') throw new ApiError('dispute_not_draft')
    const { reason = row.reason, explanation = row.explanation, evidence = row.evidence } = changes
    const keeps = reason === row.reason && changes.reason_code === undefined
    const reason_code = keeps
      ? row.reason_code
      : codeOfInput(row.scheme, reason, changes.reason_code)
    const amount =
      changes.amount === undefined
        ? row.amount
        : await amountOf(tx, transaction, row.id, readAmount(changes.amount, account))
    const deadline = submitBy(transaction, { scheme: row.scheme, reason, reason_code })
    if (deadline <= tx.now) throw new ApiError('dispute_too_late')
    const after: DisputeRow = {
      ...{ ...row, reason, reason_code, explanation, evidence, amount, deadline },
      settled: settledPart(transaction, amount),
      due: dueOf('DRAFT', deadline, row.alerted),
      modified: tx.now,
    }
    await updateDisputeRow(tx, after)
    return presentDispute(after)
  })
}

/** The object that calls change whose path has no GET. */
export const disputeObject = {
  schema: Dispute,
  read: async (tx: Tx, { params }: { params: { id: string } }) => {
    const row = await lockDisputeRow(tx, params.id)
    if (!row) throw new ApiError('not_found')
    return presentDispute(row)
  },
}

export async function findDispute(ctx: Context | Tx, id: string): Promise<Dispute> {
  return presentDispute(await findStored(ctx, id))
}

/** Newest first, or the next deadline first (D-1222). */
export async function listDisputes(ctx: Context, query: DisputeQuery): Promise<Page<Dispute>> {
  const read = (range: PageRange) => listDisputeRows(ctx, query, range)
  const page =
    query.sort_by === 'deadline'
      ? await listPage('disputes by deadline', query, read, keyByDeadline)
      : await listPage('disputes', query, read)
  return { ...page, data: page.data.map(presentDispute) }
}

const keyByDeadline = ({ id, deadline, created }: DisputeRow) => ({
  id,
  created: (deadline ?? created).toISOString(),
})

/**
 * The disputes of a tenant with a message that has to leave for the card network (D-1063), longest
 * first. Their writer calls `recordNetworkMove` for each, in the transaction of its record.
 */
export async function listOutgoing(ctx: Context, tenant_id: string): Promise<{ data: Dispute[] }> {
  const rows = await listOutgoingRows(await withinTenant(ctx, tenant_id), OUTGOING_MOST)
  return { data: rows.map(presentDispute) }
}

/** The first of them within the tenant of the context, by their ids. */
export const listLeaving = async (ctx: Context, limit: number): Promise<string[]> =>
  (await listOutgoingRows(ctx, limit)).map(({ id }) => id)

/** The disputes about these transactions that the network may answer (D-1063). */
export async function listAnswerable(
  ctx: Context,
  transaction_ids: readonly string[],
): Promise<AnswerableDispute[]> {
  if (transaction_ids.length === 0) return []
  const answers = ['REPRESENT', 'REJECT'] as const
  const rows = await listDisputesAbout(ctx, transaction_ids)
  return rows.flatMap(({ id, transaction_id, card_id, amount, settled, currency, status }) => {
    const steps = answers.filter((step) => checkMove(status, step).ok)
    return steps.length === 0
      ? []
      : [{ id, transaction_id, card_id, amount, settled, currency, steps }]
  })
}

/**
 * Locks a dispute and its money, for the transaction in which its message leaves; undefined if it
 * has none any more.
 */
export async function lockOutgoing(tx: Tx, id: string): Promise<OutgoingDispute | undefined> {
  const { row } = await lockWithMoney(tx, id)
  const { outgoing } = row
  return outgoing === null ? undefined : { ...row, outgoing }
}

const amountOf = async (tx: Tx, row: TransactionRow, id: string, wanted: bigint | undefined) =>
  unwrap(checkAmount(await leftFor(tx, row, id), wanted))

function codeOfInput(...of: Parameters<typeof codeFor>): string | null {
  const code = codeFor(...of)
  if (code === undefined) throw invalid('reason_code', 'is not a code of the reason and the scheme')
  return code
}
