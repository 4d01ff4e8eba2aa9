/** The pages that replace the form: each states what is certain, and leads back to the shop. */

import { type Html, html } from '#lib/html.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { type Icon, icons } from './icons.ts'
import { type Place, pageView, queryOf, type Shop, shopView } from './layout.ts'
import { amountView } from './money.ts'

type Notices =
  | 'processing'
  | 'checking'
  | 'ended'
  | 'replaced'
  | 'closed'
  | 'paid_elsewhere'
  | 'paying_elsewhere'
  | 'unknown'
  | 'failed'

const iconOf: Readonly<Record<Notices, Icon>> = {
  processing: 'wait',
  checking: 'wait',
  ended: 'wrong',
  replaced: 'wrong',
  closed: 'wrong',
  paid_elsewhere: 'good',
  paying_elsewhere: 'wait',
  unknown: 'wrong',
  failed: 'wrong',
}

/** Pages that load themselves again after so many seconds (D-131). */
const seconds: Partial<Record<Notices, number>> = {
  processing: 2,
  checking: 2,
  paying_elsewhere: 5,
  failed: 5,
}

/** Minor units; the amount is left out if another page has another one. */
export type Order = { display_reference: string; amount?: bigint; currency: string }

/** The shop of a page that is not reached has no name, no order and no address. */
export type End = { shop?: Shop; order?: Order; back_url?: string }

export function noticeView(
  place: Place,
  notice: Notices,
  { shop, order, back_url }: End = {},
): Html {
  const texts = TEXTS[place.language]
  const { title, text } = texts[notice]
  const again = place.id === '' ? undefined : seconds[notice]
  const isWaiting = again !== undefined && notice !== 'failed'
  const content = html`
    ${shop && shopView(shop, 'p')}
    ${order && orderView(texts, order)}
    <div class="end ${iconOf[notice]}">
      ${icons[iconOf[notice]]}
      <h1>${title}</h1>
      <p${isWaiting && roleStatus}>${text}</p>
    </div>
    ${isWaiting && html`<p><a class="button" href="?${queryOf(place)}">${texts.reload}</a></p>`}
    ${
      back_url !== undefined &&
      html`<p><a class="button${isWaiting && ' quiet'}" href="${back_url}">${texts.back}</a></p>`
    }`
  const head =
    again === undefined
      ? undefined
      : html`<meta http-equiv="refresh" content="${again}; url=?${queryOf(place)}">`
  return pageView(place, { title, content, head, shop })
}

const roleStatus = html` role="status"`

function orderView(texts: Texts, { display_reference, amount, currency }: Order): Html {
  const price = amount !== undefined && html` · ${amountView(amount, currency)}`
  return html`<p class="about">${texts.order} <bdi>${display_reference}</bdi>${price}</p>`
}

export type Result = {
  status: 'SUCCESS' | 'FAILED'
  confirm_callback_url: string
  reject_callback_url: string
}

/** The end inside a frame: the script sends the result to the shop's page (D-83). */
export function resultView(place: Place, shop: Shop, order: Order, result: Result): Html {
  const texts = TEXTS[place.language]
  const { status, confirm_callback_url, reject_callback_url } = result
  const isPaid = status === 'SUCCESS'
  const next = isPaid ? confirm_callback_url : reject_callback_url
  const { title, text } = isPaid ? texts.paid : texts.rejected
  const icon = isPaid ? 'good' : 'wrong'
  const content = html`
    ${shopView(shop, 'p')}
    ${orderView(texts, order)}
    <div class="end ${icon}">
      ${icons[icon]}
      <h1>${title}</h1>
      <p>${text}</p>
    </div>
    <p><a class="button" id="result" href="${next}" data-status="${status}"
      data-confirm-url="${confirm_callback_url}" data-reject-url="${reject_callback_url}"
      data-origin="${new URL(next).origin}">${texts.back}</a></p>`
  const head = html`<noscript><meta http-equiv="refresh" content="1; url=${next}"></noscript>`
  return pageView(place, { title, content, head, shop })
}

/** The page of the sandbox if there are no test cards yet, or too little money is on them. */
export function makeCardsView(place: Place, shop: Shop, card: string): Html {
  const { test, back_to_form: back } = TEXTS[place.language]
  const { title, text } = test.missing
  const content = html`
    ${shopView(shop, 'p')}
    <div class="end card">
      ${icons.card}
      <h1>${title}</h1>
      <p>${text}</p>
    </div>
    <form method="post" action="${place.base}/checkout/testcards?${queryOf(place)}&card=${card}">
      <button type="submit">${test.make}</button>
    </form>
    <p><a class="button quiet" href="?${queryOf(place)}">${back}</a></p>`
  return pageView(place, { title, content, shop })
}
