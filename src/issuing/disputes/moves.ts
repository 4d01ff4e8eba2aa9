/** The moves of disputes: state, money, history and event in one transaction (D-1061, D-1062). */

import { emit } from '#events/outbox.ts'
import { takeCharges } from '#issuing/charges/charges.ts'
import { type KeptAccount, moveLocked, openProgramAccounts } from '#issuing/ledger/ledger.ts'
import { available } from '#issuing/ledger/rules.ts'
import { findProduct } from '#issuing/products/products.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { recordOwnChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { disputeMoved } from './events.ts'
import { leftFor, lockWithMoney, moveBy, readAmount } from './find.ts'
import { presentDispute } from './present.ts'
import { placesOf, postingsOf } from './rules/money.ts'
import { submitBy } from './rules/open.ts'
import { checkMove, deadlineOf, dueOf, type Step } from './rules/states.ts'
import type { Dispute, DisputeRow, NetworkMove } from './schema.ts'
import { updateDisputeRow } from './store.ts'

type Stepped = { step: Step; note?: string; amount?: number | string }

/**
 * Moves a dispute by one step. Fails with `dispute_move_refused`; a draft that is submitted also
 * with `dispute_too_late`; both that and an arbitration with `dispute_exceeds_amount`, if refunds
 * and other disputes have left less since it was opened.
 */
export function moveDispute(ctx: Context | Tx, id: string, stepped: Stepped): Promise<Dispute> {
  return transact(ctx, async (tx) => presentDispute(await step(tx, id, stepped)))
}

/**
 * The card network says something about a dispute (D-1063): the one function for files, for the
 * operator and for the simulated scheme. SENT says that the message of `outgoing` leaves in this
 * transaction. If a refund has left too little for a chargeback meanwhile, the dispute returns
 * to DRAFT instead, and nothing may be sent: the caller looks at the status that is returned.
 */
export function recordNetworkMove(
  ctx: Context | Tx,
  id: string,
  { step: said, amount, note }: NetworkMove,
): Promise<Dispute> {
  if (amount !== undefined && said !== 'REPRESENT') throw invalid('amount', 'is for REPRESENT only')
  const given = { ...(note !== undefined && { note }), ...(amount !== undefined && { amount }) }
  if (said !== 'SENT') return moveDispute(ctx, id, { step: said, ...given })
  return transact(ctx, async (tx) => {
    const { row } = await lockWithMoney(tx, id)
    if (row.outgoing === null || row.outgoing === 'CHARGEBACK') {
      return presentDispute(await step(tx, id, { step: 'CHARGEBACK', ...given }))
    }
    const sent: DisputeRow = { ...row, outgoing: null, modified: tx.now }
    await updateDisputeRow(tx, sent)
    return presentDispute(sent)
  })
}

/** Steps that ask the network for the whole amount. */
const ASKING: readonly Step[] = ['SUBMIT', 'CHARGEBACK', 'ARBITRATE']

async function step(tx: Tx, id: string, stepped: Stepped): Promise<DisputeRow> {
  const { row, transaction, account } = await lockWithMoney(tx, id)
  // Another process may have moved it, or its deadline, since the sweep looked at it.
  if (stepped.step === 'EXPIRE' && (!row.deadline || row.deadline > tx.now)) return row
  const submit_by = submitBy(transaction, row)
  const move = unwrap(checkMove(row.status, stepped.step))
  if (move.step === 'SUBMIT' && submit_by <= tx.now) throw new ApiError('dispute_too_late')
  if (ASKING.includes(move.step)) {
    const left = await leftFor(tx, transaction, row.id)
    if (left < row.amount) {
      if (move.step !== 'CHARGEBACK') throw new ApiError('dispute_exceeds_amount')
      const note = 'The transaction was refunded before the chargeback left.'
      return step(tx, id, { step: 'REJECT', note })
    }
  }
  const represented = representedBy(row, stepped, account)
  const deadline = deadlineOf(move.to, tx.now, { scheme: row.scheme, submit_by })
  const moved = moveBy(tx, {
    step: move.step,
    status: move.to,
    ...(stepped.note !== undefined && { note: stepped.note }),
    ...(move.step === 'REPRESENT' && { amount: String(represented) }),
  })
  const placed: DisputeRow = {
    ...row,
    represented,
    ...(move.step === 'SUBMIT' && {
      provisional_credit: (await readSettings(tx)).dispute_provisional_credit,
    }),
    status: move.to,
    outcome: move.outcome ?? null,
    outgoing: move.outgoing ?? null,
    deadline,
    due: dueOf(move.to, deadline, false),
    alerted: false,
    moves: [...row.moves, moved],
    modified: tx.now,
  }
  const after = { ...placed, ...placesOf(placed) }
  await post(tx, row, after, account)
  await updateDisputeRow(tx, after)
  await emit(tx, disputeMoved(row, after))
  const { step: name, note = '', amount } = moved
  const said = { step: name, ...(note && { note }), ...(amount !== undefined && { amount }) }
  recordOwnChange(tx, { operation: 'recordDisputeStep', object_id: id, said })
  return after
}

/** The amount the merchant's side has taken back; a dispute begun anew begins without it. */
function representedBy(row: DisputeRow, { step, amount }: Stepped, account: KeptAccount): bigint {
  if (step === 'SUBMIT') return 0n
  if (step !== 'REPRESENT') return row.represented
  const part = readAmount(amount, account) ?? row.amount
  if (part > row.amount) throw invalid('amount', 'is above the amount of the dispute')
  return part
}

async function post(tx: Tx, before: DisputeRow, after: DisputeRow, account: KeptAccount) {
  const left = available(account)
  const covered = left > 0n ? left : 0n
  const { transfers, debt } = postingsOf(tx.tenant_id, before, after, covered)
  if (transfers.length === 0) return
  await openProgramAccounts(tx, before.currency)
  await moveLocked(tx, [account], transfers)
  if (debt === 0n) return
  const { id: account_id, currency, card_product_id } = account
  const product = card_product_id === null ? undefined : await findProduct(tx, card_product_id)
  const forced = product?.allow_negative_charges ?? false
  const description = 'Credit of a dispute, taken back'
  await takeCharges(tx, [
    { account_id, type: 'DISPUTE', amount: debt, currency, description, forced },
  ])
}
