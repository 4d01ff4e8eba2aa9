import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { dueBy } from '#kit/jobs/due_work.ts'
import { endOfMonth } from '#lib/time.ts'
import { embossingDue } from '../due.ts'
import type { CardStatus, FulfillmentStatus, StatusReason } from '../schema.ts'

export type BatchCard = { id: string; account_id: string | null; bin: string; last_four: string }

/** The members that the cards of a batch have in common, and the cards. */
type Batch = {
  bulk_issuance_id: string
  card_product_id: string
  name_on_card: string | null
  expiry_date: string
  status: CardStatus
  status_reason_code: StatusReason
  fulfillment_status: FulfillmentStatus | null
  emboss_due: Date | null
  cards: readonly BatchCard[]
}

export async function insertBatch(tx: Tx, batch: Batch): Promise<void> {
  const { db, tenant_id, now } = tx
  const { cards, expiry_date, emboss_due } = batch
  await Promise.all([
    emboss_due && dueBy(tx, embossingDue, emboss_due),
    sql`
      insert into cards (tenant_id, card_product_id, card_type, status, status_reason_code,
        name_on_card, expiry_date, valid_until, bulk_issuance_id, fulfillment_status, emboss_due,
        ordered_by_file, auth_settings, created, modified, id, chain_id, account_id, bin, last_four)
      select anchor.tenant_id, ${batch.card_product_id}::uuid, 'PHYSICAL', ${batch.status}::text,
        ${batch.status_reason_code}::text, ${batch.name_on_card}::text, ${expiry_date}::text,
        ${endOfMonth(expiry_date)}::timestamptz, ${batch.bulk_issuance_id}::uuid,
        ${batch.fulfillment_status}::text, ${emboss_due}::timestamptz, true,
        '{}'::jsonb,
        ${now}::timestamptz, ${now}::timestamptz,
        batch.id, batch.id, batch.account_id, batch.bin, batch.last_four
      from tenant_anchors anchor cross join unnest(${plainArray(cards.map(({ id }) => id))}::uuid[],
        ${plainArray(cards.map(({ account_id }) => account_id))}::uuid[],
        ${plainArray(cards.map(({ bin }) => bin))}::text[],
        ${plainArray(cards.map(({ last_four }) => last_four))}::text[])
        as batch (id, account_id, bin, last_four)
      where anchor.tenant_id = ${tenant_id}`.execute(db),
  ])
}

/** The precedence for the status of a whole bulk issuance: failed first, then the slowest. */
const slowestFirst: readonly FulfillmentStatus[] = [
  'FAILED',
  'CREATED',
  'ORDERED',
  'SHIPPED',
  'DELIVERED',
]

/**
 * The fulfillment status of bulk issuances, by their ids: FAILED if a card has failed, otherwise
 * the status furthest behind. One without cards is missing. One statement that searches once for
 * each status, however many the cards are.
 */
export async function listFulfillmentOfBulks(
  { db, tenant_id }: Context,
  ids: readonly string[],
): Promise<Map<string, FulfillmentStatus>> {
  const { rows } = await sql<{ id: string; status: FulfillmentStatus }>`
    select bulk.id, found.status
    from unnest(${plainArray(ids)}::uuid[]) as bulk (id)
    cross join lateral (
      select s.status
      from unnest(${plainArray(slowestFirst)}::text[]) with ordinality as s (status, at)
      where exists (select from cards c where c.tenant_id = ${tenant_id}
        and c.bulk_issuance_id = bulk.id and c.fulfillment_status = s.status)
      order by s.at limit 1) found`.execute(db)
  return new Map(rows.map(({ id, status }) => [id, status]))
}
