/** The tracks of a magnetic stripe (ISO/IEC 7813), with sentinels and without LRC. */

import { Secret } from '#lib/secret.ts'

export type Stripe = {
  pan: Secret
  /** The embossed name, in upper case; null for a card without a name. */
  name: string | null
  /** YYMM. */
  expiry: string
  service_code: string
  pvki: string
  /** Null without a PIN. */
  pvv: Secret | null
  cvv: Secret
}

const NAME_MAX = 26
/** Encoded where there is no PIN to verify. */
const NO_PIN = '00000'

/** PVKI, PVV, CVV: this program reads the CVV of a swipe there (message/track.ts). */
const discretionary = ({ pvki, pvv, cvv }: Stripe) =>
  `${pvv === null ? NO_PIN : pvki + pvv.reveal()}${cvv.reveal()}`

export function track1(stripe: Stripe): Secret {
  const { pan, name, expiry, service_code } = stripe
  const body = `${expiry}${service_code}${discretionary(stripe)}`
  return new Secret(`%B${pan.reveal()}^${trackName(name)}^${body}?`)
}

export function track2(stripe: Stripe): Secret {
  const { pan, expiry, service_code } = stripe
  return new Secret(`;${pan.reveal()}=${expiry}${service_code}${discretionary(stripe)}?`)
}

/**
 * SURNAME/GIVEN NAMES: the last word is the surname unless the name has a slash. A blank surname
 * stands for no name.
 */
function trackName(name: string | null): string {
  const clean = (name ?? '').replace(/ +/g, ' ').trim()
  if (clean === '') return ' /'
  if (clean.includes('/')) return clean
  const end = clean.lastIndexOf(' ')
  if (end > 0) return `${clean.slice(end + 1)}/${clean.slice(0, end)}`
  return clean.length < NAME_MAX ? `${clean}/` : clean
}
