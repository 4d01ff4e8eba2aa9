/**
 * The proofs that a message comes from the card: expiry date, CVV2 and the values of stripe and
 * chip (D-106, D-119), how often they may be wrong (D-122), and the chip itself (chip.ts).
 */

import { type AavProof, judgeAav, type ProvedPayment, questionOfAav } from '#cvv/aav.ts'
import type { Proved } from '#issuing/vault/vault.ts'
import type { Secret } from '#lib/secret.ts'
import { monthOf } from '#lib/time.ts'
import type { AuthorizationRequest } from '../../schema.ts'
import type { Case } from '../case.ts'
import { areTooMany } from '../state/tries.ts'
import { isRead, isStripe } from './entry_modes.ts'
import { declined, type Finding, NOT_VERIFIED, passed, unanswered, wrongTry } from './findings.ts'

/** A message by a token's number contains the token's expiry, and its CVV2 is over both. */
const expiryOf = ({ card, token }: Case): string => token?.expiry_date ?? card?.expiry_date ?? ''
const printed = (expiry_date: string): string => expiry_date.slice(2).replace('-', '')

/** Whether a message is a request: an advice tries neither PIN nor card data. */
export const asks = ({ message_type }: AuthorizationRequest): boolean =>
  message_type === '0100' || message_type === '0200'

/** Whether the PIN of a message is checked: that of a request. An advice tries none. */
export const hasPinToCheck = (request: AuthorizationRequest): boolean =>
  request.pin_block !== undefined && asks(request)

/** Whether a message contains an expiry date, which a sender may be guessing (D-122). */
export const hasExpiry = ({ expiry, track_expiry }: AuthorizationRequest): boolean =>
  expiry !== undefined || track_expiry !== undefined

/** Whether a message contains a verification value, which a sender may be guessing. */
export const hasVerificationValue = ({ cvv2, track_cvv, aav }: AuthorizationRequest): boolean =>
  cvv2 !== undefined || track_cvv !== undefined || aav !== undefined

/** Whether the keys of the card product are needed to check what a message contains. */
export const needsKeys = (request: AuthorizationRequest): boolean =>
  hasVerificationValue(request) || hasPinToCheck(request)

/**
 * After too many wrong tries nothing further is checked of a card that was not read, so this comes
 * before expiry and CVV2 (D-122). A card that was read goes on.
 */
export function verificationTries({ request, wrong_tries, settings, now }: Case): Finding {
  if (!asks(request) || isRead(request)) return passed('not asked')
  if (!areTooMany(wrong_tries, settings.card_verification_max_tries, now)) return passed('allowed')
  return declined('1022', `too many wrong tries: ${wrong_tries.length}`)
}

/**
 * Present and wrong: 1804; right but past: 1001. A card is good to the end of its month. Both DE14
 * and the track have to be right (D-119).
 */
export function expiry(input: Case): Finding {
  const { request, card, now } = input
  const own = expiryOf(input)
  const given = [request.expiry, request.track_expiry].filter((month) => month !== undefined)
  if (given.some((month) => month !== printed(own))) return wrongTry('1804', 'does not match')
  const past = [own, card?.expiry_date ?? ''].find((month) => month < monthOf(now))
  if (past !== undefined) return declined('1001', past)
  return passed(given.length === 0 ? `${own}, not given` : own)
}

/** Whether the chip proved itself (D-445): found before the checks, because it counts. */
export const chip = ({ chip }: Case): Finding => chip?.finding ?? passed('no chip')

/** Service codes of CVV2 and iCVV: no stripe carries them (D-119). */
export const NOT_OF_A_STRIPE: ReadonlySet<string> = new Set(['000', '999'])

/** The values of the card, then that of its issuer (D-1091). */
export function verification(input: Case): Finding {
  const found = cardValues(input)
  if (found.declined !== undefined) return found
  const proof = aavProof(input)
  if (proof === undefined) return found
  if (proof === 'fault') return unanswered
  if (proof === 'unasked' || proof === 'unproved') return passed(NOT_VERIFIED)
  if (proof !== 'right') return declined('1022', `AAV is ${proof}`)
  if (input.used_aav) return declined('1022', 'AAV was used before')
  const { detail } = found
  return passed(detail === NOT_GIVEN ? 'AAV is right' : `${detail}, AAV is right`)
}

/**
 * An AAV that is sent has to be of this very payment, if the issuer of the card makes AAVs. A claim
 * without a value passes: networks that authenticate themselves send none (D-1176). The amount of
 * an increment is another than that of the challenge.
 */
function aavProof(input: Case): AavProof | Proved | undefined {
  const { request, card } = input
  const { aav, amount, currency, merchant } = request
  if (!aav || !card || !isProvedByAav(input)) return undefined
  const payment = { card_id: card.card_id, amount, currency, merchant_id: merchant.id ?? '' }
  return byModule(input, payment, aav) ?? inSoftware(input, payment, aav)
}

/** Undefined for a value that no module has made. */
function byModule(
  { keys, proofs, now }: Case,
  payment: ProvedPayment,
  aav: Secret,
): AavProof | Proved | undefined {
  const asked = keys?.aav_mac && questionOfAav(payment, aav)
  if (!asked || !keys?.aav_mac) return undefined
  const { message, code, isLate } = asked
  const proved = proofs.aav({ key: keys.aav_mac, message, code })
  return proved === 'right' && isLate(now) ? 'late' : proved
}

function inSoftware({ keys, now }: Case, payment: ProvedPayment, aav: Secret): AavProof {
  const { key, until } = keys?.aav ?? {}
  if (!key || (until && until <= now)) return 'wrong'
  return judgeAav(key, payment, aav, now)
}

/** Whether the message has a value of the issuer that is looked at. */
export const isProvedByAav = ({ request, card, product, raised, keys }: Case): boolean =>
  request.aav !== undefined &&
  asks(request) &&
  !raised &&
  card !== undefined &&
  product?.otp_3ds === true &&
  (keys?.aav ?? keys?.aav_mac) !== undefined

const NOT_GIVEN = 'not given'

/** CVV2 under service code 000; the value of stripe or chip under its own service code. */
function cardValues(input: Case): Finding {
  const { request, card, keys, proofs } = input
  const { cvv2, track_cvv } = request
  if (!cvv2 && !track_cvv) return passed(NOT_GIVEN)
  if (!keys || !card || !('pan' in request.card))
    return declined('1022', 'no keys to check it with')
  const base = {
    cvk: keys.cvk,
    pan: request.card.pan,
    expiry_yymm: printed(expiryOf(input)),
  }
  const { cvv2_date_order: date_order } = keys
  const found: Proved[] = []
  if (cvv2) {
    const proved = proofs.cvv({ ...base, service_code: '000', date_order, value: cvv2 })
    if (proved === 'wrong') return wrongTry('1022', 'CVV2 is wrong')
    found.push(proved)
  }
  if (track_cvv) {
    const { service_code, value } = track_cvv
    if (isStripe(request) && NOT_OF_A_STRIPE.has(service_code)) {
      return wrongTry('1022', `service code ${service_code}`)
    }
    if (value?.reveal() === '') return declined('1022', 'no CVV on the track')
    const proved = value && proofs.cvv({ ...base, service_code, value })
    if (proved === 'wrong') return wrongTry('1022', 'CVV is wrong')
    if (proved) found.push(proved)
  }
  if (found.includes('fault')) return unanswered
  if (found.length === 0) return passed('CVV is not reliable')
  if (found.some((proved) => proved !== 'right')) return passed(NOT_VERIFIED)
  return passed(cvv2 ? 'CVV2 is right' : 'CVV is right')
}
