/** What a customer sends from the payment page: the card form, or the answer to its issuer. */

import type { Context } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import { isCleanText } from '#lib/text.ts'
import {
  answerChallenge,
  type CheckoutRow,
  type PaymentServices,
  pay,
  startChallenge,
} from './checkouts.ts'
import type { Enrollment } from './provider.ts'
import { digitsOf, readCard } from './rules/card.ts'
import { actions } from './rules/challenge.ts'
import type { Outcome } from './views/outcome.ts'

type Sent = { ctx: Context; checkout: CheckoutRow; body: unknown }
/** The checkout as it is then, and what its page shows beside that. */
type Taken = { checkout: CheckoutRow; outcome: Outcome }

export async function takeForm(
  api: PaymentServices,
  { ctx, checkout, body }: Sent,
): Promise<Taken> {
  if (checkout.status !== 'OPEN') return { checkout, outcome: {} }
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
  const read = readCard(
    { card_number: typed('card_number'), expiry: typed('expiry'), cvv2: typed('cvv2') },
    ctx.now,
  )
  if (!read.ok) return { checkout, outcome: { faults: read.faults } }
  const card = { ...read.card, held_up: typed('slow') === '1' }
  const form_token = typed('form_token')
  const enrollment = await enrollmentOf(ctx, api, card.pan)
  if ('issuer' in enrollment) {
    const { issuer } = enrollment
    return split(await startChallenge(ctx, checkout, form_token, { card, issuer }))
  }
  const { three_ds } = enrollment
  return split(await pay(ctx, api, checkout, form_token, { ...card, three_ds }))
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
    ? authenticator(ctx, new Secret(pan))
    : { three_ds: 'NONE' }
