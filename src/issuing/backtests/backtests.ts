/**
 * Public functions of backtests: the decisions that proposed controls would have made (D-482 to
 * D-484).
 */

import { listRefs, wholeLists } from '#issuing/lists/lists.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import type { Context, Tx } from '#kit/context.ts'
import { transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { firstIdAt, newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import { addDays } from '#lib/time.ts'
import { BACKTESTS, ID_SLACK_MS } from './job.ts'
import {
  faultsOfRequest,
  faultsOfSettings,
  ownerOf,
  periodOf,
  proposedLimits,
  proposedLists,
} from './request.ts'
import { countsFrom, noSums, type StoredPlan, storedTerms } from './rules.ts'
import { type BacktestQuery, KEPT_DAYS, type NewBacktest, RUNNING_MAX } from './schema.ts'
import {
  type BacktestRow,
  findBacktestRow,
  findClockOffset,
  findSettings,
  hasOwner,
  insertBacktest,
  listBacktestRows,
  lockBacktest,
  type NewRow,
  updateBacktest,
} from './store.ts'

export { backtestsDue } from './store.ts'

/**
 * Begins a backtest, which the job then does in portions. Fails with 400 on every fault of the
 * request, with `backtests_running` and with `id_taken`.
 */
export function createBacktest(ctx: Context | Tx, body: NewBacktest): Promise<BacktestRow> {
  return transact(ctx, async (tx) => {
    const fields = await rowOf(tx, body)
    const id = (body.id ?? newId()).toLowerCase()
    for (let place = 1; place <= RUNNING_MAX; place += 1) {
      const row = await insertBacktest(tx, id, place, fields)
      if (row) {
        tx.afterCommit(() => tx.notify(BACKTESTS, tx.tenant_id))
        return row
      }
    }
    throw new ApiError((await findBacktestRow(tx, id)) ? 'id_taken' : 'backtests_running')
  })
}

export async function findBacktest(ctx: Context, id: string): Promise<BacktestRow> {
  const row = await findBacktestRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** Newest first. */
export function listBacktests(ctx: Context, query: BacktestQuery): Promise<Page<BacktestRow>> {
  return listPage('backtests', query, (range) => listBacktestRows(ctx, range))
}

/** The results up to then stay. A second cancellation changes nothing; 409 `backtest_ended`. */
export function cancelBacktest(ctx: Context | Tx, id: string): Promise<BacktestRow> {
  return transact(ctx, async (tx) => {
    const before = await lockBacktest(tx, id)
    if (!before) throw new ApiError('not_found')
    if (before.status === 'CANCELLED') return before
    if (before.status !== 'RUNNING') throw new ApiError('backtest_ended')
    const ended = { status: 'CANCELLED', place: null, due: tx.now, completed: tx.now } as const
    return updateBacktest(tx, before.id, ended)
  })
}

async function rowOf(tx: Tx, body: NewBacktest): Promise<NewRow> {
  const named = ownerOf(body)
  const [owner, owner_id] = [named?.owner ?? null, named?.id ?? null]
  const refs = listRefs(body)
  const [settings, hasNamed, product, stored, offset] = await Promise.all([
    readSettings(tx),
    named ? hasOwner(tx, named.owner, named.id) : true,
    findSettings(tx, owner, owner_id),
    refs.length > 0 ? wholeLists(tx, refs) : [],
    findClockOffset(tx),
  ])
  const period = periodOf(body, tx.now)
  const lists = proposedLists(body)
  const balance = proposedLimits(body, 'BALANCE')
  const velocity = proposedLimits(body, 'VELOCITY')
  const missing = refs.filter(({ kind }) => !stored.some((list) => list.kind === kind))
  const errors: Fault[] = [
    ...faultsOfRequest(body, period),
    ...(named && !hasNamed ? [{ path: named.member, message: 'does not exist' }] : []),
    ...missing.map(({ member }) => ({ path: member, message: 'does not exist' })),
    ...faultsOfSettings(body, product),
    ...[lists, balance, velocity].flatMap(({ faults }) => faults),
  ]
  if (errors.length > 0) throw new ApiError('validation_failed', { errors })

  const { from: starts, to: ends } = period
  const periods = velocity.value.map(({ period }) => period)
  const counts_from = countsFrom(periods, starts, settings.time_zone)
  const plan: StoredPlan = {
    settings,
    owner,
    auth_settings: body.auth_settings ?? null,
    lists: {
      ...noLists(body),
      ...Object.fromEntries([...stored, ...lists.value].map((list) => [list.kind, plain(list)])),
    },
    balance: balance.value.map(storedTerms),
    velocity: velocity.value.map(storedTerms),
  }
  const first = Math.max(0, counts_from.getTime() - offset - ID_SLACK_MS)
  return {
    starts,
    ends,
    counts_from,
    owner,
    owner_id,
    plan,
    result: noSums(),
    proposal: proposalOf(body),
    after_id: firstIdAt(first),
    expires: addDays(tx.now, KEPT_DAYS),
  }
}

/** null for each kind of which the proposal names no list. */
const noLists = (body: NewBacktest): StoredPlan['lists'] => ({
  ...(body.allowed_countries_id === null && { countries: null }),
  ...(body.allowed_mccs_id === null && { mccs: null }),
  ...(body.allowed_merchants_id === null && { merchants: null }),
})

/** A list that is named is proposed as if it were active and in force. */
function plain(list: NonNullable<StoredPlan['lists']['mccs']>) {
  const { kind, id, name, allow, entries } = list
  return { kind, id, name, allow, entries, active: true, mode: 'ENFORCED' as const }
}

function proposalOf(body: NewBacktest): NewRow['proposal'] {
  const { id: _id, from: _from, to: _to, card_product_id: _p, card_id: _c, ...rest } = body
  const { account_id: _a, user_id: _u, ...proposal } = rest
  return proposal
}
