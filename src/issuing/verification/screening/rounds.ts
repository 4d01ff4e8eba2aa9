/**
 * Further checks: all ACTIVE users of a tenant again by a setting of days (D-1082). A round goes
 * through them in the order of their ids, a few at a time, and its place is a row: another process
 * goes on from there. A match is a review and an event; no status changes.
 */

import { hash } from 'node:crypto'
import { type Context, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { addDays } from '#lib/time.ts'
import { matchesOf, type Screening } from './calls.ts'
import { recordMatches } from './matches.ts'
import { failureOf, waitAfter } from './retries.ts'
import {
  claimDueRound,
  deleteRound,
  insertRound,
  listActiveAfter,
  type RoundRow,
  roundsDue,
  tenantsWithoutRound,
  updateRound,
} from './rounds_store.ts'
import { hasWaiting, insertScreening } from './store.ts'

/** `every_days` null: no further checks. */
export type Ongoing = Readonly<{ every_days: number | null; a_minute: number }>

const USERS_A_PORTION = 10
const MINUTE = 60_000
/** Longer than the calls of a portion can last; after it another process takes over. */
const LEASE_MS = 15 * MINUTE
/** A user whose check fails so often is checked on its own, and the round goes on. */
const SET_ASIDE_AFTER = 10

/** Begins the first round of each tenant. */
export const roundStarts = ({ every_days }: Ongoing): Sweep => ({
  name: 'screening starts',
  every_ms: 30_000,
  dueTenants: every_days === null ? async () => [] : tenantsWithoutRound,
  async run(ctx) {
    await transact(ctx, insertRound)
    return { more: false }
  },
})

export const screeningRounds = (screening: Screening, ongoing: Ongoing): Sweep => ({
  ...roundsDue,
  ...((screening.kyc?.outside || screening.kyb?.outside) && { outside: true }),
  run: (ctx) => goOn(ctx, screening, ongoing),
})

/** One portion; the next one is due after the time that the pace gives it. */
async function goOn(ctx: Context, screening: Screening, { every_days, a_minute }: Ongoing) {
  const round = await claimDueRound(ctx, new Date(ctx.now.getTime() + LEASE_MS))
  if (!round) return { more: false }
  if (every_days === null) {
    await deleteRound(ctx)
    return { more: false }
  }
  const begun = round.last_user_id === null ? { ...round, started: ctx.now, checked: 0 } : round
  const ids = await listActiveAfter(ctx, begun.last_user_id, USERS_A_PORTION)
  const { passed, error } = await checkEach(ctx, screening, begun, ids)
  const next = { ...begun, checked: begun.checked + passed.length, attempts: 0, failure: null }
  const last_user_id = passed.at(-1) ?? begun.last_user_id
  const at = (wait_ms: number) => new Date(ctx.now.getTime() + wait_ms)
  if (error !== undefined) {
    // A call of this portion that has passed ends the row of failures.
    const attempts = passed.length > 0 ? 1 : begun.attempts
    const failure = failureOf(error)
    await save(ctx, { ...next, last_user_id, attempts, failure, due: at(waitAfter(attempts)) })
    throw error
  }
  if (ids.length < USERS_A_PORTION) {
    const due = addDays(begun.started, every_days)
    await save(ctx, { ...next, last_user_id: null, ended: ctx.now, due })
  } else {
    await save(ctx, { ...next, last_user_id, due: at((USERS_A_PORTION * MINUTE) / a_minute) })
  }
  return { more: false }
}

const save = (ctx: Context, { tenant_id: _own, ...changes }: RoundRow) =>
  transact(ctx, (tx) => updateRound(tx, changes))

/** The users that were checked before a call failed, and its error. */
async function checkEach(
  ctx: Context,
  screening: Screening,
  round: RoundRow,
  ids: readonly string[],
): Promise<{ passed: string[]; error?: unknown }> {
  const passed: string[] = []
  for (const user_id of ids) {
    const reference = referenceOf(round, user_id)
    try {
      await check(ctx, screening, { reference, user_id })
    } catch (error) {
      const isAside = passed.length === 0 && round.attempts >= SET_ASIDE_AFTER
      if (!isAside) return { passed, error }
      const due = new Date(ctx.now.getTime() + waitAfter(round.attempts))
      const failed = { attempts: round.attempts, failure: failureOf(error) }
      await later(ctx, { reference, user_id, due, ...failed })
    }
    passed.push(user_id)
  }
  return { passed }
}

type Check = { reference: string; user_id: string }

/** A provider that answers later is asked again on its own, and the round goes on. */
async function check(ctx: Context, screening: Screening, { reference, user_id }: Check) {
  if (await hasWaiting(ctx, user_id)) return
  const due = new Date(ctx.now.getTime() + MINUTE)
  const waiting = { reference, user_id, due }
  // A case that the provider has kept is a check of its own from then on.
  const keep = (provider_case: string) => later(ctx, { ...waiting, provider_case })
  const asked = { reference, purpose: 'ONGOING', user_id, kept: null, keep } as const
  const answer = await matchesOf(ctx, screening, asked)
  if (!answer) return later(ctx, waiting)
  const { found, ...by } = answer
  if (found.length > 0) await transact(ctx, (tx) => recordMatches(tx, by, found))
}

type Later = Check & { due: Date; attempts?: number; failure?: string; provider_case?: string }

const later = (ctx: Context, { reference: id, ...waiting }: Later): Promise<void> =>
  transact(ctx, (tx) => insertScreening(tx, { id, purpose: 'ONGOING', ...waiting }))

/** The same for a user and a round, so that a call that is repeated finds the case made before. */
function referenceOf({ tenant_id, started }: RoundRow, user_id: string): string {
  const digest = hash('sha256', `${tenant_id}:${started.toISOString()}:${user_id}`)
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
