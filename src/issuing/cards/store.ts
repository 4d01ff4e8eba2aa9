import { type Selectable, sql } from 'kysely'
import type { StoredAuthSettings } from '#issuing/products/schema.ts'
import { raiseVersions } from '#issuing/versions/versions.ts'
import type { Context, Tx } from '#kit/context.ts'
import { lockNames, nameOfUser } from '#kit/db/locks.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { dueBy, dueWrite } from '#kit/jobs/due_work.ts'
import { allOf } from '#lib/promises.ts'
import { blocksDue, embossingDue } from './due.ts'
import { fixedStatement } from './fixed_statement.ts'
import type { Settings } from './rules/settings.ts'
import type { CardQuery, ShippingDetails, StatusReason } from './schema.ts'

export type CardColumns = Selectable<Database['cards']>
type Written = {
  status_reason_code: StatusReason
  shipping_details: ShippingDetails | null
  /** The settings of the card itself; those of the product are checked first (D-33). */
  auth_settings: StoredAuthSettings
  /** The settings of product and card when the migration began (D-32). */
  frozen_settings: Settings | null
}
export type StoredCard = Omit<CardColumns, keyof Written> & Written
/** `currency` is that of the card product, in which the amounts of the settings are. */
export type CardRow = StoredCard & { currency: string }

/** Types the columns that the database has only as text and JSON. */
export const asWritten = <Row extends CardColumns>(row: Row) => row as Row & StoredCard

const currencyOfCard = (tenant_id: string) =>
  sql<string>`(select p.currency from card_products p
    where p.tenant_id = ${tenant_id} and p.id = cards.card_product_id)`.as('currency')

const jsonOf = (details: object | null) => (details === null ? null : JSON.stringify(details))

/** Every column but the tenant. */
const written: Record<Exclude<keyof CardColumns, 'tenant_id'>, true> = {
  id: true,
  user_id: true,
  card_product_id: true,
  account_id: true,
  card_type: true,
  status: true,
  status_reason_code: true,
  terminated_by_operator: true,
  name_on_card: true,
  bin: true,
  last_four: true,
  expiry_date: true,
  valid_until: true,
  reference_card_id: true,
  replaced_by_card_id: true,
  chain_id: true,
  bulk_issuance_id: true,
  fulfillment_status: true,
  emboss_due: true,
  card_order_id: true,
  ordered_by_file: true,
  shipping_details: true,
  delivery_method: true,
  delivery_partner: true,
  tracking_number: true,
  auth_settings: true,
  allowed_countries_id: true,
  allowed_mccs_id: true,
  allowed_merchants_id: true,
  velocity_limit_ids: true,
  migration_started: true,
  migration_ends: true,
  frozen_settings: true,
  provisioning_failures: true,
  provisioning_blocked_until: true,
  created: true,
  modified: true,
}
const columns = sql.join(Object.keys(written).map((name) => sql.ref(name)))

/** Rows as the database will have them, every column. */
export function insertCards(tx: Tx, cards: readonly CardRow[]): Write {
  const { db, tenant_id } = tx
  const inserted = sql`
    insert into cards (tenant_id, ${columns})
    select anchor.tenant_id, ${columns} from tenant_anchors anchor cross join (
      select ${columns}
      from jsonb_populate_recordset(null::cards, ${JSON.stringify(cards)}::jsonb)
    ) as given
    where anchor.tenant_id = ${tenant_id}`
  const due = dueWrite(tx, embossingDue, ...cards.map(({ emboss_due }) => emboss_due))
  return Write.all(db, due, Write.of(db, inserted))
}

const cardById = ({ db, tenant_id }: Context, id: string) =>
  db
    .selectFrom('cards')
    .selectAll()
    .select(currencyOfCard(tenant_id))
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)

export async function findCardRow(
  { db, tenant_id }: Context,
  id: string,
): Promise<CardRow | undefined> {
  const [row] = await fixedStatement<CardRow>`
    select *, (select p.currency from card_products p
      where p.tenant_id = ${tenant_id} and p.id = cards.card_product_id) as currency
    from cards where tenant_id = ${tenant_id} and id = ${id}`.execute(db)
  return row
}

export async function lockCardRow(tx: Tx, id: string): Promise<CardRow | undefined> {
  const row = await cardById(tx, id).forNoKeyUpdate().executeTakeFirst()
  return row && asWritten(row)
}

/** The cards by their ids. */
export async function lockCardRows(tx: Tx, ids: readonly string[]): Promise<Map<string, CardRow>> {
  // Sent together, in the order of their locks.
  const sorted = [...new Set(ids.map((id) => id.toLowerCase()))].sort()
  const rows = await allOf(sorted.map((id) => lockCardRow(tx, id)))
  return new Map(rows.flatMap((row) => (row ? [[row.id, row]] : [])))
}

