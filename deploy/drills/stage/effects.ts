/** Compares what a load was answered with what is in the database. */

import { openDatabase } from '#kit/db/database.ts'
import { KINDS, type Kind, type Request } from './load.ts'

/** The marks of what is in effect; `$1` are those that are looked for. */
const EFFECTS: Readonly<Record<Kind, string>> = {
  card: 'select id::text as mark from cards where id = any ($1::uuid[])',
  load: 'select notes as mark from transfers where notes = any ($1)',
  authorization: `select rrn as mark from transactions
    where rrn = any ($1) and status in ('PENDING', 'SETTLED')`,
}

/** How often each mark is in effect, by kind. */
export type Effects = Readonly<Record<Kind, ReadonlyMap<string, number>>>

/** The effects of all requests, as the owner of the database at `url` sees them. */
export async function effectsOf(url: string, requests: readonly Request[]): Promise<Effects> {
  const { pool, close } = openDatabase(url, 1)
  try {
    const found: Record<Kind, Map<string, number>> = {
      card: new Map(),
      load: new Map(),
      authorization: new Map(),
    }
    for (const kind of KINDS) {
      const marks = requests.filter((one) => one.kind === kind).map(({ mark }) => mark)
      const { rows } = await pool.query<{ mark: string }>(EFFECTS[kind], [marks])
      for (const { mark } of rows) found[kind].set(mark, (found[kind].get(mark) ?? 0) + 1)
    }
    return found
  } finally {
    await close()
  }
}

export const timesOf = (effects: Effects, { kind, mark }: Request): number =>
  effects[kind].get(mark) ?? 0
