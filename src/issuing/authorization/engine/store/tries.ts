/** The wrong tries of cards as they are stored (D-122); listCards reads them with the cards. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import type { CountedTries } from '../../decide/state/tries.ts'

/**
 * Writes the tries of these cards. The statement fails (kit/db/conflict.ts) where they are not as
 * they were read.
 */
export async function upsertTries(
  { db, tenant_id }: Tx,
  cards: readonly CountedTries[],
): Promise<void> {
  if (cards.length === 0) return
  const ids = plainArray(cards.map(({ card_id }) => card_id))
  const written = textArray(cards.map(({ tries }) => instantArray(tries)))
  const read = textArray(cards.map((card) => instantArray(card.read)))
  const upserted = sql`
    insert into card_verification_tries as t (tenant_id, card_id, tries)
    select ${tenant_id}::uuid, given.card_id, given.tries::timestamptz[]
    from unnest(${ids}::uuid[], ${written}::text[]) as given (card_id, tries)
    on conflict (tenant_id, card_id) do update set tries = excluded.tries
      where t.tries = (select read.tries::timestamptz[]
        from unnest(${ids}::uuid[], ${read}::text[]) as read (card_id, tries)
        where read.card_id = excluded.card_id)
    returning 1`
  await expectRows(upserted, cards.length).execute(db)
}
