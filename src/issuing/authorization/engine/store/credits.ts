/** How much came to cards without a purchase, by the tenant's days (D-315). */

import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import type { CardDay } from '../../decide/state/unlinked_credits.ts'

/** The newest days of a card: a change of the tenant's time zone moves today by one at most. */
const DAYS_READ = 3

/** A credit changes the account of its card, whose version says whether these are the newest. */
export async function listUnlinkedCredits(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
): Promise<CardDay[]> {
  if (card_ids.length === 0) return []
  const { rows } = await sql<CardDay>`
    select u.card_id, u.day::text as day, u.amount
    from unnest(${plainArray(card_ids)}::uuid[]) as given (id)
    cross join lateral (
      select card_id, day, amount from unlinked_credits
      where tenant_id = ${tenant_id} and card_id = given.id
      order by day desc limit ${sql.lit(DAYS_READ)}) u`.execute(db)
  return rows
}

/** Adds to each card and day; an amount that is taken back lowers it, to zero at most. */
export function upsertUnlinkedCredits(tx: Tx, changes: readonly CardDay[]): Write {
  if (changes.length === 0) return Write.of(tx.db)
  const ids = plainArray(changes.map(({ card_id }) => card_id))
  const days = plainArray(changes.map(({ day }) => day))
  const amounts = plainArray(changes.map(({ amount }) => amount))
  const upserted = sql`
    insert into unlinked_credits as u (tenant_id, card_id, day, amount)
    select anchor.tenant_id, c.card_id, c.day, c.amount
    from tenant_anchors anchor cross join rows from (
      unnest(${ids}::uuid[]), unnest(${days}::date[]), unnest(${amounts}::bigint[]))
      as c (card_id, day, amount)
    where anchor.tenant_id = ${tx.tenant_id} and (
      c.amount > 0 or exists (select from unlinked_credits k
        where k.tenant_id = ${tx.tenant_id} and k.card_id = c.card_id and k.day = c.day))
    order by 2, 3
    on conflict (tenant_id, card_id, day)
    do update set amount = greatest(u.amount + excluded.amount, 0)`
  return Write.of(tx.db, upserted)
}
