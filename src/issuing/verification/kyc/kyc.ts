/** KYC requests: create, decide and find (spec "KYC request", D-22). */

import { emit } from '#events/outbox.ts'
import {
  findUser,
  lockUser,
  mayStep,
  savePassedKyc,
  stepUser,
  type UserRow,
} from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { kycResult } from '../events.ts'
import type { KycProvider } from '../provider.ts'
import { checkRequest, type KycPolicy, type KycResult } from '../rules/kyc.ts'
import type { KycRow } from './store.ts'
import { findKycRow, insertKyc, updateKycResult } from './store.ts'

/** The channel that notifies the sweep of calls to the KYC provider. */
export const KYC_REQUESTS = 'kyc requests'

/**
 * Submits a KYC request of a user. The provider decides it at once; without one it waits for
 * compliance.
 */
export function requestKyc(
  ctx: Context | Tx,
  provider: KycProvider | undefined,
  user_id: string,
  { id = newId(), kyc_policy }: { id?: string; kyc_policy: KycPolicy },
): Promise<KycRow> {
  return transact(ctx, async (tx) => {
    const user = await lockUser(tx, user_id, 'change')
    const parent = user.parent_user_id ? await parentOf(tx, user.parent_user_id) : undefined
    unwrap(checkRequest({ user, kyc_policy, parent }))
    const due = provider ? tx.now : null
    const request = { id: id.toLowerCase(), user_id: user.id, kyc_policy, due }
    const row = await insertKyc(tx, request)
    if (!row) {
      if (await findKycRow(tx, request.id)) throw new ApiError('id_taken')
      const detail = 'The user waits for the result of an earlier request.'
      throw new ApiError('kyc_in_progress', { detail })
    }
    await emit(tx, kycResult(row))
    if (provider) tx.afterCommit(() => tx.notify(KYC_REQUESTS, tx.tenant_id))
    return row
  })
}

async function parentOf(tx: Tx, id: string): Promise<{ kyc_policy_passed: string | null }> {
  const { kyc_policy_passed = null } = await findUser(tx, id)
  return { kyc_policy_passed }
}

export async function findKyc(ctx: Context | Tx, id: string): Promise<KycRow> {
  const row = await findKycRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}

/**
 * Stores the result of a request. OK makes a user that is still PENDINGKYC ACTIVE and is stored
 * with any that is not TERMINATED; FAILED leaves its status, and a new request may follow.
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
    if (result === 'OK') await passKyc(tx, user, row.kyc_policy, note)
    return row
  })
}

/** Compliance may have suspended or approved the user meanwhile: it has passed all the same. */
async function passKyc(tx: Tx, user: UserRow, kyc_policy_passed: string, note?: string) {
  if (mayStep(user, 'kyc_ok')) {
    await stepUser(tx, user, 'kyc_ok', { kyc_policy_passed, ...(note !== undefined && { note }) })
  } else if (user.status !== 'TERMINATED') {
    await savePassedKyc(tx, user, kyc_policy_passed)
  }
}
