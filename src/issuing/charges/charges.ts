/** Public functions of charges, which an account pays to the program (D-475 to D-478). */

import { emitSequenced } from '#events/outbox.ts'
import { findAccount, readMoney, requireMovable } from '#issuing/accounts/accounts.ts'
import { type KeptAccount, lockAccounts, moveLocked } from '#issuing/ledger/ledger.ts'
import type { NewTransfer } from '#issuing/ledger/schema.ts'
import { findProduct, type ProductRow } from '#issuing/products/products.ts'
import { chargeOf } from '#issuing/products/rules.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { rowsWritten, Write } from '#kit/db/write.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { localDate } from '#lib/window.ts'
import { chargeApplied } from './events.ts'
import {
  appliedBy,
  chargeTransfer,
  dueOfMonth,
  givenUp,
  newCharge,
  presentCharge,
  takenFrom,
} from './rules.ts'
import type { Arisen, ChargeRow, ChargesQuery, NewChargeInput, Wanted } from './schema.ts'
import {
  findChargeRow,
  insertCharges,
  insertMonthly,
  listChargeRows,
  updateChargesReversed,
  updateMonthlyEnds,
} from './store.ts'

export { auditCharges } from './audit.ts'
export { chargesDue, monthlyDue } from './store.ts'

/** The channel that wakes the sweep of due charges. */
export const CHARGES = 'charges'

/** Charges of an account, newest first. 404 for no card account of the tenant. */
export async function listCharges(ctx: Context, account_id: string, query: ChargesQuery) {
  await findAccount(ctx, account_id)
  const page = await listPage('charges', query, (range) =>
    listChargeRows(ctx, account_id, query.status, range),
  )
  return { ...page, data: page.data.map(presentCharge) }
}

export async function findCharge(ctx: Context, account_id: string, id: string) {
  const row = await findChargeRow(ctx, account_id, id)
  if (!row) throw new ApiError('not_found')
  return presentCharge(row)
}

/**
 * Takes a single charge at once, all of it or nothing: 409 insufficient_funds if the account does
 * not cover it and its product lets no charge go below zero. Also 400 on currency and amount, 404,
 * 409 account_not_active and id_taken.
 */
export function chargeAccount(ctx: Context | Tx, account_id: string, input: NewChargeInput) {
  const { currency, amount } = readMoney(input)
  const { description, type = 'OTHER' } = input
  const id = input.id?.toLowerCase() ?? newId()
  return transact(ctx, async (tx) => {
    const [account] = await lockAccounts(tx, [account_id])
    if (account?.kind !== 'CARD') throw new ApiError('not_found')
    requireMovable(account, { currency, amount })
    const forced = await mayGoBelowZero(tx, account)
    const wanted = { account_id: account.id, type, amount, currency, description, forced }
    const row = appliedBy(tx.now, newCharge(tx.now, id, wanted), newId())
    // The movement fails if the account does not cover it.
    const [written] = await Promise.all([
      insertCharges(tx, [row]).start(),
      moveLocked(tx, [account], [chargeTransfer(tx.tenant_id, row, forced)]),
    ])
    if (rowsWritten(written) === 0) throw new ApiError('id_taken')
    await emitSequenced(tx, [chargeApplied(row)]).start()
    return presentCharge(row)
  })
}

async function mayGoBelowZero(tx: Tx, { card_product_id }: KeptAccount): Promise<boolean> {
  if (card_product_id === null) return false
  return (await findProduct(tx, card_product_id)).allow_negative_charges
}

/**
 * The columns that charges of new cards need: those of a product without such a charge send no
 * statement.
 */
export type ChargedProduct = Pick<
  ProductRow,
  'id' | 'currency' | 'charges' | 'allow_negative_charges'
>

/**
 * Charges new cards to their accounts, which exist, and begins their months. A card without an
 * account is charged each month once it has one. No statement if the product charges neither.
 */
export async function chargeNewCards(
  tx: Tx,
  product: ChargedProduct,
  type: 'ISSUING' | 'REPLACEMENT',
  cards: readonly { id: string; account_id: string | null }[],
): Promise<void> {
  const { charges, currency, allow_negative_charges: forced } = product
  const charge = chargeOf(charges, type)
  if (charge) {
    const { description } = charge
    const amount = BigInt(charge.amount ?? 0)
    await takeCharges(
      tx,
      cards.flatMap(({ id: card_id, account_id }) =>
        account_id === null
          ? []
          : [{ account_id, card_id, type, amount, currency, description, forced }],
      ),
    )
  }
  if (!chargeOf(charges, 'MONTHLY')) return
  const { time_zone } = await readSettings(tx)
  const issued = localDate(tx.now, time_zone)
  const first = { issued, month: 1, due: dueOfMonth(issued, 1, time_zone) }
  await insertMonthly(
    tx,
    cards.map(({ id }) => ({ card_id: id, ...first })),
  )
}

/**
 * Ends the months of a card that is terminated; those that are due already are charged (D-879). To
 * be called before the card is written: the sweep of months locks a month before its account.
 */
export const endMonths = (tx: Tx, card_id: string): Promise<void> => updateMonthlyEnds(tx, card_id)

/** Takes what the accounts cover, locked here; the rest stays PENDING. */
export async function takeCharges(tx: Tx, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return
  const locked = await lockAccounts(tx, [...new Set(wanted.map(({ account_id }) => account_id))])
  const accounts = new Map(locked.map((account) => [account.id, account]))
  const arisen = wanted.map((one) => {
    const account = accounts.get(one.account_id)
    const after = account && takenFrom(account, one)
    if (after) accounts.set(after.id, after)
    return { ...one, taken: after !== undefined }
  })
  const { rows, transfers } = chargesOf(tx, arisen)
  if (transfers.length > 0) await moveLocked(tx, locked, transfers)
  await writeCharges(tx, rows).start()
}

/** The rows of charges that arise, and the transfers of those that were taken. */
export function chargesOf(
  { tenant_id, now }: Pick<Context, 'tenant_id' | 'now'>,
  arisen: readonly Arisen[],
): { rows: ChargeRow[]; transfers: NewTransfer[] } {
  const transfers: NewTransfer[] = []
  const rows = arisen.map(({ taken, reversed = false, ...one }) => {
    const row = newCharge(now, newId(), one)
    if (!taken) return reversed ? givenUp(now, row) : row
    const applied = appliedBy(now, row, newId())
    transfers.push(chargeTransfer(tenant_id, applied, one.forced))
    return reversed ? { ...applied, due: now } : applied
  })
  return { rows, transfers }
}

/**
 * Writes new charges, whose transfers the ledger writes, with the events of those that were taken.
 * The earlier charges of `reversed` transactions are given back soon. They are marked before new
 * ones are written, some of which may be for messages after the reversal (D-860). No statement if
 * there are none.
 */
export function writeCharges(
  tx: Tx,
  rows: readonly ChargeRow[],
  reversed: readonly string[] = [],
): Write {
  const applied = rows.filter(({ status }) => status === 'APPLIED')
  if (reversed.length > 0) tx.afterCommit(() => tx.notify(CHARGES, tx.tenant_id))
  return Write.all(
    tx.db,
    updateChargesReversed(tx, reversed),
    insertCharges(tx, rows),
    emitSequenced(tx, applied.map(chargeApplied)),
  )
}
