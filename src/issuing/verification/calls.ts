/**
 * What a provider elsewhere is asked: with no lock held, and again until it answers (D-23). What it
 * says is written only if the try still stands where it stood when the provider was asked.
 */

import { sql } from 'kysely'
import type { DocumentsOf } from '#issuing/identifications/identifications.ts'
import { lockUser } from '#issuing/users/users.ts'
import type { Services } from '#kit/callers.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { type Sweep, tenantsWithDue } from '#kit/sweeper.ts'
import { emitToken, IDENTITY_CALLS, markRunning, receiveReport, wantedOf } from './identity.ts'
import type { IdentityProvider, Report } from './provider.ts'
import { type CheckRow, claimDue, lockOpenCheck, makeDue, saveCheck, saveDue } from './store.ts'

const CALLS_A_PORTION = 5
const SECOND = 1000
/** Longer than the calls of a portion can take; a crashed process is followed after it. */
const LEASE_MS = 900 * SECOND
/** A provider tells when a report is done; it is asked so often besides, should that be lost. */
const REPORT_EVERY_MS = 900 * SECOND
const RETRY_FIRST_MS = 5 * SECOND
const RETRY_LAST_MS = 3600 * SECOND
/** Some thirty hours of retries; then the try counts as abandoned, so that another may follow. */
const ATTEMPTS_MAX = 40

/** A provider that could not be asked, or did not understand. The message holds no secret. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
}

type Desk = { provider: IdentityProvider; documentsOf: DocumentsOf }

export function identityCalls(desk: Desk): Sweep {
  return {
    name: 'identity provider',
    outside: true,
    channel: IDENTITY_CALLS,
    dueTenants: tenantsWithDue('identity_checks', 'due', sql`d.due is not null`),
    run: (ctx) => callPortion(ctx, desk),
  }
}

async function callPortion(ctx: Context, desk: Desk): Promise<{ more: boolean }> {
  const until = new Date(ctx.now.getTime() + LEASE_MS)
  const checks = await claimDue(ctx, until, CALLS_A_PORTION)
  const failures: unknown[] = []
  for (const check of checks) {
    try {
      await call(ctx, desk, check)
    } catch (error) {
      failures.push(error)
      await putOff(ctx, check)
    }
  }
  if (failures.length > 0) throw failures[0]
  return { more: checks.length === CALLS_A_PORTION }
}

async function call(ctx: Context, desk: Desk, check: CheckRow): Promise<void> {
  const { provider } = desk
  if (check.status === 'WANTED') await openTry(ctx, provider, check)
  if (check.status === 'STARTING') await start(ctx, desk, check)
  if (check.status === 'RUNNING' && check.check_id !== null) {
    const report = await provider.fetchReport(ctx, check.check_id)
    if (report) await finish(ctx, check, report)
    else await saveDue(ctx, check, new Date(ctx.now.getTime() + REPORT_EVERY_MS))
  }
}

async function openTry(ctx: Context, provider: IdentityProvider, check: CheckRow): Promise<void> {
  const applicant_id = await applicantOf(ctx, provider, check)
  const token = await provider.issueToken(ctx, applicant_id)
  await ifItStands(ctx, check, async (tx) => {
    const user = await lockUser(tx, check.user_id, 'change')
    await emitToken(tx, user, { ...check, applicant_id }, token)
  })
}

async function start(ctx: Context, desk: Desk, check: CheckRow): Promise<void> {
  const { provider, documentsOf } = desk
  const applicant_id = await applicantOf(ctx, provider, check)
  await provider.handIn?.(ctx, applicant_id, await documentsOf(ctx, check.user_id))
  const wanted = await wantedOfCheck(ctx, check)
  const check_id = await provider.startCheck(ctx, { ...wanted, applicant_id, reference: check.id })
  if (check_id === undefined) {
    return finish(ctx, check, { result: 'CONSIDER', outcome: 'document_requested' })
  }
  const due = new Date(ctx.now.getTime() + REPORT_EVERY_MS)
  await ifItStands(ctx, check, (tx) => markRunning(tx, { ...check, applicant_id }, check_id, due))
}

/**
 * A new one is kept at once, so that a later failure does not make a second. One that was there
 * before is told what has been corrected since.
 */
async function applicantOf(
  ctx: Context,
  provider: IdentityProvider,
  check: CheckRow,
): Promise<string> {
  const wanted = await wantedOfCheck(ctx, check)
  if (check.applicant_id !== null) {
    await provider.updateApplicant?.(ctx, check.applicant_id, wanted)
    return check.applicant_id
  }
  const applicant_id = await provider.createApplicant(ctx, wanted)
  await ifItStands(ctx, check, async (tx) => {
    await saveCheck(tx, check.id, { applicant_id })
  })
  return applicant_id
}

const wantedOfCheck = (ctx: Context, { user_id }: CheckRow) =>
  transact(ctx, async (tx) => wantedOf(tx, await lockUser(tx, user_id, 'change')))

async function finish(ctx: Context, check: CheckRow, report: Report): Promise<void> {
  await ifItStands(ctx, check, async (tx) => {
    await receiveReport(tx, check.user_id, report)
  })
}

/** Does nothing when the try was superseded or went on while the provider was asked. */
function ifItStands(
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

async function putOff(ctx: Context, check: CheckRow): Promise<void> {
  if (check.attempts >= ATTEMPTS_MAX) {
    return finish(ctx, check, { result: 'CONSIDER', outcome: 'abandoned' })
  }
  const wait = Math.min(RETRY_FIRST_MS * 2 ** (check.attempts - 1), RETRY_LAST_MS)
  await saveDue(ctx, check, new Date(ctx.now.getTime() + wait))
}

/** The provider has told that a check is done: its report is fetched. */
export const checkDone =
  (provider: string) =>
  async (services: Services, check_id: string): Promise<void> => {
    if (await makeDue(services.db, provider, check_id)) services.notify(IDENTITY_CALLS)
  }
