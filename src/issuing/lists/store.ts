import { type Selectable, sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import type { Entries, StoredList } from './rules.ts'
import type { ControlMode, ListKind } from './schema.ts'

type Columns = Selectable<Database['allowed_lists']>
/** The column of entries has what `checkCountries` and its siblings returned for the kind. */
export type ListRow<Kind extends ListKind = ListKind> = Omit<
  Columns,
  'kind' | 'mode' | 'entries'
> & {
  kind: Kind
  mode: ControlMode
  entries: Entries[Kind]
}
export type NewListRow<Kind extends ListKind> = Pick<
  ListRow<Kind>,
  'kind' | 'id' | 'name' | 'allow' | 'active' | 'mode' | 'entries'
>
/** The columns that a change may set. */
export type ListChanges<Kind extends ListKind> = {
  [Name in 'name' | 'allow' | 'active' | 'mode' | 'entries']?: ListRow<Kind>[Name] | undefined
}
/** Names a list of the tenant. */
export type ListRef = Pick<ListRow, 'kind' | 'id'>

const ofKind = <Kind extends ListKind>(row: Columns) => row as Columns & ListRow<Kind>

/** Undefined when the id is taken. */
export async function insertList<Kind extends ListKind>(
  { db, tenant_id, now }: Tx,
  { entries, ...list }: NewListRow<Kind>,
): Promise<ListRow<Kind> | undefined> {
  const row = await db
    .insertInto('allowed_lists')
    .values({
      tenant_id,
      ...list,
      entries: JSON.stringify(entries),
      created: now,
      modified: now,
    })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'kind', 'id']).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && ofKind<Kind>(row)
}

export async function findListRow<Kind extends ListKind>(
  { db, tenant_id }: Context,
  kind: Kind,
  id: string,
): Promise<ListRow<Kind> | undefined> {
  const row = await db
    .selectFrom('allowed_lists')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && ofKind<Kind>(row)
}

export async function listListRows<Kind extends ListKind>(
  { db, tenant_id }: Context,
  kind: Kind,
  range: PageRange,
): Promise<ListRow<Kind>[]> {
  const all = db
    .selectFrom('allowed_lists')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('kind', '=', kind)
  return (await selectRange(all, range).execute()).map((row) => ofKind<Kind>(row))
}

/** Undefined when there is none. Undefined members of `changes` stay as they are. */
export async function updateListRow<Kind extends ListKind>(
  { db, tenant_id, now }: Tx,
  { kind, id }: { kind: Kind; id: string },
  { entries, ...changes }: ListChanges<Kind>,
): Promise<ListRow<Kind> | undefined> {
  const row = await db
    .updateTable('allowed_lists')
    .set({ ...changes, modified: now, version: sql`version + 1` })
    .$if(entries !== undefined, (query) => query.set({ entries: JSON.stringify(entries) }))
    .where('tenant_id', '=', tenant_id)
    .where('kind', '=', kind)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row && ofKind<Kind>(row)
}

const named = (refs: readonly ListRef[]) => sql`
  unnest(${plainArray(refs.map(({ kind }) => kind))}::text[],
    ${plainArray(refs.map(({ id }) => id))}::uuid[]) as given (kind, id)`

/** The lists among these that exist. */
export async function listExisting(
  { db, tenant_id }: Context,
  refs: readonly ListRef[],
): Promise<ListRef[]> {
  const { rows } = await sql<ListRef>`
    select l.kind, l.id from ${named(refs)}
    join allowed_lists l on l.tenant_id = ${tenant_id} and l.kind = given.kind and l.id = given.id
  `.execute(db)
  return rows
}

/** These lists with their entries. */
export async function listWhole(
  { db, tenant_id }: Context,
  refs: readonly ListRef[],
): Promise<StoredList[]> {
  const { rows } = await sql<StoredList>`
    select l.kind, l.id, l.name, l.allow, l.active, l.mode, l.entries, l.version
    from ${named(refs)}
    cross join lateral (
      select * from allowed_lists
      where tenant_id = ${tenant_id} and kind = given.kind and id = given.id limit 1) l`.execute(db)
  return rows
}
