/**
 * The sandbox's own provider of identity verification (D-23). Applicants upload their documents on
 * its page; POST /v1/simulate/idv simulates its reports.
 */

import { type IdentityProvider, TOKEN_MINUTES } from '#issuing/verification/provider.ts'
import { type Context, transact } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { newId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import {
  type ApplicantRow,
  findApplicantByToken,
  hasMedia,
  insertApplicant,
  insertMedia,
  type NewMedium,
  updateSubmitted,
  updateToken,
} from './store.ts'
import { hashToken, newToken, tenantIn } from './token.ts'

const TOKEN_MS = TOKEN_MINUTES * 60_000

/** It uses the same database, so it works in the transaction of its caller. */
export const sandboxIdentity: IdentityProvider = {
  name: 'sandbox',
  outside: false,
  async createApplicant(ctx, { checks }) {
    const id = newId()
    await insertApplicant(ctx, { id, checks: [...checks] })
    return id
  },
  async issueToken(ctx, applicant_id) {
    const sdk_token = newToken(ctx.tenant_id)
    const expires = new Date(ctx.now.getTime() + TOKEN_MS)
    const token = { token_hash: hashToken(sdk_token), token_expires: expires }
    await updateToken(ctx, applicant_id, token)
    return { sdk_token, expires }
  },
  hasDocuments: hasMedia,
  startCheck: async () => newId(),
  // It is never called: the report is simulated.
  fetchReport: async () => undefined,
}

export type Visit = { ctx: Context; applicant: ApplicantRow }

/** The applicant of a token. Fails with not_found for every invalid token. */
export async function visitOf(services: Services, token: string): Promise<Visit> {
  const tenant_id = tenantIn(token)
  if (tenant_id === undefined) throw new ApiError('not_found')
  const actor = { kind: 'system', id: 'identity page' } as const
  const ctx = await tenantContext(services, tenant_id, actor).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? error : new ApiError('not_found')
  })
  const applicant = await findApplicantByToken(ctx, hashToken(token))
  if (!applicant) throw new ApiError('not_found')
  return { ctx, applicant }
}

/** Exact to the millisecond on the tenant's clock. */
export const isOver = ({ ctx, applicant }: Visit): boolean =>
  applicant.token_expires === null || applicant.token_expires <= ctx.now

/** Stores the uploads. A second submission under one token changes nothing. */
export async function submitMedia(
  { ctx, applicant }: Visit,
  media: readonly Omit<NewMedium, 'id'>[],
): Promise<void> {
  await transact(ctx, async (tx) => {
    if (!(await updateSubmitted(tx, applicant))) return
    const rows = media.map((medium) => ({ ...medium, id: newId() }))
    await insertMedia(tx, applicant.id, rows)
  })
}
