import { type RawBuilder, type Selectable, sql } from 'kysely'
import { raiseVersions } from '#issuing/versions/versions.ts'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import { drawNumber } from '#kit/db/counters.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { LimitFields } from './rules/terms.ts'
import type { LimitTerms } from './rules.ts'

/** The text columns hold what `LimitFields` has. */
export type LimitRow = Omit<
  Selectable<Database['limits']>,
  keyof LimitFields | 'short_id' | 'version'
> &
  LimitTerms &
  LimitFields
export type Kind = LimitTerms['kind']

const columnsOf = ({ transaction_scope, ...fields }: LimitFields) => ({
  ...fields,
  transaction_scope: transaction_scope === null ? null : [...transaction_scope],
})

// The check constraints of the table permit the words of the schema only.
const asLimit = (row: Selectable<Database['limits']>) => row as LimitRow

/** Undefined when the id is taken. */
export async function insertLimit(
  tx: Tx,
  id: string,
  fields: LimitFields,
): Promise<LimitRow | undefined> {
  const { db, tenant_id, now } = tx
  const short_id = await drawNumber(tx, 'limits')
  const row = await db
    .insertInto('limits')
    .values({ tenant_id, id, short_id, ...columnsOf(fields), created: now, modified: now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && asLimit(row)
}

export async function updateLimitRow(
  { db, tenant_id, now }: Tx,
  id: string,
  fields: LimitFields,
): Promise<LimitRow> {
  const row = await db
    .updateTable('limits')
    .set({ ...columnsOf(fields), modified: now, version: sql`version + 1` })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return asLimit(row)
}

const limitsOf = ({ db, tenant_id }: Context, kind: Kind) =>
  db.selectFrom('limits').selectAll().where('tenant_id', '=', tenant_id).where('kind', '=', kind)

export async function findLimitRow(
  ctx: Context,
  kind: Kind,
  id: string,
): Promise<LimitRow | undefined> {
  const row = await limitsOf(ctx, kind).where('id', '=', id).executeTakeFirst()
  return row && asLimit(row)
}

export async function lockLimit(tx: Tx, kind: Kind, id: string): Promise<LimitRow | undefined> {
  const row = await limitsOf(tx, kind).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  return row && asLimit(row)
}

/** All of the kind, or those of `ids`. */
export async function listLimitRows(
  ctx: Context,
  kind: Kind,
  range: PageRange,
  ids?: readonly string[],
): Promise<LimitRow[]> {
  const all = limitsOf(ctx, kind)
  const some = ids ? all.where(sql<boolean>`id = any (${plainArray(ids)}::uuid[])`) : all
  return (await selectRange(some, range).execute()).map(asLimit)
}

/** The columns of LimitTerms, from a table `l`. */
export const termColumns = sql`l.id, l.short_id, l.kind, l.type, l.currency, l.min_amount,
  l.max_amount, l.frequency, l.period, l.transaction_scope, l.mode, l.version`

/** The limits of these ids that exist, of either kind. */
export async function listTermsByIds(
  { db, tenant_id }: Context,
  ids: readonly string[],
): Promise<LimitTerms[]> {
  const { rows } = await sql<LimitTerms>`
    select ${termColumns} from limits l
    where l.tenant_id = ${tenant_id} and l.id = any (${plainArray(ids)}::uuid[])`.execute(db)
  return rows
}

/** The objects that limits are linked to: the name in the path, and its table. */
export const owners = {
  cardproducts: 'card_products',
  cards: 'cards',
  users: 'users',
  accounts: 'accounts',
} as const
export type Owner = keyof typeof owners

const columns = { BALANCE: 'balance_limit_ids', VELOCITY: 'velocity_limit_ids' } as const

/** The owner's table and its column of the kind; only card accounts are accounts of a client. */
const linkedOf = (owner: Owner, kind: Kind) => ({
  table: sql.table(owners[owner]),
  column: sql.ref(columns[kind]),
  only: owner === 'accounts' ? sql`and kind = 'CARD'` : sql``,
})

/** The ids of the limits that are linked; undefined if there is no such owner. */
export const findLinked = (
  ctx: Context,
  owner: Owner,
  kind: Kind,
  id: string,
): Promise<string[] | undefined> => selectLinked(ctx, owner, kind, id, sql``)

/** The same, locked until the transaction ends. */
export const lockLinked = (
  tx: Tx,
  owner: Owner,
  kind: Kind,
  id: string,
): Promise<string[] | undefined> => selectLinked(tx, owner, kind, id, sql`for no key update`)

async function selectLinked(
  { db, tenant_id }: Context,
  owner: Owner,
  kind: Kind,
  id: string,
  locking: RawBuilder<unknown>,
): Promise<string[] | undefined> {
  const { table, column, only } = linkedOf(owner, kind)
  const { rows } = await sql<{ ids: string[] }>`
    select ${column} as ids from ${table}
    where tenant_id = ${tenant_id} and id = ${id} ${only} ${locking}`.execute(db)
  return rows[0]?.ids
}

/** Links exactly these, and raises the version of all that decisions on them rest on. */
export async function updateLinked(
  tx: Tx,
  owner: Owner,
  kind: Kind,
  id: string,
  ids: readonly string[],
): Promise<void> {
  const { table, column } = linkedOf(owner, kind)
  const versioned = owner === 'cardproducts' || owner === 'accounts'
  await sql`
    update ${table} set ${column} = ${plainArray(ids)}::uuid[], modified = ${tx.now}
      ${versioned ? sql`, version = version + 1` : sql``}
    where tenant_id = ${tx.tenant_id} and id = ${id}`.execute(tx.db)
  if (owner === 'cards') await raiseVersions(tx, { card_ids: [id] })
  if (owner === 'users') await raiseVersions(tx, { user_id: id })
}

/**
 * A card with the velocity limits that apply to it: those of card and product, account, and user.
 */
export type CardLinks = {
  id: string
  chain_id: string
  account_id: string | null
  user_id: string | null
  currency: string | null
  chain_limit_ids: string[]
  account_limit_ids: string[]
  user_limit_ids: string[]
}

export async function findCardLinks(
  { db, tenant_id }: Context,
  id: string,
): Promise<CardLinks | undefined> {
  const { rows } = await sql<CardLinks>`
    select c.id, c.chain_id, c.account_id, c.user_id, a.currency,
      p.velocity_limit_ids || c.velocity_limit_ids as chain_limit_ids,
      coalesce(a.velocity_limit_ids, '{}') as account_limit_ids,
      coalesce(u.velocity_limit_ids, '{}') as user_limit_ids
    from cards c
    join card_products p on p.tenant_id = c.tenant_id and p.id = c.card_product_id
    left join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
    left join users u on u.tenant_id = c.tenant_id and u.id = c.user_id
    where c.tenant_id = ${tenant_id} and c.id = ${id}`.execute(db)
  return rows[0]
}
