/** The SQL of the sweeps: one statement moves a portion of a tenant's cards. */

import { type RawBuilder, sql } from 'kysely'
import { raiseVersions } from '#issuing/versions/versions.ts'
import type { Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { asWritten, type CardColumns, type StoredCard } from './store.ts'

/** A card as it is now, and the state in which it was. */
export type Swept = { card: StoredCard; was: State }
type State = Pick<StoredCard, 'status' | 'status_reason_code' | 'fulfillment_status'>

/** Cards whose block has ended are ACTIVE again (D-39). */
export const updateCardsUnblocked = (tx: Tx, most: number): Promise<Swept[]> =>
  updateDueCards(tx, most, {
    due: sql`provisioning_blocked_until`,
    when: sql`status_reason_code = 'P0' and provisioning_blocked_until <= ${tx.now}`,
    set: sql`status = 'ACTIVE',
      status_reason_code = case when c.card_type = 'PHYSICAL' then 'a0' else 'A0' end,
      provisioning_failures = 0, provisioning_blocked_until = null`,
  })

/** These cards, if they are CREATED, become ORDERED: the bureau has their order (D-1020). */
export const updateCardsOrdered = (tx: Tx, ids: readonly string[]): Promise<Swept[]> =>
  updateDueCards(tx, ids.length, {
    due: sql`id`,
    when: sql`id = any (${plainArray(ids)}::uuid[]) and fulfillment_status = 'CREATED'
      and status <> 'TERMINATED'`,
    set: sql`fulfillment_status = 'ORDERED', emboss_due = null`,
  })

/** Cards whose last month has passed are TERMINATED; migration and block end too (D-31). */
export const updateCardsExpired = (tx: Tx, most: number): Promise<Swept[]> =>
  updateDueCards(tx, most, {
    due: sql`valid_until`,
    when: sql`status <> 'TERMINATED' and valid_until < ${tx.now}`,
    set: sql`status = 'TERMINATED', status_reason_code = 'T4', emboss_due = null,
      migration_started = null, migration_ends = null, frozen_settings = null,
      provisioning_failures = case when c.status_reason_code = 'P0' then 0
        else c.provisioning_failures end,
      provisioning_blocked_until = case when c.status_reason_code = 'P0' then null
        else c.provisioning_blocked_until end`,
  })

type Move = { due: RawBuilder<unknown>; when: RawBuilder<unknown>; set: RawBuilder<unknown> }

/**
 * Skips cards that another transaction has locked, and those of accounts that it has: the next run
 * finds them. A card is locked before its account, whose version rises with it.
 */
async function updateDueCards(tx: Tx, most: number, { due, when, set }: Move): Promise<Swept[]> {
  const { db, tenant_id, now } = tx
  type Row = CardColumns & { [Name in keyof State as `was_${Name}`]: State[Name] }
  const { rows } = await sql<Row>`
    with found as materialized (
      select id, account_id, status, status_reason_code, fulfillment_status from cards
      where tenant_id = ${tenant_id} and ${when}
      order by ${due} limit ${most} for no key update skip locked
    ), free as materialized (
      select id from accounts
      where tenant_id = ${tenant_id} and id = any (array(select account_id from found))
      order by id for no key update skip locked
    ), due as (
      select * from found where account_id is null or account_id in (select id from free)
    )
    update cards c set ${set}, modified = ${now}
    from due where c.tenant_id = ${tenant_id} and c.id = due.id
    returning c.*, due.status as was_status, due.status_reason_code as was_status_reason_code,
      due.fulfillment_status as was_fulfillment_status`.execute(db)
  await raiseVersions(tx, { card_ids: rows.map(({ id }) => id) })
  return rows.map(
    ({
      was_status: status,
      was_status_reason_code: status_reason_code,
      was_fulfillment_status: fulfillment_status,
      ...card
    }) => ({ card: asWritten(card), was: { status, status_reason_code, fulfillment_status } }),
  )
}
