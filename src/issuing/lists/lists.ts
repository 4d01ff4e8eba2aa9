/** Public functions of lists: countries, MCCs and merchants that may be paid (D-34). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, type Fault, unwrap } from '#lib/result.ts'
import {
  checkCountries,
  checkMccs,
  checkMerchants,
  type Entries,
  type ListRule,
  ruleOf,
  type StoredList,
} from './rules.ts'
import type {
  ControlMode,
  CountryListChanges,
  ListKind,
  MccListChanges,
  MerchantListChanges,
  NewCountryList,
  NewMccList,
  NewMerchantList,
} from './schema.ts'
import {
  findListRow,
  insertList,
  type ListChanges,
  type ListRef,
  type ListRow,
  listExisting,
  listListRows,
  listWhole,
  updateListRow,
} from './store.ts'

export type { ListRef, ListRow } from './store.ts'

/** Each fails with `id_taken` if a list of the kind has the id. */
export const createCountryList = (
  ctx: Context | Tx,
  { country_codes, ...terms }: NewCountryList,
): Promise<ListRow<'countries'>> =>
  create(ctx, 'countries', terms, unwrap(checkCountries(country_codes)))

export const createMccList = (
  ctx: Context | Tx,
  { mccs, ...terms }: NewMccList,
): Promise<ListRow<'mccs'>> => create(ctx, 'mccs', terms, unwrap(checkMccs(mccs)))

export const createMerchantList = (
  ctx: Context | Tx,
  { merchants, ...terms }: NewMerchantList,
): Promise<ListRow<'merchants'>> =>
  create(ctx, 'merchants', terms, unwrap(checkMerchants(merchants)))

/** A list of the tenant. */
export async function findList<Kind extends ListKind>(
  ctx: Context | Tx,
  kind: Kind,
  id: string,
): Promise<ListRow<Kind>> {
  const list = await findListRow(ctx, kind, id)
  if (!list) throw new ApiError('not_found')
  return list
}

/** Newest first. */
export function listLists<Kind extends ListKind>(
  ctx: Context,
  kind: Kind,
  query: ListQuery,
): Promise<Page<ListRow<Kind>>> {
  return listPage(`${kind}_lists`, query, (range) => listListRows(ctx, kind, range))
}

/**
 * Each changes what is sent and replaces the array that is sent. A change applies to every
 * authorization that is decided after it (D-420).
 */
export const updateCountryList = (
  ctx: Context | Tx,
  id: string,
  { country_codes: codes, ...terms }: CountryListChanges,
): Promise<ListRow<'countries'>> =>
  update(ctx, 'countries', id, { ...terms, entries: codes && unwrap(checkCountries(codes)) })

export const updateMccList = (
  ctx: Context | Tx,
  id: string,
  { mccs, ...terms }: MccListChanges,
): Promise<ListRow<'mccs'>> =>
  update(ctx, 'mccs', id, { ...terms, entries: mccs && unwrap(checkMccs(mccs)) })

export const updateMerchantList = (
  ctx: Context | Tx,
  id: string,
  { merchants, ...terms }: MerchantListChanges,
): Promise<ListRow<'merchants'>> =>
  update(ctx, 'merchants', id, {
    ...terms,
    entries: merchants && unwrap(checkMerchants(merchants)),
  })

/** The lists that a card product or a card names; undefined and null name none. */
export type ListIds = {
  allowed_countries_id?: string | null
  allowed_mccs_id?: string | null
  allowed_merchants_id?: string | null
}

/** The lists by the members that name them. */
export function listRefs(ids: ListIds): (ListRef & { member: keyof ListIds })[] {
  const named = [
    { member: 'allowed_countries_id', kind: 'countries' },
    { member: 'allowed_mccs_id', kind: 'mccs' },
    { member: 'allowed_merchants_id', kind: 'merchants' },
  ] as const
  return named.flatMap(({ member, kind }) => {
    const id = ids[member]
    return id ? [{ member, kind, id: id.toLowerCase() }] : []
  })
}

/** A fault for each member that names a list which the tenant does not have (D-114). */
export async function faultsOfLists(ctx: Context | Tx, ids: ListIds): Promise<Fault[]> {
  const refs = listRefs(ids)
  if (refs.length === 0) return []
  const existing = await listExisting(ctx, refs)
  const isThere = (ref: ListRef) =>
    existing.some(({ kind, id }) => kind === ref.kind && id === ref.id)
  return refs
    .filter((ref) => !isThere(ref))
    .map(({ member }) => ({ path: member, message: 'does not exist' }))
}

/** These lists with their entries, in one statement. */
export const wholeLists = (ctx: Context | Tx, refs: readonly ListRef[]): Promise<StoredList[]> =>
  listWhole(ctx, refs)

/** The rules of these lists, in one statement. */
export async function listRules(ctx: Context | Tx, refs: readonly ListRef[]): Promise<ListRule[]> {
  return (await listWhole(ctx, refs)).map(ruleOf)
}

type NewTerms = {
  id?: string
  name: string
  allow?: boolean
  active?: boolean
  mode?: ControlMode
}

function create<Kind extends ListKind>(
  ctx: Context | Tx,
  kind: Kind,
  { id = newId(), name, allow = true, active = true, mode = 'ENFORCED' }: NewTerms,
  entries: Entries[Kind],
): Promise<ListRow<Kind>> {
  return transact(ctx, async (tx) => {
    const list = { kind, id: id.toLowerCase(), name, allow, active, mode, entries }
    const row = await insertList(tx, list)
    if (!row) throw new ApiError('id_taken')
    return row
  })
}

function update<Kind extends ListKind>(
  ctx: Context | Tx,
  kind: Kind,
  id: string,
  changes: ListChanges<Kind>,
): Promise<ListRow<Kind>> {
  return transact(ctx, async (tx) => {
    const row = await updateListRow(tx, { kind, id }, changes)
    if (!row) throw new ApiError('not_found')
    return row
  })
}
