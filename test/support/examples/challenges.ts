/** Challenges: payments that the cardholder confirms before they are made. */

import { asked, KNOWN_CODE, setKnownCode } from '#test/support/contract/challenges.ts'
import type { Cards } from './cards.ts'
import type { Story } from './story.ts'

export async function confirm(
  { world, call, prepare }: Story,
  tenant_id: string,
  { card, product }: Cards,
): Promise<void> {
  const ofProduct = { id: product.id }
  await prepare('updateCardProduct', { params: ofProduct, body: { otp_3ds: true } })
  const body = { card_id: card.id, ...asked }
  const first = await call('createChallenge', { body })
  await setKnownCode(world, tenant_id, first.id)
  const typed = { code: KNOWN_CODE, amount: asked.amount, currency: asked.currency }
  await call('answerChallenge', { params: { id: first.id }, body: typed })
  await call('getChallenge', { params: { id: first.id } })
  for (const verb of ['approve', 'decline'] as const) {
    const { id } = await prepare('createChallenge', { body })
    await call(`${verb}Challenge`, { params: { id } })
  }
  await call('listChallenges', { query: { card_id: card.id, limit: 1 } })
  await prepare('updateCardProduct', { params: ofProduct, body: { otp_3ds: false } })
}
