/**
 * The requests that a customer sends from the payment page: the card form, or the answer to its
 * issuer.
 */

import type { Context } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { isCleanText } from '#lib/text.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import {
  answerOnPage,
  answerOutside,
  type CheckoutRow,
  type PaymentServices,
  pay,
  payAsked,
  startChallenge,
  takesPayments,
} from './checkouts.ts'
import { chosenCard } from './chosen.ts'
import type { Enrollment } from './provider.ts'
import { digitsOf } from './rules/card.ts'
import { actions } from './rules/challenge.ts'
import type { Outcome } from './views/outcome.ts'

type SubmittedForm = { ctx: Context; checkout: CheckoutRow; merchant: MerchantRow; body: unknown }
/** The checkout as it is then, and the outcome that its page shows. */
type Taken = { checkout: CheckoutRow; outcome: Outcome }

export async function takeForm(
  api: PaymentServices,
  { ctx, checkout, merchant, body }: SubmittedForm,
): Promise<Taken> {
  if (checkout.status !== 'OPEN' || !takesPayments(merchant)) return { checkout, outcome: {} }
  const form = body instanceof URLSearchParams ? body : new URLSearchParams()
  const typed = (name: string) => {
    const text = form.get(name) ?? ''
    return isCleanText(text) ? text : ''
  }
  const acs = ctx.profile.test_payments ? undefined : api.link.acsOf(merchant.issuer)
  if (form.has('challenge')) {
    const answered = {
      challenge_id: typed('challenge'),
      sealed: typed('sealed'),
      typed: digitsOf(typed('code')),
      action: actions.find((action) => action === typed('action')) ?? ('confirm' as const),
    }
    return split(
      acs
        ? await answerOutside(ctx, api, { acs, checkout, merchant }, answered)
        : await answerOnPage(ctx, api, checkout, answered),
    )
  }
  const chosen = await chosenCard(ctx, checkout, typed)
  if (chosen.kind === 'gone') return { checkout, outcome: { notice: 'stale' } }
  const { kept_card } = chosen
  if (chosen.kind === 'faults') return { checkout, outcome: { faults: chosen.faults, kept_card } }
  const card = { ...chosen.card, held_up: typed('slow') === '1' }
  const form_token = typed('form_token')
  if (acs) {
    const taken = await payAsked(ctx, api, { acs, checkout, merchant }, { form_token, card })
    return split({ ...taken, kept_card })
  }
  const enrollment = await enrollmentOf(ctx, api, card.pan)
  if ('issuer' in enrollment) {
    const { issuer } = enrollment
    return split(await startChallenge(ctx, checkout, form_token, { card, issuer }))
  }
  const { three_ds } = enrollment
  const paid = await pay(ctx, api, checkout, form_token, { ...card, three_ds })
  return split({ ...paid, kept_card })
}

const split = ({ checkout, ...outcome }: { checkout: CheckoutRow } & Outcome): Taken => ({
  checkout,
  outcome,
})

/** Without an access control server only tests have issuers that ask (D-740, D-1215). */
const enrollmentOf = async (
  ctx: Context,
  { authenticator }: PaymentServices,
  pan: string,
): Promise<Enrollment> =>
  ctx.profile.test_payments && authenticator
    ? authenticator.enroll(ctx, new Secret(pan))
    : { three_ds: 'NONE' }
