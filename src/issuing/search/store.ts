/** The SQL of the search. Each statement finds by a key or an index, or looks at few rows. */

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { FOUND_MAX, type FoundObject } from './schema.ts'

/** Only so many of the newest products, limits and lists are read. */
const NAMED_MAX = 1000

/** A row as it is read: the amount of a transaction is beside the subtitle, in minor units. */
export type FoundRow = Pick<FoundObject, 'kind' | 'id'> & {
  title: string | null
  subtitle: string | null
  status: string | null
  amount?: bigint | null
}

const userName = sql`coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''),
  u.business_legal_name, u.native_name)`

const users = sql`
  select 'USER' as kind, u.id, ${userName} as title, u.email as subtitle, u.status,
    null::bigint as amount
  from users u`
const cards = sql`
  select 'CARD' as kind, c.id, c.last_four as title, ${userName} as subtitle, c.status,
    null::bigint as amount
  from cards c left join users u on u.tenant_id = c.tenant_id and u.id = c.user_id`
const accounts = sql`
  select 'ACCOUNT' as kind, a.id, a.currency as title, ${userName} as subtitle, a.status,
    null::bigint as amount
  from accounts a left join users u on u.tenant_id = a.tenant_id and u.id = a.user_id`
const products = sql`
  select 'CARD_PRODUCT' as kind, p.id, p.name as title, p.currency as subtitle, p.status,
    null::bigint as amount
  from card_products p`
const transactions = sql`
  select 'TRANSACTION' as kind, t.id, t.details -> 'merchant' ->> 'name' as title,
    t.currency as subtitle, t.status, t.amount
  from transactions t`
const bulkIssuances = sql`
  select 'BULK_ISSUANCE' as kind, b.id, b.number_of_cards::text as title,
    b.name_on_card as subtitle, b.status, null::bigint as amount
  from bulk_issuances b`
const limits = sql`
  select l.kind || '_LIMIT' as kind, l.id, l.description as title, l.currency as subtitle,
    l.mode as status, null::bigint as amount
  from limits l`
const lists = sql`
  select case l.kind when 'countries' then 'COUNTRY_LIST' when 'mccs' then 'MCC_LIST'
      else 'MERCHANT_LIST' end as kind,
    l.id, l.name as title, null::text as subtitle, l.mode as status, null::bigint as amount
  from allowed_lists l`
const backtests = sql`
  select 'BACKTEST' as kind, b.id, null::text as title, null::text as subtitle, b.status,
    null::bigint as amount
  from backtests b`
const webhooks = sql`
  select 'WEBHOOK' as kind, w.id, w.endpoint as title, null::text as subtitle, w.status,
    null::bigint as amount
  from webhooks w`
const deliveries = sql`
  select 'DELIVERY' as kind, d.id, d.event as title, null::text as subtitle, d.status,
    null::bigint as amount
  from deliveries d`

/** The objects with the id, of whatever kind: each table is asked by its key. */
export async function listObjectsWithId(
  { db, tenant_id }: Context,
  id: string,
): Promise<FoundRow[]> {
  const of = (table: RawBuilder<unknown>, name: string, also = sql``) => sql`
    ${table} where ${sql.ref(`${name}.tenant_id`)} = ${tenant_id}
      and ${sql.ref(`${name}.id`)} = ${id}${also}`
  const { rows } = await sql<FoundRow>`${sql.join(
    [
      ...[of(users, 'u'), of(cards, 'c'), of(accounts, 'a', sql` and a.kind = 'CARD'`)],
      ...[of(products, 'p'), of(transactions, 't'), of(bulkIssuances, 'b'), of(limits, 'l')],
      // The key of a list begins with its kind.
      of(lists, 'l', sql` and l.kind in ('countries', 'mccs', 'merchants')`),
      of(backtests, 'b'),
      // Subscriptions of merchants are found by these alone (D-750).
      of(webhooks, 'w', sql` and w.deleted is null and w.merchant_id is null`),
      of(
        deliveries,
        'd',
        sql` and exists (
          select from webhooks w where w.tenant_id = ${tenant_id} and w.id = d.webhook_id
            and w.merchant_id is null)`,
      ),
    ],
    sql` union all `,
  )}`.execute(db)
  return rows
}

export async function listCardsByLastFour(
  { db, tenant_id }: Context,
  last_four: string,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    ${cards} where c.tenant_id = ${tenant_id} and c.last_four = ${last_four}
    order by c.created desc, c.id desc limit ${FOUND_MAX}`.execute(db)
  return rows
}

/** Read in the order of the index, since a merchant may send one reference for all its payments. */
export async function listTransactionsByRrn(
  { db, tenant_id }: Context,
  rrn: string,
): Promise<FoundRow[]> {
  const { rows } = await sql<FoundRow>`
    ${transactions} where t.tenant_id = ${tenant_id} and t.rrn collate "C" = ${rrn}
      and t.card_id is not null
    order by t.card_id desc, t.id desc limit ${FOUND_MAX}`.execute(db)
  return rows
}

/** Products, limits and lists with the text anywhere in their names, the newest first. */
export async function listNamedObjects(
  { db, tenant_id }: Context,
  text: string,
): Promise<FoundRow[]> {
  const newest = (table: RawBuilder<unknown>, name: string) => sql`(
    ${table} where ${sql.ref(`${name}.tenant_id`)} = ${tenant_id}
    order by ${sql.ref(`${name}.created`)} desc, ${sql.ref(`${name}.id`)} desc
    limit ${NAMED_MAX})`
  // Kinds of limits and lists are at the beginning of their indexes.
  const { rows } = await sql<FoundRow>`
    select * from (${sql.join(
      [newest(products, 'p'), newest(limits, 'l'), newest(lists, 'l')],
      sql` union all `,
    )}) named
    where position(lower(${text}) in lower(title)) > 0
    limit ${FOUND_MAX}`.execute(db)
  return rows
}
