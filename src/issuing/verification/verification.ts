/**
 * Public functions of the verification slice: identity, KYC, expiry of documents, compliance
 * review.
 */

export { receiveReport } from './identity.ts'
export { decideKyc, findKyc, requestKyc } from './kyc/kyc.ts'
export { searchKyc } from './kyc/search.ts'
export { kycDue } from './kyc/store.ts'
export { type IdentityCheck, outcomes, type Report } from './provider.ts'
export {
  approveUser,
  findDocument,
  judgeDocument,
  judgeKyc,
  listReviews,
  rejectUser,
} from './reviews.ts'
export { type KycResult, kycResults } from './rules/kyc.ts'
export { findMatch, judgeMatch, listMatches } from './screening/matches.ts'
export { roundsDue } from './screening/rounds_store.ts'
export { screeningsDue } from './screening/store.ts'
export { checksDue } from './store.ts'
