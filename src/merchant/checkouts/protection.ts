/**
 * The sources that the payment page may load and the targets that it may lead to, as a
 * Content-Security-Policy.
 */

import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import type { CheckoutRow } from './checkouts.ts'
import { pictureOrigins, type Summary } from './rules/summary.ts'

/**
 * Only the shop's own pages may frame it. Its callback addresses are among the targets of the form,
 * because browsers apply the same list to the redirect after a form. Pictures come from the page
 * itself, if the shop has a logo, and from the origins that the order names (D-701, D-703).
 */
export function pagePolicy(
  { confirm_callback_url, reject_callback_url }: CheckoutRow,
  { callback_hosts, logo }: MerchantRow,
  summary: Summary,
) {
  const shops = [confirm_callback_url, reject_callback_url].map((url) => new URL(url).origin)
  const hosts = callback_hosts.map((host) => `https://${host}`)
  const targets = [...new Set(shops)].join(' ')
  const frames = [...new Set([...shops, ...hosts])].join(' ')
  const pictures = [...(logo === null ? [] : ['data:']), ...pictureOrigins(summary)]
  return {
    'content-security-policy': policyOf(`'self' ${targets}`, `'self' ${frames}`, pictures),
    'referrer-policy': 'no-referrer',
  }
}

export const policyOf = (targets: string, frames: string, pictures: readonly string[] = []) =>
  "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; " +
  (pictures.length === 0 ? '' : `img-src ${pictures.join(' ')}; `) +
  `base-uri 'none'; form-action ${targets}; frame-ancestors ${frames}`
