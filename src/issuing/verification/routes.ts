/** Routes of verification. Their simulation is in sandbox/identity. */

import { TenantQuery } from '#issuing/tenants/schema.ts'
import { objectOfAnyTenant } from '#issuing/tenants/tenants.ts'
import { findUser } from '#issuing/users/users.ts'
import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import type { KycProvider } from './provider.ts'
import {
  Approval,
  DocumentApproval,
  DocumentRejection,
  KycRequest,
  KycRequestList,
  KycSearchBody,
  NewKycRequest,
  Rejection,
  ReviewedDocument,
  ReviewedUser,
  ReviewList,
  ReviewQuery,
  UserApproval,
  UserRejection,
} from './schema.ts'
import {
  approveUser,
  findDocument,
  findKyc,
  judgeDocument,
  judgeKyc,
  listReviews,
  rejectUser,
  requestKyc,
  searchKyc,
} from './verification.ts'

const reviewedUser = objectOfAnyTenant('users', ReviewedUser, findUser)
const reviewedDocument = objectOfAnyTenant('identifications', ReviewedDocument, findDocument)
const reviewedKyc = objectOfAnyTenant('kyc_requests', KycRequest, findKyc)

const kycRoutes = (provider: KycProvider | undefined): Route[] => [
  route({
    id: 'createKycRequest',
    tag: 'KYC',
    description:
      'Submits a KYC request for a user that is PENDINGKYC. UAE_INDIVIDUAL_SECONDARY needs a ' +
      'parent that has passed KYC. A user has at most one request without a result ' +
      '(`kyc_in_progress`); after FAILED another may follow. In sandbox the last name `pass` ' +
      'ends it OK and `fail` FAILED within a second, and `match` is found on a list; all others ' +
      'are decided by the operator. In live the configured provider decides, or leaves it to the ' +
      'operator. Sends KYC_RESULT with status SUBMITTED, and again with the result; an entry of ' +
      'a list that may be the user sends SCREENING_MATCH.',
    method: 'POST',
    path: '/users/{id}/kyc',
    permission: 'write',
    summary: 'Request KYC of a user',
    params: IdPath,
    body: NewKycRequest,
    answer: KycRequest,
    errors: ['id_taken', 'kyc_not_awaited', 'parent_kyc_missing', 'kyc_in_progress'],
    run: (ctx, { params, body }) => requestKyc(ctx, provider, params.id, body),
  }),
  route({
    id: 'getKycRequest',
    tag: 'KYC',
    description: 'Returns one KYC request with its present status.',
    method: 'GET',
    path: '/users/kyc/{id}',
    permission: 'read',
    summary: 'Get a KYC request',
    params: IdPath,
    answer: KycRequest,
    lock: (tx, params) => lockRow(tx, 'kyc_requests', params.id),
    run: (ctx, { params }) => findKyc(ctx, params.id),
  }),
  route({
    id: 'searchKycRequests',
    tag: 'KYC',
    description:
      'Finds KYC requests by free text and by filters, newest first by default. Filters are ' +
      'combined from left to right by `matcher`. A cursor is valid only for the sort order that ' +
      'made it.',
    method: 'POST',
    path: '/users/kyc:search',
    permission: 'read',
    summary: 'Search KYC requests',
    body: KycSearchBody,
    answer: KycRequestList,
    errors: ['cursor_invalid'],
    run: (ctx, { body }) => searchKyc(ctx, body),
  }),
]

const USER_REVIEWED = ['user_status_move_refused', 'review_outdated', 'tenant_ambiguous'] as const
const USER_APPROVED = [...USER_REVIEWED, 'matches_open'] as const

const userReviewRoutes: Route[] = [
  route({
    id: 'listReviews',
    tag: 'Operator',
    description:
      'Lists the users of all tenants that await compliance, newest first, with their ' +
      'identifications, open KYC requests, matches and checks. These are users in PENDINGKYB, ' +
      'users suspended by compliance, users whose KYC request no service has decided or whose ' +
      'service does not answer, and users with an open match, whatever their status is. A page ' +
      'has at most 50 users.',
    method: 'GET',
    path: '/operator/reviews',
    permission: 'operator',
    summary: 'List users that await review',
    query: ReviewQuery,
    answer: ReviewList,
    run: (ctx, { query }) => listReviews(ctx, query),
  }),
  route({
    id: 'approveUser',
    tag: 'Operator',
    description:
      'Makes a user ACTIVE that is PENDINGKYB or that compliance has suspended (reason S5). Any ' +
      'other state fails with `user_status_move_refused`, and an open match of the user, or of ' +
      'one of the people of a BUSINESS, with `matches_open`. Sends USER_STATUS_CHANGE.',
    method: 'POST',
    path: '/operator/users/{id}:approve',
    permission: 'operator',
    summary: 'Approve a user',
    params: IdPath,
    query: TenantQuery,
    body: UserApproval,
    bodyOptional: true,
    answer: ReviewedUser,
    errors: USER_APPROVED,
    object: reviewedUser,
    run: (ctx, { params, query, body }) => approveUser(ctx, params.id, query, body),
  }),
  route({
    id: 'rejectUser',
    tag: 'Operator',
    description:
      'Suspends a user whose documents are not in order, with reason S5; the client is then ' +
      'expected to provide additional documents. A TERMINATED user, or one suspended by ' +
      'compliance already, fails with `user_status_move_refused`. Sends USER_STATUS_CHANGE.',
    method: 'POST',
    path: '/operator/users/{id}:reject',
    permission: 'operator',
    summary: 'Reject a user',
    params: IdPath,
    query: TenantQuery,
    body: UserRejection,
    answer: ReviewedUser,
    errors: USER_REVIEWED,
    object: reviewedUser,
    run: (ctx, { params, query, body }) => rejectUser(ctx, params.id, query, body),
  }),
]

