/** The answer to a request that has waited in vain for the issuer. */

import { ApiError } from '#lib/result.ts'

const RETRY_AFTER_SECONDS = 5
const NOT_KNOWN =
  'The outcome is not known yet. Repeat the request with the same Idempotency-Key, or retrieve ' +
  'the order.'

/** The error of a request that waits no longer for the issuer's outcome (D-131). */
export const outcomeUnknown = () =>
  new ApiError('outcome_unknown', { detail: NOT_KNOWN, retry_after_seconds: RETRY_AFTER_SECONDS })
