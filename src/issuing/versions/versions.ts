/**
 * The versions of accounts (ARCHITECTURE.md, An authorization). Here and not in the ledger, because
 * slices before the ledger change what a decision rests on.
 */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'

/** The owners of the rows that a decision rests on beside the account: cards, or a user. */
export type Owners = { card_ids: readonly string[] } | { user_id: string }

/**
 * Raises the versions of the accounts of these cards or of this user. Called in the transaction of
 * every change to a card, its PIN, its tokens or its holder: a decision that was made on their
 * earlier state is not written then, and one that is being written is waited for.
 */
export async function raiseVersions({ db, tenant_id }: Tx, of: Owners): Promise<void> {
  const owned =
    'user_id' in of
      ? sql`user_id = ${of.user_id}`
      : sql`id = any (array(select account_id from cards
          where tenant_id = ${tenant_id} and id = any (${plainArray(of.card_ids)}::uuid[])))`
  await sql`
    update accounts set version = version + 1
    where tenant_id = ${tenant_id} and id in (
      select id from accounts where tenant_id = ${tenant_id} and ${owned}
      order by id for no key update)`.execute(db)
}

/**
 * Raises the version of a card product, whose keys or terms change in this transaction: a decision
 * that was made on the earlier ones is not written then.
 */
export async function raiseProductVersion({ db, tenant_id }: Tx, id: string): Promise<void> {
  await sql`
    update card_products set version = version + 1
    where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
}
