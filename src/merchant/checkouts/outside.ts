/**
 * A payment whose cardholder the issuer asks over the wire (D-1215). The issuer is called between
 * the transactions: no row is locked while it thinks. The question has the id that form and card
 * give it, so that a form which is sent again asks again about the same question.
 */

import type { Context } from '#kit/context.ts'
import { isSameText } from '#lib/digest.ts'
import { formatAmount } from '#lib/money.ts'
import type { AccessControl } from '#merchant/acquirer/acquirer.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import {
  askCardholder,
  findStanding,
  leaveQuestion,
  type Standing,
  sendCode,
} from './access_control.ts'
import {
  type Answered,
  type Challenged,
  conclude,
  type Judgement,
  shownAsked,
  startChallenge,
} from './challenge.ts'
import { type PayingCard, type PaymentServices, pay } from './payment.ts'
import { isCode } from './rules/challenge.ts'
import type { CheckoutRow } from './store.ts'

export type Outside = {
  acs: AccessControl
  checkout: CheckoutRow
  merchant: MerchantRow
}

/** Asks about the payment, or pays at once where the card takes no part. */
export async function payAsked(
  ctx: Context,
  api: PaymentServices,
  { acs, checkout, merchant }: Outside,
  { form_token, card }: { form_token: string; card: PayingCard },
): Promise<Challenged> {
  const id = questionId(ctx, checkout, form_token, card)
  const isCurrent = isSameText(checkout.form_token, form_token) || checkout.challenge_id === id
  if (!isCurrent) return { checkout, notice: 'stale' }
  const asked = await askCardholder(acs, {
    ...{ ...questionOf(checkout, merchant), id },
    card_number: card.pan,
  })
  if (asked.kind === 'unanswered') return { checkout, notice: 'unasked' }
  if (asked.kind === 'not_asked') {
    return pay(ctx, api, checkout, form_token, { ...card, three_ds: asked.three_ds })
  }
  const issuer = { bank: '', mobile_ends: '', way: asked.way }
  return startChallenge(ctx, checkout, form_token, { card, issuer }, id)
}

/** Takes what the customer does on the page of the question. */
export async function answerOutside(
  ctx: Context,
  api: PaymentServices,
  outside: Outside,
  answered: Answered,
): Promise<Challenged> {
  const { checkout } = outside
  const asked = shownAsked(ctx, checkout, answered)
  if (!asked?.issuer.way) return { checkout, notice: 'stale' }
  const judgement = await judged(ctx, outside, answered, asked.issuer.way)
  return conclude(ctx, api, checkout, answered, judgement)
}

async function judged(
  ctx: Context,
  { acs, checkout, merchant }: Outside,
  { challenge_id: id, typed, action }: Answered,
  way: 'code' | 'app',
): Promise<Judgement> {
  if (action === 'cancel') {
    await leaveQuestion(acs, id)
    return { verdict: 'cancelled' }
  }
  if (action !== 'confirm') return { verdict: 'shown' }
  if (way === 'app') return judgementOf(await findStanding(acs, id))
  if (typed === '') return { verdict: 'empty' }
  if (!isCode(typed)) return { verdict: 'unreadable' }
  const digest = ctx.keys.digest('lookup', `typed code:${ctx.tenant_id}:${id}:${typed}`)
  const named = { code: typed, key: `answer-${digest.toString('hex')}` }
  return judgementOf(await sendCode(acs, { ...questionOf(checkout, merchant), id }, named))
}

function judgementOf(standing: Standing): Judgement {
  if (standing.kind === 'passed') return { verdict: 'right', aav: standing.aav }
  if (standing.kind === 'wrong') return { verdict: 'wrong', tries_left: standing.tries_left }
  return { verdict: standing.kind }
}

/** The payment as the authorization names it. */
const questionOf = ({ amount, currency }: CheckoutRow, merchant: MerchantRow) => ({
  amount: formatAmount(amount, currency),
  currency,
  merchant: { id: merchant.card_acceptor_id.trim(), name: merchant.display_name },
})

/** A UUID of version 8 (RFC 9562). */
function questionId(
  { keys, tenant_id }: Context,
  { id }: CheckoutRow,
  form_token: string,
  { pan, expiry }: PayingCard,
): string {
  const digest = keys.digest('lookup', `question:${tenant_id}:${id}:${form_token}:${pan}:${expiry}`)
  const hex = digest.toString('hex')
  const variant = (0x8 | (Number.parseInt(hex.charAt(16), 16) & 0x3)).toString(16)
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`]
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
}
