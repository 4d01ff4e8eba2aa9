/** Due work by issuer: each has sweeps of its own, so that one that is away delays no other. */

import { type RawBuilder, sql } from 'kysely'
import { type DueKind, dueKind } from '#kit/jobs/due_work.ts'
import type { IssuerName } from './link.ts'

/** Whether the column `issuer` has this one, in a form that an index serves. */
export const isOfIssuer = (column: string, issuer: IssuerName): RawBuilder<boolean> =>
  issuer === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${issuer}`

/** The kinds of a table with the columns `issuer` and `due`, by issuer. */
export function dueKindOfIssuer(name: string, table: string): (issuer: IssuerName) => DueKind {
  const kinds = new Map<IssuerName, DueKind>()
  return (issuer) => {
    const known = kinds.get(issuer)
    if (known) return known
    const when = sql`d.due is not null and ${isOfIssuer('d.issuer', issuer)}`
    const kind = dueKind({ name: issuer === null ? name : `${name} of ${issuer}`, table, when })
    kinds.set(issuer, kind)
    return kind
  }
}
