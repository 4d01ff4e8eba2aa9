/** A statement over all tenants while a node of a cluster does not answer. */

import { type RawBuilder, sql } from 'kysely'

/**
 * The condition that a column is one of the tenants that `Db.listReached` has found: the shards of
 * the others are not asked then. Nothing at all if each node answers.
 */
export const ofReached = (
  word: 'where' | 'and',
  column: string,
  reached: readonly string[] | undefined,
): RawBuilder<unknown> =>
  reached === undefined
    ? sql``
    : sql` ${sql.raw(word)} ${sql.ref(column)} = any (${[...reached]}::uuid[])`
