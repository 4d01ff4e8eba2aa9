/**
 * Identity checks, from the token to the report (D-23). A user has at most one open check. Every
 * function that changes one locks the user first.
 */

import { emit } from '#events/outbox.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import type { User } from '#issuing/users/schema.ts'
import { lockUser, mayStep, stepUser, type UserRow } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { hasStoredDocuments } from './documents.ts'
import { identityVerification } from './events.ts'
import type { ApplicantData, IdentityProvider, Report, SdkToken } from './provider.ts'
import { type Phase, triggerOf } from './rules/report.ts'
import {
  type CheckRow,
  findLastApplicant,
  insertCheck,
  lockOpenCheck,
  updateCheck,
  updateCheckSuperseded,
} from './store.ts'

/** The channel that notifies the sweep of calls to a remote provider. */
export const IDENTITY_CALLS = 'identity calls'

export type Try = {
  phase: Phase
  re_initiated: boolean
  old_status_reason_code?: string
  note?: string
}

/**
 * Opens a check with a new token for the applicant. IDENTITY_VERIFICATION sends the token: at once,
 * or as soon as a remote provider has answered.
 */
export async function beginTry(
  tx: Tx,
  provider: IdentityProvider | undefined,
  user_id: string,
  begun: Try,
): Promise<void> {
  const chosen = configured(provider)
  const user = await lockUser(tx, user_id, 'change')
  await updateCheckSuperseded(tx, user.id)
  const check = await insertTry(tx, chosen, user, begun, 'WANTED')
  if (chosen.outside) return notifyCalls(tx)
  const applicant_id = await applicantOf(tx, chosen, user, check)
  await emitToken(tx, user, { ...check, applicant_id }, await chosen.issueToken(tx, applicant_id))
}

/**
 * Starts the check of the documents that the provider has and of those that were uploaded to
 * identifications.
 */
export async function startTry(
  tx: Tx,
  provider: IdentityProvider | undefined,
  user_id: string,
  begun: Try,
): Promise<void> {
  const chosen = configured(provider)
  const user = await lockUser(tx, user_id, 'change')
  const open = await lockOpenCheck(tx, user.id)
  const check = open ?? (await insertTry(tx, chosen, user, begun, 'STARTING'))
  if (chosen.outside) {
    await updateCheck(tx, check.id, { status: 'STARTING', due: tx.now, attempts: 0 })
    return notifyCalls(tx)
  }
  const applicant_id = await applicantOf(tx, chosen, user, check)
  const isThere =
    (await chosen.hasDocuments?.(tx, applicant_id)) || (await hasStoredDocuments(tx, user.id))
  if (!isThere) {
    const detail = 'No document of the user is stored: upload one, then change the status.'
    throw new ApiError('identity_documents_missing', { detail })
  }
  const newCheck = { ...(await applicantDataOf(tx, user)), applicant_id, reference: check.id }
  const check_id = await chosen.startCheck(tx, newCheck)
  await markRunning(tx, { ...check, applicant_id }, check_id ?? null)
}

/** Ends the open check of a user that was suspended or terminated. */
export async function endTry(tx: Tx, user_id: string): Promise<void> {
  await updateCheckSuperseded(tx, user_id)
}

/**
 * The provider's report on a user whose check is open; the table of transitions has its effects.
 */
