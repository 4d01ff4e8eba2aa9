import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'

type OpenHold = { id: string; account_id: string; currency: string; amount: bigint }

/** A hold without an end, for accounts that do not exist yet: no sweep ever ends it. */
export async function insertOpenHold({ db, tenant_id, now }: Tx, hold: OpenHold): Promise<void> {
  await db
    .insertInto('holds')
    .values({ ...hold, tenant_id, created: now })
    .execute()
}

/**
 * Posts a part of a hold: held and balance of its account fall alike. The constraints reject more
 * than is held. False when there is no such hold.
 */
export async function updateHoldDrawn(
  { db, tenant_id, now }: Tx,
  { id, account_id, amount }: OpenHold,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with drawn as (
      update holds set amount = amount - ${amount}
      where tenant_id = ${tenant_id} and id = ${id} and account_id = ${account_id}
      returning account_id
    )
    update accounts a set balance = a.balance - ${amount}, held = a.held - ${amount},
      version = a.version + 1, modified = ${now}
    from drawn
    where a.tenant_id = ${tenant_id} and a.id = drawn.account_id`.execute(db)
  return numAffectedRows === 1n
}

type UnownedAccounts = {
  ids: readonly string[]
  card_product_id: string
  currency: string
  preload: bigint | null
}

export async function insertUnownedAccounts(
  { db, tenant_id, now }: Tx,
  { ids, card_product_id, currency, preload }: UnownedAccounts,
): Promise<void> {
  await sql`
    insert into accounts (tenant_id, id, kind, currency, status, card_product_id, balance, created,
      modified)
    select anchor.tenant_id, given.id, 'CARD', ${currency}::text, 'ACTIVE',
      ${card_product_id}::uuid, ${preload ?? 0n}::bigint, ${now}::timestamptz, ${now}::timestamptz
    from tenant_anchors anchor cross join unnest(${plainArray(ids)}::uuid[]) as given (id)
    where anchor.tenant_id = ${tenant_id}`.execute(db)
}
