/** The SQL of the search for KYC requests. Names come from the lists in rules/kyc_search.ts. */

import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { type PageRange, selectRange } from '#kit/http/lists.ts'
import { isId } from '#lib/id.ts'
import { type Filter, kycFields, type Matcher, type sortFields } from '../rules/kyc_search.ts'
import type { KycRow } from './store.ts'

export type KycSearch = {
  query: string
  filters: readonly Filter[]
  /** Between the filters, from left to right. */
  matchers: readonly Matcher[]
  sort_by: (typeof sortFields)[number]
  order_by: 'asc' | 'desc'
}

type Builder = ExpressionBuilder<Database, 'kyc_requests'>

/** The key of the range has the value of the field that is sorted by. */
export function listKycRows(
  { db, tenant_id }: Context,
  search: KycSearch,
  range: PageRange,
): Promise<KycRow[]> {
  const { sort_by: by, order_by: direction } = search
  let query = db.selectFrom('kyc_requests').selectAll().where('tenant_id', '=', tenant_id)
  query = query.where((row) => matching(row, search))
  if (search.query !== '') query = query.where((row) => naming(row, tenant_id, search.query))
  return selectRange(query, range, { by, direction }).execute()
}

function matching(row: Builder, { filters, matchers }: KycSearch) {
  const [first, ...rest] = filters.map((filter) => passing(row, filter))
  if (!first) return sql<SqlBool>`true`
  return rest.reduce((all, next, at) => {
    const joint = matchers[at] === 'or' ? sql`or` : sql`and`
    return sql<SqlBool>`(${all} ${joint} ${next})`
  }, sql<SqlBool>`${first}`)
}

/** The column is one of the allow-listed names, the values are parameters. */
function passing(row: Builder, { field, operator, values }: Filter) {
  const column = row.ref(field)
  const kind = kycFields[field]
  const type = kind === 'id' ? sql`uuid` : kind === 'instant' ? sql`timestamptz` : sql`text`
  const [value = ''] = values
  if (operator === 'any_of') {
    const any = sql.join(values.map((one) => sql`${one}::${type}`))
    return values.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${column} in (${any})`
  }
  if (operator === 'contains') {
    return sql<SqlBool>`coalesce(position(lower(${value}) in lower(${column})) > 0, false)`
  }
  const compare = { eq: sql`=`, gte: sql`>=`, lte: sql`<=` }[operator]
  return sql<SqlBool>`coalesce(${column} ${compare} ${value}::${type}, false)`
}

/** Free text: an id of the request or user, or part of its texts or of the user's name. */
function naming(row: Builder, tenant_id: string, text: string) {
  const { ref } = row
  if (isId(text)) return sql<SqlBool>`(id = ${text}::uuid or user_id = ${text}::uuid)`
  return sql<SqlBool>`(
    position(lower(${text}) in lower(concat_ws(' ', ${ref('kyc_policy')}, ${ref('status')},
      ${ref('status_description')}, ${ref('note')}))) > 0
    or exists (select from users u
      where u.tenant_id = ${tenant_id} and u.id = kyc_requests.user_id
        and position(lower(${text}) in lower(concat_ws(' ', u.first_name, u.last_name))) > 0))`
}
