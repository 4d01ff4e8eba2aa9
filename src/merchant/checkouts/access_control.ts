/**
 * The access control server of an issuer, over HTTP: it asks the cardholder for the payment page
 * (D-1215, docs/challenges.md). Every call may be repeated: its key has one effect. An answer that
 * is not understood, or does not come in time, is `unanswered`: nothing is known then.
 */

import { boundedText } from '#kit/net/bounded_text.ts'
import { Secret } from '#lib/secret.ts'
import type { AccessControl } from '#merchant/acquirer/acquirer.ts'

/** The longest that a customer waits for one call. */
const CALL_MS = 5_000
const ANSWER_BYTES_MAX = 64 * 1024

/** `amount` in major units. */
export type Question = {
  id: string
  card_number: string
  amount: number
  currency: string
  merchant: { id: string; name: string }
}
/** How the cardholder confirms: by the code that was sent, or in the app of the bank. */
export type Way = 'code' | 'app'
export type Asked =
  | { kind: 'asked'; way: Way }
  | { kind: 'not_asked'; three_ds: 'ATTEMPTED' | 'NONE' }
  | { kind: 'unanswered' }

/** The state of a question. `aav` is absent where the issuer makes none. */
export type Standing =
  | { kind: 'passed'; aav: Secret | undefined }
  | { kind: 'wrong'; tries_left: number }
  | { kind: 'waiting' | 'refused' | 'late' | 'unanswered' }

const UNANSWERED = { kind: 'unanswered' } as const
/** The issuer has no way to the cardholder: it declines such a payment, or takes the risk. */
const ATTEMPTED = { kind: 'not_asked', three_ds: 'ATTEMPTED' } as const
/** The card takes no part in 3-D Secure, or is not of this issuer. */
const NONE = { kind: 'not_asked', three_ds: 'NONE' } as const

export async function askCardholder(acs: AccessControl, question: Question): Promise<Asked> {
  const { id } = question
  const { status, body } = await call(acs, 'POST', '', { body: question, key: `question-${id}` })
  if (status === 200 && body['id'] === id) {
    return { kind: 'asked', way: body['messenger'] === 'NONE' ? 'app' : 'code' }
  }
  if (body['code'] === 'challenge_unreachable') return ATTEMPTED
  if (body['code'] === 'challenge_not_offered') return NONE
  return isUnknownCard(status, body) ? NONE : UNANSWERED
}

function isUnknownCard(status: number, { errors }: Body): boolean {
  const first: unknown = Array.isArray(errors) ? errors[0] : undefined
  return status === 400 && Object(first).path === 'card_number'
}

/** `key` names the code without showing it: the same code is one try, however often it is sent. */
export async function sendCode(
  acs: AccessControl,
  { id, amount, currency, merchant }: Omit<Question, 'card_number'>,
  { code, key }: { code: string; key: string },
): Promise<Standing> {
  const body = { code, amount, currency, merchant_id: merchant.id }
  const answer = await call(acs, 'POST', `/${id}:answer`, { body, key })
  const { code: fault, status_of_challenge: status, tries_left } = answer.body
  if (fault === 'challenge_over' && status === 'PASSED') return findStanding(acs, id)
  if (fault === 'challenge_over') return ended(status)
  if (fault === 'challenge_code_wrong' && typeof tries_left === 'number') {
    return tries_left > 0 ? { kind: 'wrong', tries_left } : { kind: 'refused' }
  }
  if (answer.status === 404) return { kind: 'late' }
  return standingOf(answer)
}

export async function findStanding(acs: AccessControl, id: string): Promise<Standing> {
  const answer = await call(acs, 'GET', `/${id}`)
  return answer.status === 404 ? { kind: 'late' } : standingOf(answer)
}

/** The customer has left the question. Whether the issuer hears of it changes nothing here. */
export async function leaveQuestion(acs: AccessControl, id: string): Promise<void> {
  await call(acs, 'POST', `/${id}:decline`)
}

function standingOf({ status, body }: Answer): Standing {
  if (status !== 200) return UNANSWERED
  const { status: reached, authentication_value: aav } = body
  if (reached === 'PENDING') return { kind: 'waiting' }
  if (reached !== 'PASSED') return ended(reached)
  return { kind: 'passed', aav: typeof aav === 'string' ? new Secret(aav) : undefined }
}

/** Three wrong codes, and a cardholder who does not want the payment, are a declined payment. */
function ended(status: unknown): Standing {
  if (status === 'FAILED' || status === 'DECLINED') return { kind: 'refused' }
  return status === 'EXPIRED' ? { kind: 'late' } : UNANSWERED
}

type Body = Readonly<Record<string, unknown>>
type Answer = { status: number; body: Body }
type Sent = { body?: object; key?: string }

/** Errors of fetch may name what was sent: they end here. */
async function call(
  { url, key: apikey }: AccessControl,
  method: string,
  path: string,
  { body, key }: Sent = {},
): Promise<Answer> {
  try {
    const answer = await fetch(`${url}/v1/challenges${path}`, {
      method,
      headers: {
        ...{ apikey: apikey.reveal(), accept: 'application/json' },
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      // A redirect would send the card number to a host that is not configured.
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_MS),
    })
    const read: unknown = JSON.parse(await boundedText(answer, ANSWER_BYTES_MAX))
    return { status: answer.status, body: Object(read) }
  } catch {
    return { status: 0, body: {} }
  }
}
