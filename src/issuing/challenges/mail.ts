/** The mail with a one-time code. Its subject has no code, which a locked screen would show. */

import { findTenant } from '#issuing/tenants/tenants.ts'
import type { Context } from '#kit/context.ts'
import { html } from '#lib/html.ts'
import type { CodeMessage } from './provider.ts'

export async function mailOf(
  ctx: Context,
  { challenge, code, email }: CodeMessage & { email: string },
) {
  const { name } = await findTenant(ctx, ctx.tenant_id)
  const { id, amount, currency, merchant } = challenge
  const lines = [
    `Your code is ${code.reveal()}.`,
    `It confirms a payment of ${currency} ${amount} to ${merchant.name}.`,
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
