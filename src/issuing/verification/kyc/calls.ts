/**
 * Calls of the KYC provider: without locks, and repeated until it decides (D-22, D-380). Another
 * process, or compliance, may decide a request during the call; the first decision counts.
 */

import { type Context, transact } from '#kit/context.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { ApiError } from '#lib/result.ts'
import { callEach } from '../portions.ts'
import type { KycProvider } from '../provider.ts'
import type { KycResult } from '../rules/kyc.ts'
import { decideKyc, KYC_REQUESTS } from './kyc.ts'
import { claimDueKyc, type DueKyc, kycDue, updateKycDue } from './store.ts'

const CALLS_A_PORTION = 5
const SECOND = 1000
/** Longer than the calls of a portion can last; after it another process takes over. */
const LEASE_MS = 900 * SECOND
const RETRY_MS = 60 * SECOND
/** A request that the provider has not decided by then is left to the operator. */
const DECIDED_WITHIN_MS = 72 * 3600 * SECOND

export function kycCalls(provider: KycProvider): Sweep {
  return {
    ...kycDue,
    ...(provider.outside && { outside: true }),
    channel: KYC_REQUESTS,
    run: (ctx) => callPortion(ctx, provider),
  }
}

async function callPortion(ctx: Context, provider: KycProvider): Promise<{ more: boolean }> {
  const until = new Date(ctx.now.getTime() + (provider.outside ? LEASE_MS : 0))
  const requests = await claimDueKyc(ctx, until, CALLS_A_PORTION)
  await callEach(
    requests,
    (request) => call(ctx, provider, request),
    (request) => postpone(ctx, request),
  )
  return { more: requests.length === CALLS_A_PORTION }
}

async function call(ctx: Context, provider: KycProvider, request: DueKyc): Promise<void> {
  const { id, kyc_policy, first_name, last_name, date_of_birth, email } = request
  const person = {
    first_name: first_name ?? '',
    last_name: last_name ?? '',
    date_of_birth,
    email,
  }
  const answer = await provider.decide(ctx, { reference: id, kyc_policy, person })
  if (answer === 'PENDING') return postpone(ctx, request)
  if (answer === 'COMPLIANCE') return updateKycDue(ctx, id, null)
  return decideUnlessDecided(ctx, id, answer)
}

async function decideUnlessDecided(ctx: Context, id: string, result: KycResult): Promise<void> {
  try {
    await transact(ctx, (tx) => decideKyc(tx, id, result))
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'kyc_decided')) throw error
  }
}

async function postpone(ctx: Context, { id, created }: DueKyc): Promise<void> {
  const isLate = ctx.now.getTime() - created.getTime() >= DECIDED_WITHIN_MS
  await updateKycDue(ctx, id, isLate ? null : new Date(ctx.now.getTime() + RETRY_MS))
}
