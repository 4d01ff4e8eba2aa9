/**
 * Public functions of attempts to sign in and to sign up: ten failures of an account or fifty of an
 * address of the network within 15 minutes (D-135, D-574), and as many registrations (D-886),
 * requests for a new password (D-922) and invitations (D-939) as the profile allows, over all
 * processes.
 */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { originOf } from '#kit/net/networks.ts'
import { ApiError } from '#lib/result.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { MOST, recentOf, waitSeconds } from './rules.ts'
import {
  deleteFailure,
  findFailure,
  lockFailures,
  updateFailures,
  upsertSignedIn,
} from './store.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Registrations of one address of the network within 15 minutes (D-886). */
    readonly sign_ups_most: number
    /** Requests for a new password of one address of the network within 15 minutes (D-922). */
    readonly resets_most: number
    /** Invitations of one team, and of one address of the network, within 15 minutes (D-939). */
    readonly invitations_most: number
  }
}

export { deleteOldFailures } from './store.ts'

export type Attempt = {
  /** The address in its normal form, known or not; undefined if the attempt is at no account. */
  email: string | undefined
  /** The source of the attempt. */
  address: string
}

/** An attempt that counts as failed until it is taken back. */
export type Counted = { subjects: readonly Buffer[]; at: Date }

/**
 * Counts an attempt as failed before it is judged, so that attempts at the same time, also of other
 * processes, are no more than the limit. Throws `rate_limited` with the seconds to wait if the
 * account or the address has none left.
 */
export function countAttempt(ctx: Context, attempt: Attempt): Promise<Counted> {
  const detail = 'Too many sign-ins have failed; wait and try again.'
  return count(ctx, subjectsOf(ctx, attempt), detail)
}

/**
 * Counts a password that a member gives again within a session, by the session alone: a stranger's
 * guesses at a sign-in must not keep a member from removing an intruder's factor (D-1001).
 */
export function countConfirmation(ctx: Context, session_id: string): Promise<Counted> {
  const subject = ctx.keys.digest('lookup', `confirming session ${session_id}`)
  const detail = 'Too many passwords were wrong in this session; wait and try again.'
  return count(ctx, new Map([[subject, MOST.account]]), detail)
}

/** A member has signed in from the address of the network: its passwords wait in an own queue. */
export const noteSignIn = (tx: Tx, address: string): Promise<void> =>
  upsertSignedIn(overAllTenants(tx), signedInFrom(tx, address))

/** Whether somebody has signed in from the address of the network in the last 30 days (D-977). */
export const hasSignedIn = (ctx: Context, address: string): Promise<boolean> =>
  findFailure(overAllTenants(ctx), signedInFrom(ctx, address))

const signedInFrom = ({ keys }: Context, address: string): Buffer =>
  keys.digest('lookup', `signed in from ${originOf(address)}`)

/**
 * Counts a registration, whatever becomes of it: each takes work, and makes a tenant or a mail.
 * Throws `rate_limited` with the seconds to wait if the address has none left (D-886).
 */
export async function countSignUp(ctx: Context, address: string): Promise<void> {
  const subject = ctx.keys.digest('lookup', `sign-up address ${originOf(address)}`)
  const detail = 'Too many registrations come from this address; wait and try again.'
  await count(ctx, new Map([[subject, ctx.profile.sign_ups_most]]), detail)
}

/**
 * Counts a request for a new password, whatever becomes of it. False if the address of the network
 * has none left: its answer is the same, and nothing is sent (D-141, D-922).
 */
export async function countReset(ctx: Context, address: string): Promise<boolean> {
  const subject = ctx.keys.digest('lookup', `reset address ${originOf(address)}`)
  const { wait } = await take(ctx, new Map([[subject, ctx.profile.resets_most]]))
  return wait === 0
}

/**
 * Counts an invitation of a team, of a tenant or the operator's (null), whatever its outcome: its
 * answer reveals something about the address. Throws `rate_limited` with the seconds to wait if the
 * team or the address of the network has none left (D-939).
 */
export async function countInvitation(
  ctx: Context,
  { team, address }: { team: string | null; address: string },
): Promise<void> {
  const most = ctx.profile.invitations_most
  const subjects = [`inviting team ${team}`, `inviting address ${originOf(address)}`]
  const counted = subjects.map((subject) => [ctx.keys.digest('lookup', subject), most] as const)
  const detail =
    'Too many invitations were sent by this team or from this address; send the others later.'
  await count(ctx, new Map(counted), detail)
}

async function count(
  ctx: Context | Tx,
  subjects: ReadonlyMap<Buffer, number>,
  detail: string,
): Promise<Counted> {
  const { wait, ...counted } = await take(ctx, subjects)
  if (wait > 0) throw new ApiError('rate_limited', { detail, retry_after_seconds: wait })
  return counted
}

/**
 * `subjects` with the most that each may have within the window. Counts if `wait` is 0: these are
 * the seconds until another attempt is allowed.
 */
function take(
  ctx: Context | Tx,
  subjects: ReadonlyMap<Buffer, number>,
): Promise<Counted & { wait: number }> {
  return transact(ctx, async (given) => {
    const tx = overAllTenants(given)
    const rows = await lockFailures(tx, [...subjects.keys()])
    const limits = new Map([...subjects].map(([subject, most]) => [subject.toString('hex'), most]))
    const now = rows[0]?.now ?? tx.now
    const most = (subject: Buffer) => limits.get(subject.toString('hex')) ?? 0
    const wait = Math.max(
      ...rows.map(({ subject, failed }) => waitSeconds(failed, most(subject), now)),
    )
    const counted = wait === 0 ? rows : []
    await Promise.all(
      counted.map(({ subject, failed }) =>
        updateFailures(tx, subject, [...recentOf(failed, now), now].slice(-most(subject))),
      ),
    )
    return { wait, subjects: rows.map(({ subject }) => subject), at: now }
  })
}

/** The attempt has succeeded: it is not counted. */
export const uncountAttempt = (ctx: Context, { subjects, at }: Counted): Promise<void> =>
  transact(ctx, (tx) => deleteFailure(overAllTenants(tx), subjects, at))

/** Digests, keyed: the table names neither people nor addresses. */
function subjectsOf({ keys }: Context, { email, address }: Attempt): ReadonlyMap<Buffer, number> {
  const from = keys.digest('lookup', `sign-in address ${originOf(address)}`)
  if (email === undefined) return new Map([[from, MOST.address]])
  return new Map([
    [keys.digest('lookup', `sign-in account ${email}`), MOST.account],
    [from, MOST.address],
  ])
}
