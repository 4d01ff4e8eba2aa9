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

const OF_TENANT = /\b(\w+)\.tenant_id = t\.tenant_id\b/g

/**
 * The text of a statement in which each table that is compared with the tenant `t` is restricted to
 * the tenants of a parameter. Citus follows a comparison to the shards, but not through OR or NOT
 * EXISTS: it would ask every shard of that table.
 */
export const namingReached = (text: string, parameter: number): string =>
  text.replaceAll(OF_TENANT, `$& and $1.tenant_id = any ($$${parameter}::uuid[])`)
