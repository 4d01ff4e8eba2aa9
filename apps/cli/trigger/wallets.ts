/** Cards in wallets. */

import type { Stage } from './stage.ts'

/** A card in a wallet; the data of the card are used, and not printed. */
export async function cardInWallet(stage: Stage): Promise<string> {
  const { id } = await stage.card()
  const { card_number, expiry_date, cvv2 } = await stage.bezant.cards.reveal(id)
  const data = { card_number, expiry_date, cvv2, wallet: 'APPLE' } as const
  const token = await stage.bezant.walletTokens.provisionCard(data)
  stage.say('the card is put into a wallet', token.id)
  return token.id
}
