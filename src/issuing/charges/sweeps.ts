/** Charges that become due: those of each month, and those that wait for funds (D-476, D-478). */

import { emitSequenced } from '#events/outbox.ts'
import { type KeptAccount, lockFreeAccounts, moveLocked } from '#issuing/ledger/ledger.ts'
import { credit } from '#issuing/ledger/rules.ts'
import type { NewTransfer } from '#issuing/ledger/schema.ts'
import { findProduct, type ProductRow } from '#issuing/products/products.ts'
import { chargeOf } from '#issuing/products/rules.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Tx, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { newId } from '#lib/id.ts'
import { CHARGES, takeCharges } from './charges.ts'
import { chargeApplied } from './events.ts'
import {
  appliedBy,
  chargeTransfer,
  dueOfMonth,
  postponed,
  reversalTransfer,
  takenFrom,
} from './rules.ts'
import type { ChargeRow } from './schema.ts'
import {
  chargesDue,
  type DueMonth,
  deleteMonthly,
  listDueAccounts,
  lockDueCharges,
  lockDueMonths,
  monthlyDue,
  updateCharges,
  updateMonths,
} from './store.ts'

/**
 * The most charges of one transaction, which locks as many accounts. Accounts that are locked
 * elsewhere come later (D-933).
 */
const PORTION = 100

export const chargeSweeps: readonly Sweep[] = [
  {
    ...monthlyDue,
    run: (ctx) => transact(ctx, chargeMonths),
  },
  {
    ...chargesDue,
    channel: CHARGES,
    run: (ctx) => transact(ctx, workOff),
  },
]

/**
 * One month of each due card, with the next one's time in the same transaction: so each month is
 * charged once, also after a jump of the clock over several. A card that was terminated, or whose
 * validity has ended, is charged for the months that were due until then, whatever comes first: the
 * end or this sweep (D-854, D-879).
 */
async function chargeMonths(tx: Tx): Promise<{ more: boolean }> {
  const due = await withFreeAccounts(tx, await lockDueMonths(tx, PORTION))
  if (due.length === 0) return { more: false }
  const { time_zone } = await readSettings(tx)
  const isOver = ({ ends, valid_until, due }: DueMonth) =>
    valid_until < due || (ends !== null && ends < due)
  const open = due.filter((one) => !isOver(one))
  const products = new Map<string, ProductRow>()
  for (const id of new Set(open.map(({ card_product_id }) => card_product_id))) {
    products.set(id, await findProduct(tx, id))
  }
  await takeCharges(
    tx,
    open.flatMap((one) => monthOf(one, products.get(one.card_product_id)) ?? []),
  )
  await updateMonths(
    tx,
    open.map(({ card_id, issued, month }) => ({
      card_id,
      issued,
      month: month + 1,
      due: dueOfMonth(issued, month + 1, time_zone),
    })),
  )
  await deleteMonthly(
    tx,
    due.filter(isOver).map(({ card_id }) => card_id),
  )
  return { more: true }
}

async function withFreeAccounts(tx: Tx, months: readonly DueMonth[]): Promise<DueMonth[]> {
  const ids = months.flatMap(({ account_id }) => account_id ?? [])
  const free = new Set((await lockFreeAccounts(tx, ids)).map(({ id }) => id))
  return months.filter(({ account_id }) => account_id === null || free.has(account_id))
}

/** Nothing if the product charges nothing by now, or the card has no account yet. */
function monthOf({ card_id, account_id, month }: DueMonth, product: ProductRow | undefined) {
  const charge = product && chargeOf(product.charges, 'MONTHLY')
  if (!charge || account_id === null) return undefined
  const { currency, allow_negative_charges: forced } = product
  const { amount = '0', description } = charge
  const wanted = { card_id, account_id, month, currency, description, forced }
  return { ...wanted, type: 'MONTHLY' as const, amount: BigInt(amount) }
}

/** Accounts are locked before their charges, as by a batch of decisions. */
async function workOff(tx: Tx): Promise<{ more: boolean }> {
  const locked = await lockFreeAccounts(tx, await listDueAccounts(tx, PORTION))
  if (locked.length === 0) return { more: false }
  const ids = locked.map(({ id }) => id)
  const rows = await lockDueCharges(tx, ids, PORTION)
  const { after, movements } = outcomesOf(tx, rows, locked)
  const applied = after.filter(({ status }) => status === 'APPLIED')
  const emitted = emitSequenced(tx, applied.map(chargeApplied))
  await Promise.all([
    updateCharges(tx, after),
    movements.length > 0 && moveLocked(tx, locked, movements),
    emitted.start(),
  ])
  return { more: rows.length > 0 }
}

/** The outcomes of due charges: a taken one is given back, a PENDING one is tried again. */
function outcomesOf(tx: Tx, rows: readonly ChargeRow[], locked: readonly KeptAccount[]) {
  const { tenant_id, now } = tx
  const accounts = new Map(locked.map((account) => [account.id, account]))
  const movements: NewTransfer[] = []
  const after = rows.map((row): ChargeRow => {
    const account = accounts.get(row.account_id)
    if (!account) throw new Error(`account ${row.account_id} was not locked`)
    if (row.status === 'APPLIED') {
      accounts.set(account.id, credit(account, row.amount))
      movements.push(reversalTransfer(tenant_id, row))
      return { ...row, status: 'REVERSED', due: null, modified: now }
    }
    const left = takenFrom(account, row)
    if (!left) return postponed(now, row)
    accounts.set(account.id, left)
    const applied = appliedBy(now, row, newId())
    movements.push(chargeTransfer(tenant_id, applied))
    return applied
  })
  return { after, movements }
}
