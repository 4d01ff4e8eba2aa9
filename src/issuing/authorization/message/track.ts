/** Track 2 (DE35) and the PIN block (DE52 or DE123), as the checks use them. */

import type { Fields } from '#iso8583/message.ts'
import { Secret } from '#lib/secret.ts'

/** YYMM and three digits, unchanged; `cvv` is short or empty if the track ends early. */
export type Track = { pan: string; expiry: string; service_code: string; cvv: string }

/**
 * PAN, separator, expiry 4, service code 3; then PVKI 1, PVV 4, CVV 3 and further digits of the
 * issuer.
 */
const TRACK = /^(\d{12,19})=(\d{4})(\d{3})(?:\d{5}(\d{0,3})|\d{0,4})\d*$/

/** D-112. Undefined without DE35; null when it is not a track. */
export function trackOf(track2: string | undefined): Track | null | undefined {
  if (track2 === undefined) return undefined
  const [whole, pan = '', expiry = '', service_code = '', cvv = ''] = TRACK.exec(track2) ?? []
  return whole === undefined ? null : { pan, expiry, service_code, cvv }
}

const FORMAT_0 = '00'
const FORMAT_4 = '04'
const FORMAT_4_BLOCK = /^[0-9A-Fa-f]{32}$/

/**
 * The block in hex: 16 digits of DE52 (format 0) or 32 of DE123 (format 4). DE53 may mark the
 * format and must then fit. Undefined without a block; null when it is neither.
 */
export function pinBlockOf(fields: Fields): Secret | null | undefined {
  const short = fields[52]
  const long = fields[123]
  if (short === undefined && long === undefined) return undefined
  if (short !== undefined && long !== undefined) return null
  const format = fields[53]?.slice(0, 2)
  const expected = long === undefined ? FORMAT_0 : FORMAT_4
  if (format !== undefined && format !== expected) return null
  if (long !== undefined && !FORMAT_4_BLOCK.test(long)) return null
  return new Secret((long ?? short ?? '').toUpperCase())
}
