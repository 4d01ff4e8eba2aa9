/** Due work by issuer: each has sweeps of its own, so that one that is away delays no other. */

import { type RawBuilder, sql } from 'kysely'
import { type DueKind, dueKind } from '#kit/jobs/due_work.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Slice } from '#kit/slice.ts'
import type { IssuerLink, IssuerName } from './link.ts'

/** The channel that starts the sending of advices. */
export const ADVICES = 'acquirer_advices'

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

/** One sweep for each issuer, also for those that the file gets while the program runs (D-790). */
export const sweepsByIssuer = (
  link: IssuerLink,
  sweepOf: (issuer: IssuerName) => Sweep,
): Required<Pick<Slice, 'sweeps' | 'grow'>> => ({
  sweeps: link.issuers.map((issuer) => whileKnown(link, issuer, sweepOf(issuer))),
  grow: (add) => link.onMet((issuer) => add(whileKnown(link, issuer, sweepOf(issuer)))),
})

/** A sweep that leaves what waits for an issuer alone while nothing is sent to it. */
function whileKnown(link: IssuerLink, issuer: IssuerName, sweep: Sweep): Sweep {
  const { dueTenants, unfinished = dueTenants } = sweep
  return {
    ...sweep,
    dueTenants: async (...asked) => (link.has(issuer) ? dueTenants(...asked) : []),
    unfinished: async (...asked) => (link.has(issuer) ? unfinished(...asked) : []),
    run: async (ctx) => (link.has(issuer) ? sweep.run(ctx) : { more: false }),
  }
}
