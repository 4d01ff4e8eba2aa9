/** The audit record of a step that a person takes without a session, as a sign-in (D-143). */

import { withinTenant } from '#issuing/tenants/tenants.ts'
import { recordChange } from '#kit/audit_log/records.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import type { Visit } from '#kit/http/visit.ts'
import { ApiError } from '#lib/result.ts'

export type RecordedStep = { operation: string; email: string; visit: Visit; status: number }

/** Whom the step is about, as far as it is known. */
type Person = { person_id?: string; tenant_id: string | null }

/** Runs `work` in a transaction with its audit record; there is none if it returns undefined. */
export async function recordedStep<Result>(
  ctx: Context,
  person: Person | undefined,
  { operation, email, visit, status }: RecordedStep,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { person_id = 'unknown', tenant_id = null } = person ?? {}
  const within = await withinTenant(ctx, tenant_id ?? NO_TENANT).catch(unlessMissing(ctx))
  const actor = { kind: 'member', id: person_id }
  const audited = visit.recordedBy(within, { operation, actor, status, email })
  return transact(audited, async (tx) => {
    const result = await work(tx)
    if (result !== undefined) recordChange(tx, [person_id])
    return result
  })
}

/** The operator’s team and unknown people belong to no tenant. */
const unlessMissing =
  (ctx: Context) =>
  (error: unknown): Context => {
    if (error instanceof ApiError && error.code === 'not_found') return ctx
    throw error
  }
