/**
 * The answer of the engine as a message (docs/iso8583.md 5.2, 6). It is made of the request and
 * the answer alone, so a repeat is answered with the same bytes. No CVV2, PIN or track goes back.
 */

import {
  type AdditionalAmount,
  fitsAmount,
  parseAmount,
  writeAdditionalAmounts,
  writeAmount,
} from '#iso8583/amounts.ts'
import { type CodeMapName, de39Of } from '#iso8583/codes.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { answerMti, isAdvice, mtiClass } from '#iso8583/mti.ts'
import { elementIds, writeElements } from '#iso8583/tlv48.ts'
import { currencyOfNumeric, isCurrency, numericOf } from '#lib/currency.ts'
import { portionOf } from '#lib/money.ts'
import { codesBeforeCvv2 } from '../decide/checks/checks.ts'
import { inBilledAmount } from '../decide/money/billing.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'

/** Sent back as they came, where they came. */
const echoed = [2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 19, 32, 33, 37, 41, 42, 49, 51, 90]

/** The billed amount, its rate and its currency. */
const billingFields = [6, 10, 51]

/** The amounts of a whole approval do not fit a partial one. */
const otherAmounts = [5, 6, 9, 10, 51]

const PARTIAL = '0002'

/** Null when the message is one that gets no answer. */
export function toResponse({ mti, fields }: Message, de39: string): Message | null {
  const answer = answerMti(mti)
  if (answer === null) return null
  const echo: Fields = {}
  for (const de of echoed) if (fields[de] !== undefined) echo[de] = fields[de]
  echo[39] = de39
  return { mti: answer, fields: echo }
}

/** Throws RangeError or EncodeError later on if the answer does not fit the wire. */
export function toAnswer(
  message: Message,
  request: AuthorizationRequest,
  answer: AuthorizationAnswer,
  codes: CodeMapName = 'generic',
): Message | null {
  const response = toResponse(message, de39For(message, answer, codes))
  const isRequest = request.message_type === '0100' || request.message_type === '0200'
  if (response !== null && !isBilledAsSent(message, request, answer)) {
    for (const de of billingFields) delete response.fields[de]
  }
  if (response !== null && isRequest) addDecision(response.fields, message, request, answer)
  return response
}

/**
 * Whether DE6 is what was held or posted: the amount itself in the currency of the account, or that
 * of a scheme which says what is billed (D-1034).
 */
function isBilledAsSent(
  { fields }: Message,
  request: AuthorizationRequest,
  answer: AuthorizationAnswer,
): boolean {
  const { 6: sent, 51: code = fields[49] } = fields
  if (sent === undefined) return true
  const own = answer.available?.currency
  const { amount, currency, billed } = inBilledAmount(request, own)
  if (!answer.approved || answer.amount !== amount || currencyOfNumeric(code ?? '') !== own) {
    return false
  }
  if (own === currency) return parseAmount(sent) === amount
  return billed !== undefined && billed.currency === own && billed.amount > 0n
}

/** Codes after which nothing was recorded: an advice with this answer is sent again. */
const notRecorded: ReadonlySet<string> = new Set(['1889', '9109', '9113'])
/** The sender of an advice must learn that it was not understood. */
const notUnderstood: ReadonlySet<string> = new Set(['1846', '9104'])

function de39For(
  { mti }: Message,
  { status_code, hints }: AuthorizationAnswer,
  codes: CodeMapName,
): string {
  const recorded = !notRecorded.has(status_code) && !notUnderstood.has(status_code)
  const of = {
    advice: isAdvice(mti) && recorded,
    reversal: mtiClass(mti) === '0400',
    cvv2: hints.cvv2 === true,
    ...(hints.card_reason !== undefined && { card_reason: hints.card_reason }),
  }
  return de39Of(status_code, of, codes)
}

function addDecision(
  fields: Fields,
  message: Message,
  request: AuthorizationRequest,
  answer: AuthorizationAnswer,
): void {
  const { approved, approval_code, status_code } = answer
  const partial = status_code === PARTIAL
  if (approved && approval_code !== undefined) fields[38] = approval_code
  if (partial) {
    for (const de of otherAmounts) delete fields[de]
    const { amount: whole } = inBilledAmount(request, answer.available?.currency)
    fields[4] = writeAmount(portionOf(request.amount, whole, answer.amount))
  }
  if (request.cvv2) fields[48] = writeElements([[elementIds.cvv2_result, cvv2Result(answer)]])
  if (answer.emv !== undefined) fields[55] = answer.emv
  if (approved && (partial || isInquiry(request))) addBalances(fields, message, answer)
}

/** 30 is balance, 31 available funds (iso8583.md 5.3). */
const isInquiry = ({ processing_code }: AuthorizationRequest): boolean =>
  /^3[01]/.test(processing_code)

/** Match, no match, or not processed. */
function cvv2Result({ status_code, hints }: AuthorizationAnswer): 'M' | 'N' | 'P' {
  if (status_code === '1022' && hints.cvv2 === true) return 'N'
  return codesBeforeCvv2.has(status_code) ? 'P' : 'M'
}

const LEDGER = '01'
const AVAILABLE = '02'

/** A balance of more than twelve digits is left out; the answer goes without it (D-317). */
function addBalances(fields: Fields, message: Message, { available }: AuthorizationAnswer): void {
  if (available === undefined || !isCurrency(available.currency)) return
  const account_type = message.fields[3]?.slice(2, 4) ?? '00'
  const currency = numericOf(available.currency)
  const entry = (amount_type: string, amount: bigint): AdditionalAmount => ({
    account_type,
    amount_type,
    currency,
    side: amount < 0n ? 'D' : 'C',
    amount: amount < 0n ? -amount : amount,
  })
  const entries = [entry(LEDGER, available.ledger), entry(AVAILABLE, available.amount)]
  const written = writeAdditionalAmounts(entries.filter(({ amount }) => fitsAmount(amount)))
  if (written !== '') fields[54] = written
}
