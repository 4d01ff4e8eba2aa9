/**
 * Checks of businesses, and further checks of users that are ACTIVE: calls of a provider without
 * locks, repeated until it answers (D-1080). No answer changes the status of a user.
 */

import { findUserRow } from '#issuing/users/users.ts'
import { type Context, transact } from '#kit/context.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { newId } from '#lib/id.ts'
import { callDue } from '../portions.ts'
import type { CheckDone, KybProvider, KycCase, KycProvider, Match } from '../provider.ts'
import { recordMatches } from './matches.ts'
import type { Found } from './matches_store.ts'
import { failureOf, waitAfter } from './retries.ts'
import {
  insertScreening,
  listUnchecked,
  type ScreeningRow,
  screeningsDue,
  tenantsWithUnchecked,
  updateDueByReference,
  updateScreeningCase,
  updateScreeningDone,
  updateScreeningDue,
} from './store.ts'
import { isBusiness, type Subjects } from './subjects.ts'

/** The channel that notifies the sweep of checks. */
export const SCREENINGS = 'screenings'

const NEW_A_PORTION = 100
const PENDING_MS = 60_000

/** The providers, of which one may be absent: then nothing asks about its kind of users. */
export type Screening = {
  kyc?: KycProvider | undefined
  kyb?: KybProvider | undefined
  subjects: Subjects
}

export function screeningCalls(screening: Screening): Sweep {
  const isOutside = screening.kyc?.outside || screening.kyb?.outside
  return {
    ...screeningsDue,
    ...(isOutside && { outside: true }),
    channel: SCREENINGS,
    run: (ctx) => callDue(ctx, 'screenings', (row) => call(ctx, screening, row)),
  }
}

/** A business is checked when it is created, and again when it or one of its people changed. */
export const businessesToCheck: Sweep = {
  name: 'kyb checks',
  every_ms: 30_000,
  dueTenants: tenantsWithUnchecked,
  async run(ctx) {
    const ids = await listUnchecked(ctx, NEW_A_PORTION)
    await transact(ctx, async (tx) => {
      for (const user_id of ids) {
        await insertScreening(tx, { id: newId(), user_id, purpose: 'KYB', due: tx.now })
      }
      tx.afterCommit(() => tx.notify(SCREENINGS, tx.tenant_id))
    })
    return { more: ids.length === NEW_A_PORTION }
  },
}

/** A call that fails is noted and thrown: the failure of the job is seen where jobs are. */
async function call(ctx: Context, screening: Screening, row: ScreeningRow): Promise<void> {
  const { id, purpose, user_id } = row
  const after = (wait_ms: number) => new Date(ctx.now.getTime() + wait_ms)
  try {
    const { provider_case: kept } = row
    const keep = (provider_case: string) => updateScreeningCase(ctx, id, provider_case)
    const check = { reference: id, purpose, user_id, kept, keep }
    const matches = await matchesOf(ctx, screening, check)
    if (matches) return await finish(ctx, row, matches)
    await updateScreeningDue(ctx, id, { due: after(PENDING_MS), attempts: 0, failure: null })
  } catch (error) {
    const { attempts } = row
    const due = after(waitAfter(attempts))
    await updateScreeningDue(ctx, id, { due, attempts, failure: failureOf(error) })
    throw error
  }
}

export type Answered = Found & { found: readonly Match[] }
type Check = Pick<KycCase, 'reference' | 'kept' | 'keep'> & {
  purpose: 'KYB' | 'ONGOING'
  user_id: string
}

/**
 * The answer of the provider that is for this user. Undefined while it has none. A user without a
 * provider, and one that is not of the kind any more, has an answer without matches.
 */
export async function matchesOf(
  ctx: Context,
  { kyc, kyb, subjects }: Screening,
  { purpose, user_id, ...check }: Check,
): Promise<Answered | undefined> {
  const row = await findUserRow(ctx, user_id)
  if (row && isBusiness(row) && kyb) {
    const business = await subjects.business(ctx, row)
    const { reference } = check
    const { result, matches } = await kyb.check(ctx, { reference, purpose, business })
    return result === 'PENDING' ? undefined : { purpose, provider: kyb.name, found: matches }
  }
  if (row && !isBusiness(row) && kyc && purpose === 'ONGOING') {
    const asked = { ...check, ...(await subjects.asked(ctx, row)), purpose, kyc_policy: null }
    const { result, matches } = await kyc.decide(ctx, asked)
    return result === 'PENDING' ? undefined : { purpose, provider: kyc.name, found: matches }
  }
  return { purpose, provider: 'none', found: [] }
}

/** Another process may have finished it meanwhile: each match is stored once. */
function finish(ctx: Context, row: ScreeningRow, { found, ...by }: Answered): Promise<void> {
  return transact(ctx, async (tx) => {
    if (await updateScreeningDone(tx, row.id)) await recordMatches(tx, by, found)
  })
}

/** Asks again after a provider's notification: it is trusted for nothing else. */
export const screeningDone =
  (channels: readonly string[]): CheckDone =>
  async (services: Services, reference: string) => {
    for (const tenant_id of await updateDueByReference(services.db, reference)) {
      for (const channel of channels) services.notify(channel, tenant_id)
    }
  }
