/** The SQL of KYC requests: every statement within one tenant. */

import type { Selectable } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'
import type { KycPolicy, KycResult } from './rules/kyc.ts'
import { kycStates } from './rules/kyc.ts'

export type KycRow = Selectable<Database['kyc_requests']>
type NewKyc = { id: string; user_id: string; kyc_policy: KycPolicy; due: Date | null }

/** Undefined when the id exists, or when the user has a request without a result. */
export function insertKyc(
  { db, tenant_id, now }: Tx,
  request: NewKyc,
): Promise<KycRow | undefined> {
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

/** Requests that the sandbox's service has to process, with the last name that decides them. */
export function listDueKyc(
  { db, tenant_id, now }: Context,
  limit: number,
): Promise<{ id: string; last_name: string | null }[]> {
  return db
    .selectFrom('kyc_requests as k')
    .innerJoin('users as u', (join) =>
      join.onRef('u.tenant_id', '=', 'k.tenant_id').onRef('u.id', '=', 'k.user_id'),
    )
    .select(['k.id', 'u.last_name'])
    .where('k.tenant_id', '=', tenant_id)
    .where('u.tenant_id', '=', tenant_id)
    .where('k.due', '<=', now)
    .orderBy('k.due')
    .limit(limit)
    .execute()
}

/** The service does not process the request again; the operator decides it. */
export async function updateKycForCompliance({ db, tenant_id }: Tx, id: string): Promise<void> {
  await db
    .updateTable('kyc_requests')
    .set({ due: null })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
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