/** Writes the members of a card that may change. The caller has locked the card. */
export async function updateCardRow(tx: Tx, card: CardRow): Promise<CardRow> {
  const { db, tenant_id, now } = tx
  const { card_type, status, status_reason_code, name_on_card, replaced_by_card_id } = card
  const { allowed_countries_id, allowed_mccs_id, allowed_merchants_id } = card
  const { fulfillment_status, emboss_due, delivery_method, delivery_partner } = card
  const { migration_started, migration_ends, provisioning_failures } = card
  const updated = db
    .updateTable('cards')
    .set({
      card_type,
      status,
      status_reason_code,
      terminated_by_operator: card.terminated_by_operator,
      name_on_card,
      replaced_by_card_id,
      fulfillment_status,
      emboss_due,
      card_order_id: card.card_order_id,
      ordered_by_file: card.ordered_by_file,
      delivery_method,
      delivery_partner,
      tracking_number: card.tracking_number,
      migration_started,
      migration_ends,
      frozen_settings: jsonOf(card.frozen_settings),
      provisioning_failures,
      provisioning_blocked_until: card.provisioning_blocked_until,
      allowed_countries_id,
      allowed_mccs_id,
      allowed_merchants_id,
      shipping_details: jsonOf(card.shipping_details),
      auth_settings: JSON.stringify(card.auth_settings),
      modified: now,
    })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', card.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const [row] = await Promise.all([
    updated,
    raiseVersions(tx, { card_ids: [card.id] }),
    emboss_due && dueBy(tx, embossingDue, emboss_due),
    card.provisioning_blocked_until && dueBy(tx, blocksDue, card.provisioning_blocked_until),
  ])
  return { ...asWritten(row), currency: card.currency }
}

/** Writes the user and the account of a card. */
export async function updateCardLink(
  tx: Tx,
  { id, user_id, account_id, currency }: CardRow,
): Promise<CardRow> {
  const { db, tenant_id, now } = tx
  const updated = db
    .updateTable('cards')
    .set({ user_id, account_id, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const [row] = await Promise.all([updated, raiseVersions(tx, { card_ids: [id] })])
  return { ...asWritten(row), currency }
}

/** A card is replaced after it was created, so `created` gives the order of the chain. */
export async function listChain({ db, tenant_id }: Context, chain_id: string) {
  const rows = await db
    .selectFrom('cards')
    .selectAll()
    .select(currencyOfCard(tenant_id))
    .where('tenant_id', '=', tenant_id)
    .where('chain_id', '=', chain_id)
    .orderBy('created')
    .orderBy('id')
    .execute()
  return rows.map(asWritten)
}

const filters = [
  'user_id',
  'status',
  'card_product_id',
  'bulk_issuance_id',
  'card_order_id',
  'last_four',
] as const

export async function listCardRows(
  { db, tenant_id }: Context,
  values: CardQuery,
  range: PageRange,
): Promise<CardRow[]> {
  let query = db
    .selectFrom('cards')
    .selectAll()
    .select(currencyOfCard(tenant_id))
    .where('tenant_id', '=', tenant_id)
  for (const name of filters) {
    const value = values[name]
    if (value !== undefined) query = query.where(name, '=', value)
  }
  const rows = await selectRange(query, range).execute()
  return rows.map(asWritten)
}

/**
 * How many cards of a product a user has that are not TERMINATED. No other transaction that counts
 * can add one until this transaction ends.
 */
export async function countCards(
  tx: Tx,
  user_id: string,
  card_product_id: string,
): Promise<number> {
  const { db, tenant_id } = tx
  // Sent together and run in this order: the second sees what is committed before the lock.
  const [, { count }] = await Promise.all([
    lockNames(tx, [nameOfUser(user_id)]),
    db
      .selectFrom('cards')
      .select((row) => row.fn.countAll<bigint>().as('count'))
      .where('tenant_id', '=', tenant_id)
      .where('user_id', '=', user_id)
      .where('card_product_id', '=', card_product_id)
      .where('status', '<>', 'TERMINATED')
      .executeTakeFirstOrThrow(),
  ])
  return Number(count)
}

/**
 * Counts one more showing of card details in the hour, unless `most` were counted. An hour that is
 * before the counted one, by the clock of another process, is that one.
 */
export async function upsertDetailsShown(
  { db, tenant_id }: Tx,
  hour: Date,
  most: number | undefined,
): Promise<boolean> {
  const { rows } = await sql`
    insert into card_details_shown as d (tenant_id, hour, shown)
    values (${tenant_id}, ${hour}, 1)
    on conflict (tenant_id) do update set
      hour = greatest(d.hour, excluded.hour),
      shown = case when d.hour < excluded.hour then 1 else d.shown + 1 end,
      limited = d.limited and d.hour >= excluded.hour
    where d.hour < excluded.hour or d.shown < coalesce(${most ?? null}::int, d.shown + 1)
    returning shown`.execute(db)
  return rows.length > 0
}

/** The hour, if it was not limited before. */
export function updateDetailsLimited({ db, tenant_id }: Tx): Promise<{ hour: Date } | undefined> {
  return db
    .updateTable('card_details_shown')
    .set({ limited: true })
    .where('tenant_id', '=', tenant_id)
    .where('limited', '=', false)
    .returning('hour')
    .executeTakeFirst()
}
