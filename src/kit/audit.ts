/** The parts that audits of the database share; `bezant doctor` prints their findings. */

import { type RawBuilder, sql } from 'kysely'
import { currencyCodes, exponentOf } from '#lib/currency.ts'

/** A violated invariant that an audit of the database has found. */
export type Finding = {
  /** The invariant, by its number in the list of those that must hold after every fault. */
  invariant: 'I1' | 'I2' | 'I4' | 'I6' | 'I7'
  tenant_id: string
  /** The object that it is about: `account 0192…`, `order 0192…`. */
  subject: string
  detail: string
}

/**
 * The scope of a check: a condition on the table of this alias. A cluster joins tables in any way
 * only if all of them are of one tenant, on its node; there a check is made for each.
 */
export type Scope = (alias: string) => RawBuilder<unknown>
export const ofAll: Scope = () => sql`true`
export const ofTenant =
  (tenant_id: string): Scope =>
  (alias) =>
    sql`${sql.ref(`${alias}.tenant_id`)} = ${tenant_id}`

/** The most findings of one kind. */
export const FINDINGS_MAX = 100

/** The clocks of two servers, or two readings of a tenant's clock, may differ by so much. */
export const CLOCKS = sql`interval '1 minute'`

/** Minor units of a major unit of the currency in this column, as a power of ten. */
export const exponentIn = (column: string): RawBuilder<number> => sql<number>`case
  ${sql.join(
    [0, 3, 4].map((digits) => {
      const codes = currencyCodes.filter((code) => exponentOf(code) === digits)
      return sql`when ${sql.ref(column)} = any (${codes}::text[]) then ${digits}::int`
    }),
    sql` `,
  )} else 2 end`
