/** Entries of watchlists that may be a user: stored for the reviewer, who judges them (D-1170). */

import { emit } from '#events/outbox.ts'
import type { TenantQuery } from '#issuing/tenants/schema.ts'
import { withinTenantOf } from '#issuing/tenants/tenants.ts'
import { lockUsers } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { screeningMatch } from '../events.ts'
import type { Match } from '../provider.ts'
import type { MatchDecision, MatchQuery } from '../schema.ts'
import {
  type Found,
  findMatchRow,
  listMatchesOf,
  listMatchRows,
  type MatchRow,
  updateMatchJudged,
  upsertMatch,
} from './matches_store.ts'

/**
 * Stores what a provider has found, and emits an event of what is new. No status of a user changes
 * by it. A subject that is no user of the tenant is left out.
 */
export async function recordMatches(
  tx: Tx,
  found: Found,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return
  const users = await lockUsers(tx, [...new Set(matches.map(({ subject_id }) => subject_id))])
  for (const match of matches) {
    const row = users.has(match.subject_id) ? await upsertMatch(tx, found, match) : undefined
    if (row) await emit(tx, screeningMatch(row))
  }
}

/** An approval follows the judgement of what was found, which it never implies. */
export async function assertNoneOpen(tx: Tx, user_id: string): Promise<void> {
  const open = (await listMatchesOf(tx, [user_id])).filter(({ status }) => status === 'OPEN')
  if (open.length === 0) return
  throw new ApiError('matches_open', {
    detail: `Matches of the user are open: ${open.length}. Dismiss or confirm each first.`,
  })
}

/** A match by its id alone. */
export async function findMatch(ctx: Context | Tx, id: string): Promise<MatchRow> {
  const row = await findMatchRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/** The matches of all tenants, newest first. */
export function listMatches(ctx: Context, query: MatchQuery): Promise<Page<MatchRow>> {
  const { limit, after, ...filters } = query
  return listPage('matches', { limit, after }, (range) => listMatchRows(ctx, filters, range))
}

/** Dismisses or confirms a match. The status of the user stays. */
export function judgeMatch(
  ctx: Context | Tx,
  { id, tenant_id }: { id: string } & TenantQuery,
  status: 'DISMISSED' | 'CONFIRMED',
  { reason: note }: MatchDecision,
): Promise<MatchRow> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'screening_matches', id, tenant_id)
    const row = await updateMatchJudged(within, id, { status, note })
    if (row) return row
    const before = await findMatch(within, id)
    throw new ApiError('match_decided', { detail: `The match is ${before.status}.` })
  })
}
