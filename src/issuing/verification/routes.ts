/** HTTP in and out of verification. What the sandbox plays stands in sandbox/identity. */

import { TenantQuery } from '#issuing/tenants/schema.ts'
import { type Route, route } from '#kit/route.ts'
import { IdPath } from '#kit/schema.ts'
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
} from './schema.ts'
import {
  approveUser,
  findKyc,
  judgeDocument,
  judgeKyc,
  listReviews,
  rejectUser,
  requestKyc,
  searchKyc,
} from './verification.ts'

const kycRoutes: Route[] = [
  route({
    id: 'postUsersIdKyc',
    tag: 'KYC',
    description: '',
    method: 'POST',
    path: '/users/{id}/kyc',
    permission: 'write',
    summary: 'Ask for KYC of a user',
    params: IdPath,
    body: NewKycRequest,
    answer: KycRequest,
    errors: ['id_taken', 'kyc_not_awaited', 'parent_kyc_missing', 'kyc_in_progress'],
    run: (ctx, { params, body }) => requestKyc(ctx, params.id, body),
  }),
  route({
    id: 'getUsersKycId',
    tag: 'KYC',
    description: '',
    method: 'GET',
    path: '/users/kyc/{id}',
    permission: 'read',
    summary: 'Get a KYC request',
    params: IdPath,
    answer: KycRequest,
    run: (ctx, { params }) => findKyc(ctx, params.id),
  }),
  route({
    id: 'postUsersKycSearch',
    tag: 'KYC',
    description: '',
    method: 'POST',
    path: '/users/kyc:search',
    permission: 'read',
    summary: 'Search KYC requests, newest first unless asked otherwise',
    body: KycSearchBody,
    answer: KycRequestList,
    errors: ['cursor_invalid'],
    run: (ctx, { body }) => searchKyc(ctx, body),
  }),
]

const USER_REVIEWED = ['user_status_move_refused', 'tenant_ambiguous']

const userReviewRoutes: Route[] = [
  route({
    id: 'getOperatorReviews',
    tag: 'Operator',
    description: '',
    method: 'GET',
    path: '/operator/reviews',
    permission: 'operator',
    summary: 'List the users of all tenants who wait for compliance, with their identifications',
    query: ReviewQuery,
    answer: ReviewList,
    run: (ctx, { query }) => listReviews(ctx, query),
  }),
  route({
    id: 'postOperatorUsersIdApprove',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/users/{id}:approve',
    permission: 'operator',
    summary: 'Approve a user, or lift his suspension by compliance',
    params: IdPath,
    query: TenantQuery,
    body: Approval,
    bodyOptional: true,
    answer: ReviewedUser,
    errors: USER_REVIEWED,
    run: (ctx, { params, query, body }) => approveUser(ctx, params.id, query, body),
  }),
  route({
    id: 'postOperatorUsersIdReject',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/users/{id}:reject',
    permission: 'operator',
    summary: 'Suspend a user whose documents are not in order; additional ones are then asked for',
    params: IdPath,
    query: TenantQuery,
    body: Rejection,
    answer: ReviewedUser,
    errors: USER_REVIEWED,
    run: (ctx, { params, query, body }) => rejectUser(ctx, params.id, query, body),
  }),
]

const documentReviewRoutes: Route[] = [
  route({
    id: 'postOperatorIdentificationsIdVerify',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/identifications/{id}:verify',
    permission: 'operator',
    summary: 'Find a document in order',
    params: IdPath,
    query: TenantQuery,
    body: DocumentApproval,
    bodyOptional: true,
    answer: ReviewedDocument,
    errors: ['tenant_ambiguous'],
    run: (ctx, { params, query, body }) =>
      judgeDocument(ctx, { ...params, ...query }, 'VERIFIED', body.reason ?? 'verified'),
  }),
  route({
    id: 'postOperatorIdentificationsIdReject',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/identifications/{id}:reject',
    permission: 'operator',
    summary: 'Find a document not in order',
    params: IdPath,
    query: TenantQuery,
    body: DocumentRejection,
    answer: ReviewedDocument,
    errors: ['tenant_ambiguous'],
    run: (ctx, { params, query, body }) =>
      judgeDocument(ctx, { ...params, ...query }, 'REJECTED', body.reason),
  }),
]

const KYC_REVIEWED = ['kyc_decided', 'tenant_ambiguous']

const kycReviewRoutes: Route[] = [
  route({
    id: 'postOperatorKycIdApprove',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/kyc/{id}:approve',
    permission: 'operator',
    summary: 'End a KYC request OK',
    params: IdPath,
    query: TenantQuery,
    body: Approval,
    bodyOptional: true,
    answer: KycRequest,
    errors: KYC_REVIEWED,
    run: (ctx, { params, query, body }) => judgeKyc(ctx, { ...params, ...query }, 'OK', body),
  }),
  route({
    id: 'postOperatorKycIdReject',
    tag: 'Operator',
    description: '',
    method: 'POST',
    path: '/operator/kyc/{id}:reject',
    permission: 'operator',
    summary: 'End a KYC request FAILED',
    params: IdPath,
    query: TenantQuery,
    body: Rejection,
    answer: KycRequest,
    errors: KYC_REVIEWED,
    run: (ctx, { params, query, body }) => judgeKyc(ctx, { ...params, ...query }, 'FAILED', body),
  }),
]

export const verificationRoutes: readonly Route[] = [
  ...kycRoutes,
  ...userReviewRoutes,
  ...documentReviewRoutes,
  ...kycReviewRoutes,
]
