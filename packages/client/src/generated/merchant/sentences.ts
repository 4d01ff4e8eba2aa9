/** The sentence of each code, with which the details of its answers begin. */
export const sentences: readonly (readonly [status: number, code: string, sentence: string])[] = [
  [401, 'unauthenticated', 'The token or the keys are missing, not valid or expired.'],
  [
    403,
    'origin_refused',
    'A request with a session must come from the pages of this server, with JSON or no body.',
  ],
  [403, 'permission_missing', 'This token does not allow the operation.'],
  [404, 'not_found', 'Not found.'],
  [406, 'order_already_captured', 'The order is captured already.'],
  [406, 'order_already_refunded', 'The order is refunded already.'],
  [406, 'order_still_open', 'The order is still open.'],
  [408, 'request_timeout', 'The request did not arrive in time.'],
  [409, 'idempotency_key_in_use', 'The first request with this idempotency key is still running.'],
  [409, 'idempotency_key_reused', 'This idempotency key was used for another request.'],
  [
    409,
    'order_operation_in_progress',
    'Another operation of this order is under way. Wait for its outcome.',
  ],
  [
    409,
    'payment_in_progress',
    'A payment of this reference is being checked. Try again when it is known.',
  ],
  [413, 'too_large', 'The body is larger than this operation accepts.'],
  [415, 'content_type_unsupported', 'Send the body as application/json.'],
  [429, 'rate_limited', 'Too many requests; wait and try again.'],
  [500, 'internal', 'The server failed; the request id names the case.'],
  [503, 'outcome_unknown', 'The outcome is not known yet.'],
  [503, 'unavailable', 'The database is not available at the moment; try again.'],
]
