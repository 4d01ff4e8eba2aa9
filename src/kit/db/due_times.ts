/**
 * The rows of `due_work` as a transaction writes them (D-691): the least time at which what it
 * writes of a kind is due. kit/jobs/due_work.ts has what they are for.
 */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import { instantArray, plainArray, textArray } from './arrays.ts'
import type { Db } from './database.ts'
import { Write } from './write.ts'

/** An instant of the tenant's clock; for kinds of real time the milliseconds from now. */
export type When = Date | number

/** The due times of the tenant whose rows a transaction writes, by kind. */
export type DueTimes = { tenant_id: string; times: Map<string, When> }

/**
 * Usually it finds times that are early enough and writes nothing. It holds their rows until the
 * transaction ends, by a lock that any number of transactions may hold; only a statement that would
 * raise a time waits for it. Otherwise rows are made or set back, in the order of their kinds, so
 * that no two transactions wait for each other. Nothing is written if `condition` does not hold.
 */
export function upsertDueTimes(
  db: Db,
  { tenant_id, times }: DueTimes,
  condition: RawBuilder<unknown> = sql`true`,
): Write {
  const whens = [...times.values()]
  const instants = whens.map((when) => (typeof when === 'number' ? null : when))
  const waits = whens.map((when) => (typeof when === 'number' ? when : null))
  const due = sql`coalesce(g.due, ${databaseNow} + g.after_ms * interval '1 millisecond')`
  const upserted = sql`
    insert into due_work (tenant_id, kind, due)
    select anchor.tenant_id, g.kind, ${due}
    from tenant_anchors anchor cross join unnest(${textArray([...times.keys()])}::text[],
      ${instantArray(instants)}::timestamptz[], ${plainArray(waits)}::float8[])
      as g (kind, due, after_ms)
    where anchor.tenant_id = ${tenant_id} and ${condition} and not exists (
      select from due_work w
      where w.tenant_id = ${tenant_id} and w.kind = g.kind and w.due <= ${due} for key share)
    order by g.kind
    on conflict (tenant_id, kind) do update set due = least(due_work.due, excluded.due)`
  return Write.of(db, upserted)
}
