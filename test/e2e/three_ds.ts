/** A customer at the page of the card's issuer, as a browser without scripts has it. */

import assert from 'node:assert/strict'
import { type Customer, cardFields, type PageAnswer, post, type Shop, tokenIn } from './shop.ts'

export const MOBILE = '+971501234567'

/** The form that was sent, and the page that asks for the code. */
export type Asked = { id: string; form: Record<string, string>; text: string }

/** Submits a card whose issuer asks, with other fields where they are named. */
export async function ask(
  shop: Shop,
  id: string,
  card: Customer,
  others: Record<string, string> = {},
): Promise<Asked> {
  const form_token = tokenIn((await shop.page(id)).text)
  const form = { form_token, ...cardFields(card), ...others }
  const { status, text } = await post(shop, id, form)
  assert.equal(status, 200)
  assert.match(text, /name="challenge"/)
  return { id, form, text }
}

/** Submits the page of the issuer, with other fields where they are named. */
export function answer(
  shop: Shop,
  { id, text }: Pick<Asked, 'id' | 'text'>,
  fields: { code?: string; action?: string; sealed?: string; framed?: string },
): Promise<PageAnswer> {
  const challenge = fieldIn(text, 'challenge')
  return post(shop, id, { challenge, sealed: sealedIn(text), ...fields })
}

export const sealedIn = (text: string) => fieldIn(text, 'sealed')
/** The sandbox shows the code. */
export const codeIn = (text: string) => /<code dir="ltr">(\d{6})<\/code>/.exec(text)?.[1] ?? ''
export const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

const fieldIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
