/**
 * Calls of a remote provider: without locks, and repeated until it answers (D-23). An answer is
 * written only if the check has not changed since the call.
 */

import type { DocumentsOf } from '#issuing/identifications/identifications.ts'
import { lockUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { doubledWait } from '#lib/time.ts'
import {
  applicantDataOf,
  emitToken,
  IDENTITY_CALLS,
  markRunning,
  receiveReport,
} from './identity.ts'
import { callDue } from './portions.ts'
import type { IdentityProvider, Report } from './provider.ts'
import {
  type CheckRow,
  checksDue,
  lockOpenCheck,
  updateCheck,
  updateCheckDue,
  updateDueByProvider,
} from './store.ts'

const SECOND = 1000
/** The first poll for a report: a notification may come before the answer that names the check. */
const REPORT_FIRST_MS = 60 * SECOND
/** Interval of polls for a report, in case the provider's notification of it is lost. */
const REPORT_EVERY_MS = 900 * SECOND
const RETRY_FIRST_MS = 5 * SECOND
const RETRY_LAST_MS = 3600 * SECOND
/** Thirty hours without an answer; then the check counts as abandoned and another may follow. */
const ATTEMPTS_MAX = 40

type Remote = { provider: IdentityProvider; documentsOf: DocumentsOf }

export function identityCalls(remote: Remote): Sweep {
  return {
    ...checksDue,
    outside: true,
    channel: IDENTITY_CALLS,
    run: (ctx) =>
      callDue(ctx, 'identity_checks', (check) => call(ctx, remote, check), {
        postpone: (check) => postpone(ctx, check),
      }),
  }
}

async function call(ctx: Context, remote: Remote, check: CheckRow): Promise<void> {
  const { provider } = remote
  if (check.status === 'WANTED') await openCheck(ctx, provider, check)
  if (check.status === 'STARTING') await start(ctx, remote, check)
  if (check.status === 'RUNNING' && check.check_id !== null) {
    const report = await provider.fetchReport(ctx, check.check_id)
    if (report) return finish(ctx, check, report)
    // It answered: only calls without an answer count towards giving the check up.
    const due = new Date(ctx.now.getTime() + REPORT_EVERY_MS)
    await updateCheckDue(ctx, { ...check, attempts: 0 }, due)
  }
}

async function openCheck(ctx: Context, provider: IdentityProvider, check: CheckRow): Promise<void> {
  const applicant_id = await applicantOf(ctx, provider, check)
  const token = await provider.issueToken(ctx, applicant_id)
  await ifUnchanged(ctx, check, async (tx) => {
    const user = await lockUser(tx, check.user_id, 'change')
    await emitToken(tx, user, { ...check, applicant_id }, token)
  })
}

async function start(ctx: Context, remote: Remote, check: CheckRow): Promise<void> {
  const { provider, documentsOf } = remote
  const applicant_id = await applicantOf(ctx, provider, check)
  await provider.uploadDocuments?.(ctx, applicant_id, await documentsOf(ctx, check.user_id))
  const applicant = await applicantDataOfCheck(ctx, check)
  const check_id = await provider.startCheck(ctx, {
    ...applicant,
    applicant_id,
    reference: check.id,
  })
  if (check_id === undefined) {
    return finish(ctx, check, { result: 'CONSIDER', outcome: 'document_requested' })
  }
  const due = new Date(ctx.now.getTime() + REPORT_FIRST_MS)
  await ifUnchanged(ctx, check, (tx) => markRunning(tx, { ...check, applicant_id }, check_id, due))
}

/**
 * Stores a new applicant at once, so that a later failure does not create a second. Sends the
 * corrections made since to an existing one.
 */
async function applicantOf(
  ctx: Context,
  provider: IdentityProvider,
  check: CheckRow,
): Promise<string> {
  const applicant = await applicantDataOfCheck(ctx, check)
  if (check.applicant_id !== null) {
    await provider.updateApplicant?.(ctx, check.applicant_id, applicant)
    return check.applicant_id
  }
  const applicant_id = await provider.createApplicant(ctx, applicant)
  await ifUnchanged(ctx, check, async (tx) => {
    await updateCheck(tx, check.id, { applicant_id })
  })
  return applicant_id
}

const applicantDataOfCheck = (ctx: Context, { user_id }: CheckRow) =>
  transact(ctx, async (tx) => applicantDataOf(tx, await lockUser(tx, user_id, 'change')))

async function finish(ctx: Context, check: CheckRow, report: Report): Promise<void> {
  await ifUnchanged(ctx, check, async (tx) => {
    await receiveReport(tx, check.user_id, report)
  })
}

/** Does nothing when the check was superseded or changed during the call. */
function ifUnchanged(
  ctx: Context,
  check: CheckRow,
  action: (tx: Tx) => Promise<void>,
): Promise<void> {
  return transact(ctx, async (tx) => {
    await lockUser(tx, check.user_id, 'change')
    const open = await lockOpenCheck(tx, check.user_id)
    if (open?.id === check.id && open.status === check.status) await action(tx)
  })
}

async function postpone(ctx: Context, check: CheckRow): Promise<void> {
  if (check.attempts >= ATTEMPTS_MAX) {
    return finish(ctx, check, { result: 'CONSIDER', outcome: 'abandoned' })
  }
  const wait = doubledWait(check.attempts, RETRY_FIRST_MS, RETRY_LAST_MS)
  await updateCheckDue(ctx, check, new Date(ctx.now.getTime() + wait))
}

/** Fetches the report of a check after the provider's notification. */
export const checkDone =
  (provider: string) =>
  async (services: Services, check_id: string): Promise<void> => {
    const tenant_id = await updateDueByProvider(services.db, provider, check_id)
    if (tenant_id !== undefined) services.notify(IDENTITY_CALLS, tenant_id)
  }
