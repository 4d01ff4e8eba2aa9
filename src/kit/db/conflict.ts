/**
 * Writes that rest on rows which were read without a lock. If a row has changed since, the
 * statement itself fails, so that a COMMIT which was sent with it rolls back.
 */

import { type OperationNodeSource, type RawBuilder, sql } from 'kysely'
import { hasCode } from '#kit/start_error.ts'

/** division_by_zero: no other statement of this program divides by a value that may be zero. */
const CONFLICT = '22012'

/** `changes` returns a row for each row that it has changed; fails unless it has changed `count`. */
export const expectRows = (changes: OperationNodeSource, count: number): RawBuilder<unknown> => sql`
  with changed as (${changes}) select 1 / (count(*) = ${count}::bigint)::int from changed`

/**
 * A number to be set by `on conflict … do update`; the statement fails if the stored row is another
 * than it was read. Citus takes no insert within a `with`, which could count rows.
 */
export const ifUnchanged = (
  number: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${number} / (${condition})::int`

/** Whether a statement has failed because a row that it rests on has changed meanwhile. */
export const isConflict = (error: unknown): boolean => hasCode(error, CONFLICT)
