/** Limits made and linked through the API, for tests of what they decline. */

import assert from 'node:assert/strict'
import type { Issuer, MadeCard } from './issuer.ts'

type Kind = 'balancelimits' | 'velocitylimits'

/** Creates a limit in AED and links it to `owner` (`cards/<id>` and the like); answers its id. */
export async function linkLimit(
  { call }: Pick<Issuer, 'call'>,
  kind: Kind,
  owner: string,
  fields: object,
): Promise<string> {
  const limit = await call('POST', `/v1/${kind}`, { currency: 'AED', ...fields })
  assert.equal(limit.status, 200, limit.text)
  const { id } = limit.body
  const linked = await call('POST', `/v1/${owner}/${kind}:link`, { ids: [id] })
  assert.equal(linked.status, 200, linked.text)
  return id
}

/** Makes so many cards of one account with 1,000.00, and of a product with this velocity limit. */
export async function limitedCards(issuer: Issuer, count: number, fields: object) {
  const first = await issuer.card(1_000, {})
  const cards: MadeCard[] = [first]
  while (cards.length < count) cards.push(await issuer.cardOn(first))
  const { card_product_id } = (await issuer.call('GET', `/v1/cards/${first.card_id}`)).body
  const path = `cardproducts/${card_product_id}`
  const limit_id = await linkLimit(issuer, 'velocitylimits', path, fields)
  return { cards, account_id: first.account_id, limit_id }
}
