/** The wrong tries of cards as they are stored (D-122); listCardEvidence reads them with the cards. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import type { CardTries } from '../../decide/tries.ts'

/**
 * Locks and reads the tries of cards that no account's lock covers, in the order of their ids; a
 * card without a row gets an empty one. One statement.
 */
export async function lockTries(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
): Promise<CardTries[]> {
  if (card_ids.length === 0) return []
  const { rows } = await sql<CardTries>`
    insert into card_verification_tries as t (tenant_id, card_id, tries)
    select ${tenant_id}::uuid, given.id, '{}'
    from unnest(${plainArray(card_ids.toSorted())}::uuid[]) as given (id)
    on conflict (tenant_id, card_id) do update set tries = t.tries
    returning card_id, tries`.execute(db)
  return rows
}

/** Writes the tries of these cards; the caller holds their accounts or has locked their tries. */
export async function upsertTries(
  { db, tenant_id }: Tx,
  cards: readonly CardTries[],
): Promise<void> {
  if (cards.length === 0) return
  await sql`
    insert into card_verification_tries (tenant_id, card_id, tries)
    select ${tenant_id}::uuid, given.card_id, given.tries::timestamptz[]
    from unnest(${plainArray(cards.map(({ card_id }) => card_id))}::uuid[],
      ${textArray(cards.map(({ tries }) => instantArray(tries)))}::text[])
      as given (card_id, tries)
    on conflict (tenant_id, card_id) do update set tries = excluded.tries`.execute(db)
}