const DOCUMENT_REVIEWED = ['user_terminated', 'review_outdated', 'tenant_ambiguous'] as const

const documentReviewRoutes: Route[] = [
  route({
    id: 'verifyIdentification',
    tag: 'Operator',
    description:
      'Sets `document_status` of an identification to VERIFIED. Sends no event and leaves the ' +
      'status of the user as it is. Fails with `review_outdated` if `modified` is sent and ' +
      'the identification or one of its files has changed since.',
    method: 'POST',
    path: '/operator/identifications/{id}:verify',
    permission: 'operator',
    summary: 'Verify an identification',
    params: IdPath,
    query: TenantQuery,
    body: DocumentApproval,
    bodyOptional: true,
    answer: ReviewedDocument,
    errors: DOCUMENT_REVIEWED,
    object: reviewedDocument,
    run: (ctx, { params, query, body }) =>
      judgeDocument(ctx, { ...params, ...query }, 'VERIFIED', body),
  }),
  route({
    id: 'rejectIdentification',
    tag: 'Operator',
    description:
      'Sets `document_status` of an identification to REJECTED, with the reason. Sends no event ' +
      'and leaves the status of the user as it is. Fails with `review_outdated` if `modified` ' +
      'is sent and the identification or one of its files has changed since.',
    method: 'POST',
    path: '/operator/identifications/{id}:reject',
    permission: 'operator',
    summary: 'Reject an identification',
    params: IdPath,
    query: TenantQuery,
    body: DocumentRejection,
    answer: ReviewedDocument,
    errors: DOCUMENT_REVIEWED,
    object: reviewedDocument,
    run: (ctx, { params, query, body }) =>
      judgeDocument(ctx, { ...params, ...query }, 'REJECTED', body),
  }),
]

const KYC_REVIEWED = ['kyc_decided', 'tenant_ambiguous'] as const

const kycReviewRoutes: Route[] = [
  route({
    id: 'approveKycRequest',
    tag: 'Operator',
    description:
      'Ends a KYC request with status OK and sends KYC_RESULT. A user that is still PENDINGKYC ' +
      'becomes ACTIVE, which sends USER_STATUS_CHANGE. A request that has a result fails with ' +
      '`kyc_decided`, one of a user with an open match with `matches_open`.',
    method: 'POST',
    path: '/operator/kyc/{id}:approve',
    permission: 'operator',
    summary: 'Approve a KYC request',
    params: IdPath,
    query: TenantQuery,
    body: Approval,
    bodyOptional: true,
    answer: KycRequest,
    errors: [...KYC_REVIEWED, 'matches_open'],
    object: reviewedKyc,
    run: (ctx, { params, query, body }) => judgeKyc(ctx, { ...params, ...query }, 'OK', body),
  }),
  route({
    id: 'rejectKycRequest',
    tag: 'Operator',
    description:
      'Ends a KYC request with status FAILED and sends KYC_RESULT. The status of the user does ' +
      'not change, and a new request may follow. A request that has a result fails with ' +
      '`kyc_decided`.',
    method: 'POST',
    path: '/operator/kyc/{id}:reject',
    permission: 'operator',
    summary: 'Reject a KYC request',
    params: IdPath,
    query: TenantQuery,
    body: Rejection,
    answer: KycRequest,
    errors: KYC_REVIEWED,
    object: reviewedKyc,
    run: (ctx, { params, query, body }) => judgeKyc(ctx, { ...params, ...query }, 'FAILED', body),
  }),
]

export const verificationRoutes = (kyc: KycProvider | undefined): readonly Route[] => [
  ...kycRoutes(kyc),
  ...userReviewRoutes,
  ...documentReviewRoutes,
  ...kycReviewRoutes,
]
