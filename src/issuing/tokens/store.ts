import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { TokenStatus } from './schema.ts'

export type TokenRow = Selectable<Database['tokens']>
export type NewTokenRow = Omit<TokenRow, 'tenant_id' | 'created' | 'modified'>

export function insertToken({ db, tenant_id, now }: Tx, token: NewTokenRow): Promise<TokenRow> {
  return db
    .insertInto('tokens')
    .values({ tenant_id, ...token, created: now, modified: now })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function findTokenRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<TokenRow | undefined> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A card's tokens, newest first. */
export function listTokenRows(
  { db, tenant_id }: Context,
  card_id: string,
  range: PageRange,
): Promise<TokenRow[]> {
  const ofCard = db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
  return selectRange(ofCard, range).execute()
}

/** The tokens of a card that are not deleted, oldest first. The caller has locked the card. */
export function listUndeletedTokens({ db, tenant_id }: Tx, card_id: string): Promise<TokenRow[]> {
  return db
    .selectFrom('tokens')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
    .where('status', '<>', 'DELETED')
    .orderBy('created')
    .orderBy('id')
    .execute()
}

/** The lock of the card guards the status of its tokens. */
export async function updateTokenStatus(
  { db, tenant_id, now }: Tx,
  ids: readonly string[],
  status: TokenStatus,
): Promise<void> {
  await sql`
    update tokens set status = ${status}, modified = ${now}
    where tenant_id = ${tenant_id} and id = any (${ids}::uuid[])`.execute(db)
}
