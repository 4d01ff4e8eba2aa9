/**
 * Public functions of the verification slice: identity, KYC, expiry of documents, compliance
 * review.
 */

export { receiveReport } from './identity.ts'
export { decideDueKyc, decideKyc, findKyc, KYC_REQUESTS, requestKyc } from './kyc.ts'
export { searchKyc } from './kyc_search.ts'
export { type OnfidoSettings, onfido } from './onfido.ts'
export {
  type IdentityCheck,
  type IdentityProvider,
  outcomes,
  type Report,
  TOKEN_MINUTES,
} from './provider.ts'
export { approveUser, judgeDocument, judgeKyc, listReviews, rejectUser } from './reviews.ts'
export { type KycResult, kycResults } from './rules/kyc.ts'