export function receiveReport(
  ctx: Context | Tx,
  user_id: string,
  report: Report,
  note?: string,
): Promise<User> {
  return transact(ctx, async (tx) => {
    const before = await lockUser(tx, user_id, 'change')
    const check = await lockOpenCheck(tx, before.id)
    if (!check) throw notAwaited(before)
    const { require_kyc, allowed_issuing_countries } = await readSettings(tx)
    const trigger = triggerOf(report, { ...check, allowed_issuing_countries })
    if (!mayStep(before, trigger)) throw notAwaited(before)

    await updateCheck(tx, check.id, {
      status: 'COMPLETED',
      due: null,
      result: report.result,
      outcome: 'outcome' in report ? report.outcome : null,
      issuing_country: report.issuing_country ?? null,
    })
    const details = note === undefined ? {} : { note }
    const moved = await stepUser(tx, before, trigger, details)
    if (trigger !== 'idv_clear') {
      const { status_reason_code: old_status_reason_code } = before
      const more = { ...details, old_status_reason_code, modified: tx.now }
      await emit(tx, identityVerification(moved.row, check, more))
    }
    if (moved.row.status !== 'PENDINGKYC' || require_kyc) return moved.user
    return (await stepUser(tx, moved.row, 'kyc_not_required')).user
  })
}

function notAwaited({ status, status_reason_code }: UserRow): ApiError {
  return new ApiError('verification_not_awaited', {
    detail: `No report is awaited for a user that is ${status} (${status_reason_code}).`,
    extra: { status_of_user: status, status_reason_code },
  })
}

/** The API is the same without a provider; an operation that needs one fails. */
function configured(provider: IdentityProvider | undefined): IdentityProvider {
  if (provider) return provider
  const detail = 'No provider of identity verification is configured.'
  throw new ApiError('not_configured', { detail })
}

async function insertTry(
  tx: Tx,
  { name, outside }: IdentityProvider,
  { id: user_id }: UserRow,
  { old_status_reason_code = null, note = null, ...begun }: Nulls<Try>,
  status: 'WANTED' | 'STARTING',
): Promise<CheckRow> {
  const applicant_id = await findLastApplicant(tx, user_id, name)
  const due = outside ? tx.now : null
  const details = { old_status_reason_code, note }
  const row = { id: newId(), user_id, provider: name, applicant_id, status, due }
  return insertCheck(tx, { ...row, ...details, ...begun })
}
type Nulls<Value> = { [Member in keyof Value]: Value[Member] | NullIfOptional<Value, Member> }
type NullIfOptional<Value, Member extends keyof Value> =
  object extends Pick<Value, Member> ? null : never

const notifyCalls = (tx: Tx) => tx.afterCommit(() => tx.notify(IDENTITY_CALLS, tx.tenant_id))

async function applicantOf(
  tx: Tx,
  provider: IdentityProvider,
  user: UserRow,
  check: CheckRow,
): Promise<string> {
  return check.applicant_id ?? (await provider.createApplicant(tx, await applicantDataOf(tx, user)))
}

/** The data of a user that a provider receives. */
export async function applicantDataOf(ctx: Context, user: UserRow): Promise<ApplicantData> {
  const { checks, privacy_notices_read_consent_given } = await readSettings(ctx)
  const { first_name, last_name, date_of_birth, email } = user
  return {
    person: { first_name: first_name ?? '', last_name: last_name ?? '', date_of_birth, email },
    checks,
    consent_given: privacy_notices_read_consent_given ?? false,
  }
}

/** Only the event contains the token; it is not stored. */
export async function emitToken(
  tx: Tx,
  user: UserRow,
  check: CheckRow,
  { sdk_token, expires }: SdkToken,
): Promise<void> {
  const { applicant_id, old_status_reason_code, note } = check
  const row = await updateCheck(tx, check.id, {
    status: 'OPEN',
    applicant_id,
    token_expires: expires,
    due: null,
    attempts: 0,
  })
  const details = {
    sdk_token,
    ...(note !== null && { note }),
    ...(old_status_reason_code !== null && { old_status_reason_code }),
    modified: tx.now,
  }
  await emit(tx, identityVerification(user, row, details))
}

/** `due` is when to poll for the report, if no notification of it arrives. */
export async function markRunning(
  tx: Tx,
  { id, applicant_id }: CheckRow,
  check_id: string | null,
  due: Date | null = null,
): Promise<void> {
  await updateCheck(tx, id, { status: 'RUNNING', applicant_id, check_id, due, attempts: 0 })
}
