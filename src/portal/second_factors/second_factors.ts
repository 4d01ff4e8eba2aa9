/** Public functions of second factors: codes by time, and recovery codes (D-140, D-581). */

import { type Context, type Tx, transact } from '#kit/context.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { ApiError } from '#lib/result.ts'
import type { Basis } from './proof.ts'
import { digestOfRecoveryCode, newRecoveryCodes } from './recovery.ts'
import {
  deleteFactors,
  deleteTotp,
  deleteUnconfirmedTotp,
  findFactors,
  findOwnSession,
  findTotp,
  lockCredentials,
  replaceRecoveryCodes,
  updateRecoveryCodeUsed,
  updateSessionsUnproven,
  updateTotpSecret,
  updateTotpStep,
} from './store.ts'
import { describeTotp, newTotpSecret, stepOfCode } from './totp.ts'

export { mailFactors } from './mailing.ts'
export { assertProven, type Basis, checkPassword, guessing, type Proof } from './proof.ts'

/**
 * Whether `code` is the person's second factor: a code by time, or a recovery code. One that is
 * accepted is used up with the transaction, in every process; nothing is written for another one.
 */
export async function verifySecondFactor(
  tx: Tx,
  person_id: string,
  code: string,
): Promise<boolean> {
  const digest = digestOfRecoveryCode(tx.keys, person_id, code)
  const row = await findTotp(tx, person_id)
  if (digest) return updateRecoveryCodeUsed(tx, person_id, digest)
  const { totp_secret, totp_last_step } = row ?? {}
  if (!row || !totp_secret || totp_last_step === null) return false
  const step = stepOfCode(openSecret(tx, person_id, totp_secret), code, row.real)
  if (step === undefined) return false
  return updateTotpStep(tx, person_id, { step, totp_secret, is_confirmed: true })
}

type Factors = { totp: boolean; passkeys: number; recovery_codes: number }

/** The factors of the person, with the number of recovery codes that were not used. */
export async function getSecondFactors(ctx: Context | Tx, person_id: string): Promise<Factors> {
  const factors = await findFactors(ctx, person_id)
  if (!factors) throw new ApiError('not_found')
  return factors
}

/**
 * A secret that a first code must confirm; until then it changes nothing, and another one may take
 * its place. Fails with `totp_active` if a confirmed one is in use.
 */
export function startTotp(
  ctx: Context | Tx,
  person_id: string,
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  return transact(ctx, async (tx) => {
    const row = await findTotp(tx, person_id)
    if (!row) throw new ApiError('not_found')
    const secret = newTotpSecret()
    const sealed = tx.keys.seal('secrets', secret, bindOf({ id: person_id }))
    if (!(await updateTotpSecret(tx, person_id, sealed))) throw new ApiError('totp_active')
    return describeTotp(secret, { issuer, label: row.email_shown })
  })
}

/**
 * The first code of a secret: from now on it is the second factor. Returns the ten recovery codes,
 * only here. The code is used up. Fails with `code_wrong`, with `totp_missing` if this session has
 * begun no secret within the last five minutes (D-990), and with `totp_active` if one is confirmed.
 */
export function confirmTotp(
  ctx: Context | Tx,
  person_id: string,
  code: string,
): Promise<{ recovery_codes: string[] }> {
  return transact(ctx, async (tx) => {
    const row = await findTotp(tx, person_id)
    if (row?.totp_last_step != null) throw new ApiError('totp_active')
    if (!row?.totp_secret || !row.is_begun) throw new ApiError('totp_missing')
    const { totp_secret } = row
    const step = stepOfCode(openSecret(tx, person_id, totp_secret), code, row.real)
    if (step === undefined) throw new ApiError('code_wrong')
    if (!(await updateTotpStep(tx, person_id, { step, totp_secret, is_confirmed: false }))) {
      throw new ApiError('totp_active')
    }
    const recovery_codes = newRecoveryCodes()
    const hashes = recovery_codes.flatMap(
      (one) => digestOfRecoveryCode(tx.keys, person_id, one) ?? [],
    )
    await replaceRecoveryCodes(tx, person_id, hashes)
    forgetCallers(tx)
    return { recovery_codes }
  })
}

/** The recovery codes end with it. Fails with `totp_missing` if there is none. */
export function removeTotp(ctx: Context | Tx, person_id: string): Promise<void> {
  return transact(ctx, async (tx) => {
    if (!(await deleteTotp(tx, person_id))) throw new ApiError('totp_missing')
    await replaceRecoveryCodes(tx, person_id, [])
    await forgetProofs(tx, person_id)
    forgetCallers(tx)
  })
}

/** The person stays locked until the transaction ends. */
export const hasSecondFactor = async (tx: Tx, person_id: string): Promise<boolean> =>
  (await lockCredentials(tx, person_id))?.has_second_factor ?? false

/** Removes every factor, and one that was begun. False if the person had none. */
export async function removeFactors(tx: Tx, person_id: string): Promise<boolean> {
  await deleteUnconfirmedTotp(tx, person_id)
  const hadFactors = await deleteFactors(tx, person_id)
  await forgetProofs(tx, person_id)
  forgetCallers(tx)
  return hadFactors
}

/** A secret whose first code has not come: that of another session, or of an earlier password. */
export const dropUnconfirmed = (tx: Tx, person_id: string): Promise<void> =>
  deleteUnconfirmedTotp(tx, person_id)

/**
 * A session that began with a removed factor, perhaps an intruder's, may not change the others
 * (D-1001), nor end what it has begun. The session that removes it has proven itself.
 */
export async function forgetProofs(tx: Tx, person_id: string): Promise<void> {
  const but = tx.member?.session_id
  await updateSessionsUnproven(tx, person_id, { but })
  await deleteUnconfirmedTotp(tx, person_id, { but })
}

/** On what the session may end a registration of a passkey that it has begun (D-990). */
export async function basesOf(tx: Tx, person_id: string): Promise<Basis[]> {
  const hasFactor = await hasSecondFactor(tx, person_id)
  const session = tx.member && (await findOwnSession(tx, tx.member.session_id))
  return [
    'PASSWORD',
    ...(hasFactor ? [] : (['FIRST'] as const)),
    ...(session?.with_factor ? (['FACTOR'] as const) : []),
  ]
}

/** The rights of a session depend on whether the person has a second factor (D-583). */
export const forgetCallers = (tx: Tx): void => tx.afterCommit(() => tx.notify(CALLERS))

const openSecret = ({ keys }: Tx, id: string, sealed: Buffer): Buffer =>
  keys.open('secrets', sealed, bindOf({ id }))

const bindOf = ({ id }: { id: string }) => `person:${id}:totp`

/** The column for the rotation of keys. */
export const sealedInPeople: SealedColumn = {
  purpose: 'secrets',
  table: 'people',
  column: 'totp_secret',
  by: { id: 'uuid' },
  bind: bindOf,
}
