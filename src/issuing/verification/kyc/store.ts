/** The SQL of KYC requests: every statement within one tenant. */

import type { Selectable } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import { dueBy, dueKind } from '#kit/jobs/due_work.ts'
import type { KycPolicy, KycResult } from '../rules/kyc.ts'
import { kycStates } from '../rules/kyc.ts'

export type KycRow = Selectable<Database['kyc_requests']>
type NewKyc = { id: string; user_id: string; kyc_policy: KycPolicy; due: Date | null }

/** Requests that the provider is to decide. */
export const kycDue = dueKind({ name: 'kyc provider', table: 'kyc_requests' })

/** Undefined when the id exists, or when the user has a request without a result. */
export async function insertKyc(tx: Tx, request: NewKyc): Promise<KycRow | undefined> {
  const { db, tenant_id, now } = tx
  if (request.due) await dueBy(tx, kycDue, request.due)
  const state = { status: 'SUBMITTED', ...kycStates.SUBMITTED } as const
  return db
    .insertInto('kyc_requests')
    .values({ ...request, ...state, tenant_id, created: now, modified: now })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function findKycRow({ db, tenant_id }: Context, id: string): Promise<KycRow | undefined> {
  return db
    .selectFrom('kyc_requests')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Undefined when it is decided already. */
export function updateKycResult(
  { db, tenant_id, now }: Tx,
  id: string,
  status: KycResult,
  note: string | undefined,
): Promise<KycRow | undefined> {
  const result = { status, ...kycStates[status], old_status: 'SUBMITTED', note: note ?? null }
  return db
    .updateTable('kyc_requests')
    .set({ ...result, due: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'SUBMITTED')
    .returningAll()
    .executeTakeFirst()
}

/** `due` null leaves the request to the operator; the failure is that of the last call. */
export type NextCall = { due: Date | null; attempts?: number; failure?: string | null }

/** Sets when the provider is asked again. */
export function updateKycDue(ctx: Context | Tx, id: string, next: NextCall): Promise<void> {
  return transact(ctx, async (tx) => {
    if (next.due) await dueBy(tx, kycDue, next.due)
    await tx.db
      .updateTable('kyc_requests')
      .set({ attempts: 0, failure: null, ...next })
      .where('tenant_id', '=', tx.tenant_id)
      .where('id', '=', id)
      .where('status', '=', 'SUBMITTED')
      .execute()
  })
}

/** The provider's own id of the case. */
export function updateKycCase(ctx: Context, id: string, provider_case: string): Promise<void> {
  return transact(ctx, async ({ db, tenant_id }) => {
    await db
      .updateTable('kyc_requests')
      .set({ provider_case })
      .where('tenant_id', '=', tenant_id)
      .where('id', '=', id)
      .execute()
  })
}

export function listWaitingKyc(
  { db, tenant_id }: Context,
  user_ids: readonly string[],
): Promise<KycRow[]> {
  if (user_ids.length === 0) return Promise.resolve([])
  return db
    .selectFrom('kyc_requests')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('user_id', 'in', user_ids)
    .where('status', '=', 'SUBMITTED')
    .execute()
}
