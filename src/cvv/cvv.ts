/**
 * Card verification values: one algorithm, distinguished by the service code (000 is CVV2, 999 is
 * iCVV, the track's own is CVV1). iso8583.md, 5.8.
 */

import { type TdesKey, xor } from '#lib/ciphers.ts'
import { decimalize } from '#lib/decimalize.ts'
import { Secret } from '#lib/secret.ts'

export const SERVICE_CODE_CVV2 = '000'

/** The order in which year and month enter the computation; the issuer's choice (default YYMM). */
export type DateOrder = 'YYMM' | 'MMYY'

export type CvvInput = {
  /** The pair CVK A and CVK B, 16 bytes. */
  cvk: TdesKey
  pan: Secret
  /** Always year first, whatever order enters the computation. */
  expiry_yymm: string
  service_code: string
  date_order?: DateOrder
}

/** Three digits. Throws a TypeError when a field has another shape or the key is no pair. */
export function cvvOf(input: CvvInput): Secret {
  if (!isWellFormed(input)) throw new TypeError('a field of the CVV has another shape')
  const { cvk, pan, expiry_yymm, service_code } = input
  const date = input.date_order === 'MMYY' ? swapped(expiry_yymm) : expiry_yymm
  const data = Buffer.from(`${pan.reveal()}${date}${service_code}`.padEnd(32, '0'), 'hex')
  const first = cvk.left.encrypt(data.subarray(0, 8))
  return new Secret(decimalize(cvk.encrypt(xor(first, data.subarray(8))), 3))
}

/**
 * True when the value is the one of the card. The comparison takes constant time; a value of
 * another shape is wrong.
 */
export function isCvv(input: CvvInput, candidate: Secret): boolean {
  return isWellFormed(input) && cvvOf(input).equals(candidate)
}

function isWellFormed({ cvk, pan, expiry_yymm, service_code }: CvvInput): boolean {
  return (
    cvk.keyBytes === 16 &&
    /^[0-9]{12,19}$/.test(pan.reveal()) &&
    /^[0-9]{4}$/.test(expiry_yymm) &&
    /^[0-9]{3}$/.test(service_code)
  )
}

const swapped = (expiry: string): string => expiry.slice(2) + expiry.slice(0, 2)
