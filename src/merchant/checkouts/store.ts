/** Checkouts in the database. Each is paid under the lock of its row. */

import { type Selectable, sql } from 'kysely'
import { tenantNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { lockNames, sharedName } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import { dueKind, dueWrite } from '#kit/jobs/due_work.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'

export type CheckoutRow = Selectable<Database['checkouts']>

/** Part of the text of a statement, so that its one plan has the index of this status. */
const written = (status: CheckoutRow['status']) => sql.lit(status)

/** The name of the lock of a reference's checkouts (kit/db/shared_transactions.ts). */
export const nameOfReference = ({ merchant_id, reference }: Named): string =>
  `checkouts ${merchant_id} ${reference}`

type Named = Pick<CheckoutRow, 'merchant_id' | 'reference'>

/** Only one transaction at a time creates a checkout of a reference; the others wait. */
export async function lockReference(tx: Tx, merchant_id: string, reference: string): Promise<void> {
  await lockNames(tx, [sharedName('checkout', `${merchant_id} ${reference}`)])
}

/** The unfinished one of that reference, locked. */
export function lockUnfinishedCheckout(tx: Tx, merchant_id: string, reference: string) {
  return tx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('reference', '=', reference)
    .where('status', 'in', [written('OPEN'), written('PAYING')])
    .forUpdate()
    .executeTakeFirst()
}

/** It is so for good only behind the lock of the reference. */
export async function isPaid(
  { db, tenant_id }: Context,
  merchant_id: string,
  reference: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('checkouts')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('merchant_id', '=', merchant_id)
    .where('reference', '=', reference)
    .where('status', '=', written('PAID'))
    .executeTakeFirst()
  return row !== undefined
}

/** The paid checkout of the reference other than `id`, else the one whose payment is under way. */
export function findPaidOrPaying(
  ctx: Context,
  merchant_id: string,
  reference: string,
  id: string,
): Promise<CheckoutRow | undefined> {
  const { db, tenant_id } = ctx
  const among = (statuses: CheckoutRow['status'][]) =>
    db
      .selectFrom('checkouts')
      .selectAll()
      .where('tenant_id', '=', tenant_id)
      .where('merchant_id', '=', merchant_id)
      .where('reference', '=', reference)
      .where('status', 'in', statuses.map(written))
      .where('id', '<>', id)
  // Each half has an index of its own.
  return among(['PAID'])
    .executeTakeFirst()
    .then((paid) => paid ?? among(['PAYING']).executeTakeFirst())
}

/** Checkouts that expire, and payments that were interrupted. */
export const checkoutsDue = dueKind({ name: 'checkouts', table: 'checkouts' })

export function insertCheckout(tx: Tx, row: CheckoutRow): Write {
  const inserted = tx.db
    .insertInto('checkouts')
    .values({ ...row, request: JSON.stringify(row.request) })
  return Write.all(tx.db, dueWrite(tx, checkoutsDue, row.due), Write.of(tx.db, inserted))
}

/** The checkout with this page, its merchant, and the time of its tenant's clock; one round trip. */
export async function findPage(
  { db, tenant_id }: Pick<Context, 'db' | 'tenant_id'>,
  page_key: string,
): Promise<{ checkout: CheckoutRow; now: Date; merchant: MerchantRow } | undefined> {
  const [found, merchant] = await db.runSession((session) => {
    const onPage = session
      .selectFrom('checkouts as c')
      .where('c.tenant_id', '=', tenant_id)
      .where('c.page_key', '=', page_key)
    return Promise.all([
      onPage
        .innerJoin('tenants as t', 't.id', 'c.tenant_id')
        .selectAll('c')
        .select(tenantNow.as('now'))
        .executeTakeFirst(),
      onPage.innerJoin('merchants as m', 'm.id', 'c.merchant_id').selectAll('m').executeTakeFirst(),
    ])
  })
  if (!found || !merchant) return undefined
  const { now, ...checkout } = found
  return { checkout, now, merchant }
}

/** The checkout whose payment under way has this message. */
export function findCheckoutByMessage(
  ctx: Context,
  message_id: string,
): Promise<CheckoutRow | undefined> {
  return ctx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('message_id', '=', message_id)
    .executeTakeFirst()
}

/** The newest payment with a kept card that has an idempotency key. */
export function findCheckoutByKey(ctx: Context, key: string): Promise<CheckoutRow | undefined> {
  return ctx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('idempotency_key', '=', key)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findCheckoutById(ctx: Context, id: string): Promise<CheckoutRow | undefined> {
  return ctx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', ctx.tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function lockCheckout(tx: Tx, id: string): Promise<CheckoutRow | undefined> {
  return tx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

/** There is no question, or none any more. */
export const noChallenge = {
  challenge_id: null,
  challenge_form: null,
  challenge_codes: null,
  challenge_expires: null,
} as const

type Changes = Partial<
  Pick<
    CheckoutRow,
    | 'status'
    | 'form_token'
    | 'declines'
    | 'last_decline'
    | 'message_id'
    | 'in_doubt'
    | 'keep_consent'
    | 'due'
  > &
    ChallengeColumns
>

type ChallengeColumns = Pick<
  CheckoutRow,
  'challenge_id' | 'challenge_form' | 'challenge_codes' | 'challenge_expires' | 'wrong_codes'
>

/** The caller has locked the row. */
export function updateCheckout(tx: Tx, id: string, changes: Changes): Write {
  const updated = tx.db
    .updateTable('checkouts')
    .set({ ...changes, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
  return Write.all(tx.db, dueWrite(tx, checkoutsDue, changes.due), Write.of(tx.db, updated))
}

/** Due checkouts, locked; those that another worker has locked are skipped. */
export function lockDueCheckouts(tx: Tx, limit: number): Promise<CheckoutRow[]> {
  return tx.db
    .selectFrom('checkouts')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('due', '<=', tx.now)
    .orderBy('due')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
}
