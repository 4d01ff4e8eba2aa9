import type { Transaction } from '#issuing/transactions/schema.ts'
import type { AuditedRequest } from '#kit/audit_log/request.ts'
import type { Keep } from '#kit/http/route.ts'
import type { Verdict } from '../decide/checks/verdict.ts'
import type { Unanswered } from '../decide/state/unanswered.ts'
import type { AuthorizationRequest } from '../schema.ts'

export type Asked = { id: string; verdict: Verdict }

/** A message for the engine to decide. */
export type Job = {
  request: AuthorizationRequest
  /** When it came, on the monotonic clock, milliseconds; left out, when it is submitted. */
  received?: number
  /** The idempotent answer to store with the effect (D-10). */
  keep?: Keep
  /** The request whose audit record is written with the effect (D-500). */
  audited?: AuditedRequest
  /** Gets the transaction as it is after the request, before the batch is committed. */
  shown?: (transaction: Transaction) => void
  /** The approval that this reversal by the platform reverses. */
  reverses?: Unanswered
  /** The result of asking the tenant's responder, and the id that its transaction then gets. */
  asked?: Asked
}
