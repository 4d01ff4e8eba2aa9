/**
 * The look of all sweeps at `due_work` (D-691): those that ask at one time share one statement, so
 * an idle process sends one a second, whatever the number of its sweeps.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { databaseNow, tenantNow } from '#kit/clock.ts'
import { textArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { ofReached } from '#kit/db/reached.ts'
import { FIRST_ID } from './due_tenants.ts'
import type { DueKind } from './due_work.ts'

/** How many tenants a sweep is given at a time (D-351). */
export const TENANTS_PER_ROUND = 100
/** Rows of one look, of all kinds together. */
const ROWS_MAX = 1_000
/** Sweeps wake at one instant; a timer may be some milliseconds late. */
const GATHERING_MS = 5

/** Tenants in the order of their ids; if more may follow, `last` is the one to go on after. */
export type DueTenantsFound = { found: string[]; last?: string }
/** The tenants that a kind has to look at, with ids after `from`. */
export type FindDue = (kind: DueKind, from: string) => Promise<DueTenantsFound>

/** `clocksMove`: whether the clocks of tenants may be ahead of the database's. */
export function createDueFinder(db: Db, clocksMove: boolean): FindDue {
  let gathering: { kinds: DueKind[]; found: Promise<Map<string, DueTenantsFound>> } | undefined

  async function gather(kinds: readonly DueKind[]) {
    await pause(GATHERING_MS)
    gathering = undefined
    return lookFor(db, kinds, FIRST_ID, clocksMove)
  }

  return async (kind, from) => {
    if (from === FIRST_ID && !gathering) {
      const kinds: DueKind[] = []
      gathering = { kinds, found: gather(kinds) }
    }
    if (from === FIRST_ID) gathering?.kinds.push(kind)
    const looked = from === FIRST_ID ? gathering?.found : lookFor(db, [kind], from, clocksMove)
    return (await looked)?.get(kind.name) ?? { found: [] }
  }
}

type Row = { tenant_id: string; kind: string }

/** Tenants whose clock is ahead are looked for beside the others, if there are any. */
async function lookFor(
  db: Db,
  kinds: readonly DueKind[],
  from: string,
  clocksMove: boolean,
): Promise<Map<string, DueTenantsFound>> {
  const names = (some: readonly DueKind[]) =>
    sql`${textArray(some.map(({ name }) => name))}::text[]`
  const reached = ofReached('and', 'w.tenant_id', await db.listReached())
  const due = sql`
    select w.tenant_id, w.kind from due_work w
    where w.due <= ${databaseNow} and w.kind = any (${names(kinds)})
      and w.tenant_id > ${from}${reached}`
  const isTimed = ({ realTime }: DueKind) => realTime !== true
  const ahead = sql`
    select w.tenant_id, w.kind from due_work w join tenants t on t.id = w.tenant_id
    where t.clock_offset_ms > 0 and w.due > ${databaseNow} and w.due <= ${tenantNow}
      and w.kind = any (${names(kinds.filter(isTimed))}) and w.tenant_id > ${from}${reached}`
  const all = clocksMove && (await areAhead(db)) ? sql`${due} union all ${ahead}` : due
  const { rows } = await sql<Row>`
    ${all} order by tenant_id, kind limit ${sql.lit(ROWS_MAX)}`.execute(db)
  return portionsOf(kinds, rows, ROWS_MAX)
}

async function areAhead(db: Db): Promise<boolean> {
  const { rows } = await sql<{ are: boolean }>`
    select exists (select from tenants where clock_offset_ms > 0) as are`.execute(db)
  return rows[0]?.are ?? false
}

/** The portion of each kind from the rows, which are in the order of tenants and at most `most`. */
export function portionsOf(
  kinds: readonly { name: string }[],
  rows: readonly Row[],
  most: number,
): Map<string, DueTenantsFound> {
  const cut = rows.length === most ? rows.at(-1)?.tenant_id : undefined
  // The last tenant may have more kinds than were read: it comes with the next look.
  const whole = rows.filter(({ tenant_id }) => tenant_id !== cut)
  const end = cut === undefined ? undefined : whole.at(-1)?.tenant_id
  const byKind = Map.groupBy(whole, ({ kind }) => kind)
  return new Map(
    kinds.map(({ name }): [string, DueTenantsFound] => {
      const ids = (byKind.get(name) ?? []).map(({ tenant_id }) => tenant_id)
      const found = ids.slice(0, TENANTS_PER_ROUND)
      const last = ids.length > found.length ? found.at(-1) : end
      return [name, { found, ...(last !== undefined && { last }) }]
    }),
  )
}
