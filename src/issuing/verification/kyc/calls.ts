/**
 * Calls of the KYC provider: without locks, and repeated until it decides (D-22, D-380). Another
 * process, or compliance, may decide a request during the call; the first decision counts.
 */

import { findUserRow } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { ApiError } from '#lib/result.ts'
import { callDue } from '../portions.ts'
import type { KycAnswer, KycProvider } from '../provider.ts'
import { resultOf } from '../rules/kyc.ts'
import { recordMatches } from '../screening/matches.ts'
import { failureOf, waitAfter } from '../screening/retries.ts'
import type { Subjects } from '../screening/subjects.ts'
import { decideKyc, KYC_REQUESTS } from './kyc.ts'
import { type KycRow, kycDue, updateKycCase, updateKycDue } from './store.ts'

const SECOND = 1000
const PENDING_MS = 60 * SECOND
/** A request that the provider has not decided by then is left to the operator. */
const DECIDED_WITHIN_MS = 72 * 3600 * SECOND

type Calling = { provider: KycProvider; subjects: Subjects }

export function kycCalls(calling: Calling): Sweep {
  const { outside } = calling.provider
  return {
    ...kycDue,
    ...(outside && { outside: true }),
    channel: KYC_REQUESTS,
    run: (ctx) =>
      callDue(ctx, 'kyc_requests', (request) => call(ctx, calling, request), {
        ...(!outside && { lease_ms: 0 }),
      }),
  }
}

/** A call that fails is noted and thrown: the failure of the job is seen where jobs are. */
async function call(ctx: Context, calling: Calling, request: KycRow): Promise<void> {
  const { id, attempts } = request
  try {
    const answer = await ask(ctx, calling, request)
    if (answer.result === 'PENDING') await postpone(ctx, request, { wait_ms: PENDING_MS })
    else await finish(ctx, { id, provider: calling.provider.name }, answer)
  } catch (error) {
    const wait_ms = waitAfter(attempts)
    await postpone(ctx, request, { wait_ms, attempts, failure: failureOf(error) })
    throw error
  }
}

async function ask(ctx: Context, calling: Calling, request: KycRow): Promise<KycAnswer> {
  const { id: reference, kyc_policy, user_id, provider_case: kept } = request
  const row = await findUserRow(ctx, user_id)
  if (!row) throw new Error('a KYC request without its user')
  const keep = (provider_case: string) => updateKycCase(ctx, reference, provider_case)
  const asked = { reference, purpose: 'KYC', kyc_policy, kept, keep } as const
  return calling.provider.decide(ctx, { ...asked, ...(await calling.subjects.asked(ctx, row)) })
}

type Asked = { id: string; provider: string }

/** Matches and result are stored together. A decision made meanwhile stays. */
async function finish(ctx: Context, { id, provider }: Asked, answer: KycAnswer): Promise<void> {
  const result = resultOf(answer)
  const record = (tx: Tx) => recordMatches(tx, { purpose: 'KYC', provider }, answer.matches)
  try {
    await transact(ctx, async (tx) => {
      if (result === 'COMPLIANCE') await updateKycDue(tx, id, { due: null })
      else await decideKyc(tx, id, result)
      await record(tx)
    })
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'kyc_decided')) throw error
    await transact(ctx, record)
  }
}

type Next = { wait_ms: number; attempts?: number; failure?: string }

async function postpone(ctx: Context, { id, created }: KycRow, next: Next): Promise<void> {
  const { wait_ms, attempts = 0, failure = null } = next
  const isLate = ctx.now.getTime() - created.getTime() >= DECIDED_WITHIN_MS
  const due = isLate ? null : new Date(ctx.now.getTime() + wait_ms)
  await updateKycDue(ctx, id, { due, attempts, failure })
}
