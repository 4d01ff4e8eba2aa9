/** The status changes of bulk issuances, and which requests fit a product (D-38). */

import { type ApiError, type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { BulkErrorCode } from './errors.ts'
import type { BulkError, BulkStatus } from './schema.ts'

/** The mover: a client, or the job that issues the cards. */
export type Mover = 'client' | 'job'

export type BulkMove = {
  /** The description of the move, for the documentation. */
  when: string
  from: BulkStatus
  to: BulkStatus
  by: Mover
}

/** All moves. */
export const moves: readonly BulkMove[] = [
  { when: 'the client changes a draft', from: 'DRAFT', to: 'DRAFT', by: 'client' },
  { when: 'the client submits a draft', from: 'DRAFT', to: 'SUBMITTED', by: 'client' },
  {
    when: 'all card numbers and funds are reserved',
    from: 'SUBMITTED',
    to: 'PROCESSING',
    by: 'job',
  },
  {
    when: 'card numbers or funds are short, or the product has changed: no card is issued',
    from: 'SUBMITTED',
    to: 'FAILED',
    by: 'job',
  },
  { when: 'some of the cards are issued', from: 'PROCESSING', to: 'PROCESSING', by: 'job' },
  { when: 'the last card is issued', from: 'PROCESSING', to: 'COMPLETED', by: 'job' },
]

/** Fails with the present status in the error. */
export function checkMove(
  from: BulkStatus,
  to: BulkStatus,
  by: Mover,
): Result<BulkStatus, BulkErrorCode> {
  const fits = moves.some((move) => move.from === from && move.to === to && move.by === by)
  if (fits) return ok(to)
  return fail('bulk_issuance_move_refused', {
    detail: `The bulk issuance is ${from}.`,
    extra: { bulk_issuance_status: from },
  })
}

type Request = { currency: string; amount: bigint | null }
type Product = { currency: string; link_account_to_card: boolean }

/** A request fits its product: one currency, and no amount for cards without an account. */
export function checkRequest(
  request: Request,
  product: Product,
): Result<true, 'validation_failed'> {
  const errors: Fault[] = []
  if (request.currency !== product.currency) {
    const message = `is not the currency of the card product (${product.currency})`
    errors.push({ path: 'currency', message })
  }
  if (request.amount !== null && !product.link_account_to_card) {
    const message = 'must be left out: the product links no account at issuing'
    errors.push({ path: 'amount', message })
  }
  return errors.length > 0 ? fail('validation_failed', { errors }) : ok(true)
}

/** The error code of a bulk issuance whose card product has too few numbers left (D-37, D-44). */
export const NUMBERS_USED_UP = '1853'

/** The error of a FAILED bulk issuance; `pan_range_exhausted` has the code 1853. */
export function errorOf({ code, detail, errors = [], extra = {} }: ApiError): BulkError {
  const faults = errors.map(({ path, message }) => `${path} ${message}`).join('; ')
  const { needed, available } = extra
  return {
    code: code === 'pan_range_exhausted' ? NUMBERS_USED_UP : code,
    message: detail ?? (faults || code),
    ...(typeof needed === 'number' && { needed }),
    ...(typeof available === 'number' && { available }),
  }
}
