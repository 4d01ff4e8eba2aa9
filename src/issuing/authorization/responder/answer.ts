/** The answer of a responder: `{"approved": boolean, "amount"?}` (D-111). */

import { ANSWER_READ_BYTES, type Answered, type Unanswered } from '#kit/net/exchange.ts'
import { parseAmount } from '#lib/money.ts'

/** `amount` in minor units, if it is less than was requested. */
type Decision = { approved: boolean; amount?: bigint }
export type ResponderAnswer = Decision & { by: string }

type Requested = { amount: bigint; currency: string }

/** The answer, or why there is no valid one. An amount of zero approves nothing (D-471). */
export function readAnswer(
  outcome: Answered | Unanswered,
  requested: Requested,
): ResponderAnswer | string {
  if (outcome.kind === 'unanswered') return outcome.error
  const { status, body } = outcome
  if (status < 200 || status > 299) return `HTTP ${status}`
  if (body.length >= ANSWER_READ_BYTES) return 'answer too large'
  const decision = decisionOf(parsed(body), requested)
  return typeof decision === 'string' ? decision : { by: `HTTP ${status}`, ...decision }
}

/** The decision of a parsed answer, or why it is not valid. */
export function decisionOf(read: unknown, requested: Requested): Decision | string {
  if (typeof read !== 'object' || read === null) return 'not a JSON object'
  if (!('approved' in read) || typeof read.approved !== 'boolean') return 'no boolean `approved`'
  const { approved } = read
  const amount = 'amount' in read ? read.amount : undefined
  if (!approved || amount === undefined || amount === null) return { approved }
  return withAmount(amount, requested)
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

function withAmount(value: unknown, { amount, currency }: Requested): Decision | string {
  if (typeof value !== 'number' && typeof value !== 'string') return '`amount` is no amount'
  const read = parseAmount(value, currency)
  if (!read.ok) return `\`amount\` ${read.message}`
  if (read.minor === 0n) return { approved: false }
  return read.minor < amount ? { approved: true, amount: read.minor } : { approved: true }
}
