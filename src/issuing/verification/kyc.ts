/** KYC requests: create, decide and find (spec "KYC request", D-22). */

import { findUser, lockUser, mayStep, stepUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { emit } from '#kit/db/outbox.ts'
import { newId } from '#lib/id.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { kycResult } from './events.ts'
import type { KycRow } from './kyc_store.ts'
import {
  findKycRow,
  insertKyc,
  listDueKyc,
  updateKycForCompliance,
  updateKycResult,
} from './kyc_store.ts'
import { type KycPolicy, type KycResult, ruleOnRequest } from './rules/kyc.ts'

/** The channel that notifies the sandbox's KYC service. */
export const KYC_REQUESTS = 'kyc requests'

/**
 * Submits a KYC request of a user. In sandbox the service processes it at once. Fails with
 * not_found, kyc_not_awaited, parent_kyc_missing, id_taken, kyc_in_progress.
 */
export function requestKyc(
  ctx: Context | Tx,
  user_id: string,
  { id = newId(), kyc_policy }: { id?: string; kyc_policy: KycPolicy },
): Promise<KycRow> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx, user_id, 'change')
    const parent = user.parent_user_id ? await parentOf(tx, user.parent_user_id) : undefined
    unwrap(ruleOnRequest({ user, kyc_policy, parent }))
    const due = tx.mode === 'sandbox' ? tx.now : null
    const request = { id: id.toLowerCase(), user_id: user.id, kyc_policy, due }
    const row = await insertKyc(tx, request)
    if (!row) {
      if (await findKycRow(tx, request.id)) throw new ApiError('id_taken')
      const detail = 'The user waits for the result of an earlier request.'
      throw new ApiError('kyc_in_progress', { detail })
    }
    await emit(tx, kycResult(row))
    tx.afterCommit(() => tx.notify(KYC_REQUESTS))
    return row
  })
}

async function parentOf(tx: Tx, id: string): Promise<{ kyc_policy_passed: string | null }> {
  const { kyc_policy_passed = null } = await findUser(tx, id)
  return { kyc_policy_passed }
}

/** Fails with not_found. */
export async function findKyc(ctx: Context | Tx, id: string): Promise<KycRow> {
  const row = await findKycRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/**
 * Stores the result of a request. OK makes a user that is still PENDINGKYC ACTIVE; FAILED leaves
 * its status, and a new request may follow. Fails with not_found, kyc_decided.
 */
export function decideKyc(
  ctx: Context | Tx,
  id: string,
  result: KycResult,
  note?: string,
): Promise<KycRow> {
  return transact(ctx, async (tx) => {
    const { user_id } = await findKyc(tx, id)
    const user = await lockUser(tx, user_id, 'change')
    const row = await updateKycResult(tx, id, result, note)
    if (!row) {
      const { status } = await findKyc(tx, id)
      throw new ApiError('kyc_decided', { detail: `The request has ended: ${status}.` })
    }
    await emit(tx, kycResult(row))
    if (result === 'OK' && mayStep(user, 'kyc_ok')) {
      const { kyc_policy: kyc_policy_passed } = row
      await stepUser(tx, user, 'kyc_ok', { kyc_policy_passed, ...(note !== undefined && { note }) })
    }
    return row
  })
}

const DECIDED_A_PORTION = 50

/**
 * Decides one portion of the requests that are due. A request for which `decide` returns undefined
 * is left to compliance.
 */
export async function decideDueKyc(
  ctx: Context,
  decide: (last_name: string) => KycResult | undefined,
): Promise<{ more: boolean }> {
  const due = await listDueKyc(ctx, DECIDED_A_PORTION)
  for (const { id, last_name } of due) {
    await transact(ctx, async (tx) => {
      const result = decide(last_name ?? '')
      if (result === undefined) await updateKycForCompliance(tx, id)
      else await decideUnlessDecided(tx, id, result)
    })
  }
  return { more: due.length === DECIDED_A_PORTION }
}

/** Another process, or compliance, may have decided it first. */
async function decideUnlessDecided(tx: Tx, id: string, result: KycResult): Promise<void> {
  try {
    await decideKyc(tx, id, result)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'kyc_decided')) throw error
  }
}
