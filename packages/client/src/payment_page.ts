/** The payment page of a checkout, for tests of a shop in a sandbox (D-853). */

import { BezantError } from './core/errors.ts'

/** Card data in the form of `cards.reveal` of the issuing API. */
export type PayingCard = {
  card_number: string
  /** YYYY-MM. */
  expiry_date: string
  cvv2: string
}

export type PayOptions = {
  /** Replaces the global function. */
  fetch?: typeof globalThis.fetch | undefined
  signal?: AbortSignal | undefined
}

/**
 * Fills in the payment page as a customer does whose browser runs no script, and resolves to the
 * address to which the browser is sent: `confirm_callback_url` once it is paid. Throws if the
 * page stays, because the card is declined, wrong, or asked for a one-time code.
 */
export async function payCheckout(
  { checkout_url }: { checkout_url: string },
  { card_number, expiry_date, cvv2 }: PayingCard,
  { fetch = globalThis.fetch, signal }: PayOptions = {},
): Promise<string> {
  const how = signal ? { signal } : {}
  const page = await (await fetch(checkout_url, how)).text()
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const [year = '', month = ''] = expiry_date.split('-')
  const fields = { form_token, card_number, expiry: `${month}/${year.slice(-2)}`, cvv2 }
  const body = new URLSearchParams(fields)
  const answer = await fetch(checkout_url, { ...how, method: 'POST', body, redirect: 'manual' })
  const to = answer.headers.get('location')
  if (to !== null) return to
  throw new BezantError(`the payment page has not taken the card: ${saidBy(await answer.text())}`)
}

/** The words with which the page says what is wrong, or its title. */
function saidBy(page: string): string {
  const alert = between(page, 'role="alert"', '</div>')
  // Its attributes end before the first word.
  const said = alert.slice(alert.indexOf('>') + 1) || between(page, '<title>', '<')
  return said
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function between(page: string, begin: string, end: string): string {
  const at = page.indexOf(begin)
  const until = page.indexOf(end, at)
  return at < 0 || until < 0 ? '' : page.slice(at + begin.length, until)
}
