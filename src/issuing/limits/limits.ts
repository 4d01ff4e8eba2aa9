/** Public functions of balance limits and velocity limits (D-41, D-42). */

import type { Context, Tx } from '#kit/context.ts'
import { transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { changedLimit, newLimit } from './rules/terms.ts'
import {
  LINKED_MAX,
  type LimitInput,
  type LimitQuery,
  type NewBalanceLimit,
  type NewVelocityLimit,
} from './schema.ts'
import {
  findLimitRow,
  findLinked,
  insertLimit,
  type Kind,
  type LimitRow,
  listLimitRows,
  listTermsByIds,
  lockLimit,
  lockLinked,
  type Owner,
  updateLimitRow,
  updateLinked,
} from './store.ts'

export { auditLimits } from './audit.ts'
export {
  listAccountCounters,
  listUserCounters,
  lockUserCounters,
  upsertChainCounters,
  upsertUserCounters,
} from './counters_store.ts'
export { requirePreloadWithinLimits, requireWithinLimits } from './movements.ts'
export { newLimit } from './rules/terms.ts'
export { listTermsByIds } from './store.ts'

/** Fails with `id_taken`, and with 400 on every fault of the limit. It is linked to nothing yet. */
export function createLimit(
  ctx: Context | Tx,
  kind: Kind,
  { id = newId(), ...input }: NewBalanceLimit | NewVelocityLimit,
): Promise<LimitRow> {
  const fields = unwrap(newLimit(kind, input))
  return transact(ctx, async (tx) => {
    const limit = await insertLimit(tx, id.toLowerCase(), fields)
    if (!limit) throw new ApiError('id_taken')
    return limit
  })
}

export async function findLimit(ctx: Context, kind: Kind, id: string): Promise<LimitRow> {
  const limit = await findLimitRow(ctx, kind, id)
  if (!limit) throw new ApiError('not_found')
  return limit
}

/** Newest first. */
export function listLimits(ctx: Context, kind: Kind, query: LimitQuery): Promise<Page<LimitRow>> {
  return listPage(`${kind}_limits`, query, (range) => listLimitRows(ctx, kind, range))
}

/** Changes what is sent; applies to the next decision wherever the limit is linked. */
export function updateLimit(
  ctx: Context | Tx,
  kind: Kind,
  id: string,
  input: LimitInput,
): Promise<LimitRow> {
  return transact(ctx, async (tx) => {
    const before = await lockLimit(tx, kind, id)
    if (!before) throw new ApiError('not_found')
    const { description, type, currency, min_amount, max_amount } = before
    const { frequency, period, transaction_scope, mode } = before
    const stored = { kind, description, type, currency, min_amount, max_amount }
    const fields = changedLimit({ ...stored, frequency, period, transaction_scope, mode }, input)
    return updateLimitRow(tx, before.id, unwrap(fields))
  })
}

/** The limits that are linked to the object, newest first. */
export async function listLinkedLimits(
  ctx: Context,
  kind: Kind,
  owner: Owner,
  id: string,
  query: LimitQuery,
): Promise<Page<LimitRow>> {
  const ids = await findLinked(ctx, owner, kind, id)
  if (!ids) throw new ApiError('not_found')
  return listPage(`linked_${kind}_limits`, query, (range) => listLimitRows(ctx, kind, range, ids))
}

export type Linked = { id: string; ids: string[] }

/** Adds links; those that exist stay. 400 on an id that does not exist, 409 `limits_reached`. */
export function linkLimits(
  ctx: Context | Tx,
  kind: Kind,
  owner: Owner,
  id: string,
  given: readonly string[],
): Promise<Linked> {
  return changeLinks(ctx, kind, owner, id, given, (before, ids) => {
    const after = [...new Set([...before, ...ids])]
    if (after.length > LINKED_MAX) {
      throw new ApiError('limits_reached', { detail: `At most ${LINKED_MAX} may be linked.` })
    }
    return after
  })
}

/** Removes links; a limit that is not linked stays so. 400 on an id that does not exist. */
export function unlinkLimits(
  ctx: Context | Tx,
  kind: Kind,
  owner: Owner,
  id: string,
  given: readonly string[],
): Promise<Linked> {
  return changeLinks(ctx, kind, owner, id, given, (before, ids) =>
    before.filter((one) => !ids.includes(one)),
  )
}

function changeLinks(
  ctx: Context | Tx,
  kind: Kind,
  owner: Owner,
  id: string,
  given: readonly string[],
  change: (before: readonly string[], ids: readonly string[]) => string[],
): Promise<Linked> {
  const ids = given.map((one) => one.toLowerCase())
  return transact(ctx, async (tx) => {
    const before = await lockLinked(tx, owner, kind, id)
    if (!before) throw new ApiError('not_found')
    const known = await listTermsByIds(tx, ids)
    const errors = ids.flatMap((one, at) =>
      known.some((limit) => limit.id === one && limit.kind === kind)
        ? []
        : [{ path: `ids.${at}`, message: 'does not exist' }],
    )
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    const after = change(before, ids)
    if (after.length !== before.length) await updateLinked(tx, owner, kind, id, after)
    return { id: id.toLowerCase(), ids: after }
  })
}
