/** Compliance review by the operator (spec "User status", D-26, D-100). */

import { findIdentification } from '#issuing/identifications/identifications.ts'
import type { TenantQuery } from '#issuing/tenants/schema.ts'
import { withinTenantOf } from '#issuing/tenants/tenants.ts'
import type { User } from '#issuing/users/schema.ts'
import {
  lockUser,
  type PlatformTrigger,
  presentUsers,
  stepUser,
  type UserRow,
} from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { LIMIT_DEFAULT, type Page } from '#lib/paging.ts'
import { ApiError } from '#lib/result.ts'
import { parseInstant } from '#lib/time.ts'
import { type Document, documentsOf, reviewIdentification } from './documents.ts'
import { decideKyc, findKyc } from './kyc/kyc.ts'
import { type KycRow, listWaitingKyc } from './kyc/store.ts'
import type { Purpose } from './provider.ts'
import { findOwner, listInReview } from './reviews_store.ts'
import type { KycResult } from './rules/kyc.ts'
import type { Decision, DocumentDecision, ReviewQuery } from './schema.ts'
import { assertNoneOpen } from './screening/matches.ts'
import { listMatchesOf, type MatchRow } from './screening/matches_store.ts'
import { listLastScreenings, type ScreeningRow } from './screening/store.ts'

export type Review = {
  tenant_id: string
  user: User
  identifications: Document[]
  kyc_requests: KycRow[]
  matches: MatchRow[]
  checks: Check[]
}

type Check = Pick<ScreeningRow, 'status' | 'attempts' | 'failure' | 'due' | 'created'> & {
  purpose: Purpose
}

/** A page of these is read tenant by tenant, so it is shorter than others. */
const REVIEWS_MAX = 50

/** The users of all tenants that await compliance, newest first. */
export async function listReviews(ctx: Context, query: ReviewQuery): Promise<Page<Review>> {
  const limit = Math.min(query.limit ?? LIMIT_DEFAULT, REVIEWS_MAX)
  const page = await listPage('reviews', { ...query, limit }, (range) =>
    listInReview(ctx, query, range),
  )
  const ofTenants = Map.groupBy(page.data, ({ tenant_id }) => tenant_id)
  const read = [...ofTenants].map(([tenant_id, users]) => reviewsOf({ ...ctx, tenant_id }, users))
  // Two tenants may have chosen one id.
  const nameOf = (tenant_id: string, id: string) => `${tenant_id}:${id}`
  const reviews = new Map(
    (await Promise.all(read)).flat().map((one) => [nameOf(one.tenant_id, one.user.id), one]),
  )
  const data = page.data.flatMap(({ tenant_id, id }) => reviews.get(nameOf(tenant_id, id)) ?? [])
  return { ...page, data }
}

/** The reviews of these users of one tenant, in a few statements for any number of users. */
async function reviewsOf(within: Context, rows: readonly UserRow[]): Promise<Review[]> {
  const ids = rows.map(({ id }) => id)
  const [users, documents, waiting, found, screenings] = await Promise.all([
    presentUsers(within, rows),
    documentsOf(within, ids),
    listWaitingKyc(within, ids),
    listMatchesOf(within, ids),
    listLastScreenings(within, ids),
  ])
  const requests = Map.groupBy(waiting, ({ user_id }) => user_id)
  const matches = Map.groupBy(found, ({ review_of }) => review_of)
  const checks = Map.groupBy([...screenings, ...waiting.filter(isAsked)], ({ user_id }) => user_id)
  return users.map((user) => ({
    tenant_id: within.tenant_id,
    user,
    identifications: documents.get(user.id) ?? [],
    kyc_requests: requests.get(user.id) ?? [],
    matches: matches.get(user.id) ?? [],
    checks: (checks.get(user.id) ?? []).map(checkOf),
  }))
}

/** A request that is left to the operator is no check any more. */
const isAsked = ({ due }: KycRow) => due !== null

function checkOf(row: ScreeningRow | KycRow): Check {
  const { attempts, failure, due, created } = row
  const purpose = 'purpose' in row ? row.purpose : 'KYC'
  const status = 'purpose' in row ? row.status : 'WAITING'
  // `attempts` counts a call under way, which has not failed yet.
  return { purpose, status, attempts: failure === null ? 0 : attempts, failure, due, created }
}

export const approveUser = (ctx: Context | Tx, id: string, at: TenantQuery, decision: Decision) =>
  judgeUser(ctx, { id, ...at }, 'review_approval', decision)

export const rejectUser = (ctx: Context | Tx, id: string, at: TenantQuery, decision: Decision) =>
  judgeUser(ctx, { id, ...at }, 'review_rejection', decision)

type Place = { id: string; tenant_id?: string }

function judgeUser(
  ctx: Context | Tx,
  { id, tenant_id }: Place,
  trigger: PlatformTrigger,
  { reason, note = reason, modified }: Decision,
): Promise<User> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'users', id, tenant_id)
    const before = await lockUser(within, id, 'change')
    assertReviewed(before, modified)
    if (trigger === 'review_approval') await assertNoneOpen(within, before.id)
    return (await stepUser(within, before, trigger, note === undefined ? {} : { note })).user
  })
}

/** A decision that names what it is about is of nothing newer (D-888). */
function assertReviewed(row: { modified: Date }, modified: string | undefined): void {
  if (modified === undefined || parseInstant(modified)?.getTime() === row.modified.getTime()) return
  throw new ApiError('review_outdated')
}

/** Stores the review of one document (D-26). */
export function judgeDocument(
  ctx: Context | Tx,
  { id, tenant_id }: Place,
  status: 'VERIFIED' | 'REJECTED',
  { reason = 'verified', modified }: DocumentDecision,
): Promise<Document> {
  const found = { document_status: status, document_status_reason: reason }
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'identifications', id, tenant_id)
    return reviewIdentification(within, await findOwner(within, id), id, {
      found,
      check: (row) => assertReviewed(row, modified),
    })
  })
}

/** A document by its id alone. */
export const findDocument = async (tx: Tx, id: string): Promise<Document> =>
  findIdentification(tx, await findOwner(tx, id), id)

export function judgeKyc(
  ctx: Context | Tx,
  { id, tenant_id }: Place,
  result: KycResult,
  { reason, note = reason }: Decision,
): Promise<KycRow> {
  return transact(ctx, async (tx) => {
    const within = await withinTenantOf(tx, 'kyc_requests', id, tenant_id)
    if (result === 'OK') await assertNoneOpen(within, (await findKyc(within, id)).user_id)
    return decideKyc(within, id, result, note)
  })
}
