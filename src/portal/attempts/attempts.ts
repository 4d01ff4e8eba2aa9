/**
 * Public functions of attempts to sign in: ten failures of an account or fifty of an address of
 * the network within 15 minutes, over all processes (D-135, D-574).
 */

import { type Context, transact } from '#kit/context.ts'
import { originOf } from '#kit/net/networks.ts'
import { ApiError } from '#lib/result.ts'
import { overAllTenants } from '#portal/over_all_tenants.ts'
import { MOST, recentOf, type SubjectKind, waitSeconds } from './rules.ts'
import { deleteFailure, lockFailures, updateFailures } from './store.ts'

export { deleteOldFailures } from './store.ts'

export type Attempt = {
  /** In its normal form, known or not; undefined where the attempt is at no account. */
  email: string | undefined
  /** Where it comes from. */
  address: string
}

/** An attempt that counts as failed until it is taken back. */
export type Counted = { subjects: readonly Buffer[]; at: Date }

/**
 * Counts an attempt as failed before it is judged, so that attempts at the same time, also of
 * other processes, are no more than the limit. Throws `rate_limited` with the seconds to wait
 * where the account or the address has none left.
 */
export function countAttempt(ctx: Context, attempt: Attempt): Promise<Counted> {
  const subjects = subjectsOf(ctx, attempt)
  return transact(ctx, async (given) => {
    const tx = overAllTenants(given)
    const rows = await lockFailures(tx, [...subjects.keys()])
    const kinds = new Map([...subjects].map(([subject, kind]) => [subject.toString('hex'), kind]))
    const now = rows[0]?.now ?? tx.now
    const most = (subject: Buffer) => MOST[kinds.get(subject.toString('hex')) ?? 'account']
    const wait = Math.max(
      ...rows.map(({ subject, failed }) => waitSeconds(failed, most(subject), now)),
    )
    if (wait > 0) {
      const detail = 'Too many sign-ins have failed; wait and try again.'
      throw new ApiError('rate_limited', { detail, retry_after_seconds: wait })
    }
    await Promise.all(
      rows.map(({ subject, failed }) =>
        updateFailures(tx, subject, [...recentOf(failed, now), now].slice(-most(subject))),
      ),
    )
    return { subjects: rows.map(({ subject }) => subject), at: now }
  })
}

/** The attempt has succeeded: it is not counted. */
export const uncountAttempt = (ctx: Context, { subjects, at }: Counted): Promise<void> =>
  transact(ctx, (tx) => deleteFailure(overAllTenants(tx), subjects, at))

/** Digests, keyed: the table names neither people nor addresses. */
function subjectsOf(
  { keys }: Context,
  { email, address }: Attempt,
): ReadonlyMap<Buffer, SubjectKind> {
  const from = keys.digest('lookup', `sign-in address ${originOf(address)}`)
  if (email === undefined) return new Map([[from, 'address']])
  return new Map([
    [keys.digest('lookup', `sign-in account ${email}`), 'account'],
    [from, 'address'],
  ])
}
