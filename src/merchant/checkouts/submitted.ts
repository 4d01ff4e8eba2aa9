/**
 * The requests that a customer sends from the payment page: the card form, or the answer to its
 * issuer.
 */

import type { Context } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { isCleanText } from '#lib/text.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import {
  answerChallenge,
  type CheckoutRow,
  type PaymentServices,
  pay,
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
  if (form.has('challenge')) {
    return split(
      await answerChallenge(ctx, api, checkout, {
        challenge_id: typed('challenge'),
        sealed: typed('sealed'),
        typed: digitsOf(typed('code')),
        action: actions.find((action) => action === typed('action')) ?? 'confirm',
      }),
    )
  }
  const chosen = await chosenCard(ctx, checkout, typed)
  if (chosen.kind === 'gone') return { checkout, outcome: { notice: 'stale' } }
  const { kept_card } = chosen
  if (chosen.kind === 'faults') return { checkout, outcome: { faults: chosen.faults, kept_card } }
  const card = { ...chosen.card, held_up: typed('slow') === '1' }
  const form_token = typed('form_token')
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

/** Only tests have issuers that ask here; a card network's own service is not connected (D-740). */
const enrollmentOf = async (
  ctx: Context,
  { authenticator }: PaymentServices,
  pan: string,
): Promise<Enrollment> =>
  ctx.profile.test_payments && authenticator
    ? authenticator.enroll(ctx, new Secret(pan))
    : { three_ds: 'NONE' }
