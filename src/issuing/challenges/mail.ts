/** The mail with a one-time code. Its subject has no code, which a locked screen would show. */

import { findTenant } from '#issuing/tenants/tenants.ts'
import type { Context } from '#kit/context.ts'
import { html } from '#lib/html.ts'
import { formatDecimal, parseAmount } from '#lib/money.ts'
import type { CodeMessage } from './provider.ts'

export async function mailOf(
  ctx: Context,
  { challenge, code, email }: CodeMessage & { email: string },
) {
  const { name } = await findTenant(ctx, ctx.tenant_id)
  const { id, amount, currency, merchant } = challenge
  const read = parseAmount(amount, currency)
  // All decimals of the currency, as the shop shows it.
  const shown = read.ok ? formatDecimal(read.minor, currency) : amount
  const lines = [
    `Your code is ${code.reveal()}.`,
    `It confirms a payment of ${currency} ${shown} to ${merchant.name}.`,
    'It is valid for five minutes.',
    'If you do not know this payment, tell nobody the code.',
  ]
  return {
    id,
    to: email,
    subject: `${name}: confirm your payment`.replace(/\s+/g, ' '),
    text: `${lines.join('\n\n')}\n`,
    html: html`${lines.map((line) => html`<p>${line}</p>`)}`.text,
  }
}
