/** The order beside the form; on a phone its lines are folded. */

import { type Html, html } from '#lib/html.ts'
import type { Summary, SummaryLine } from '../rules/summary.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { icons } from './icons.ts'
import { type Place, type Shop, shopView } from './layout.ts'
import { amountView, decimalView } from './money.ts'

/** More are folded. */
const LINES_SHOWN = 8

/** The checkout on a page. `amount` in minor units. */
export type Ordered = {
  amount: bigint
  currency: string
  display_reference: string
  description: string
  summary: Summary
}

export function summaryView(
  place: Place,
  shop: Shop,
  { amount, currency, display_reference, description, summary }: Ordered,
): Html {
  const texts = TEXTS[place.language]
  return html`${shopView(shop, 'h1')}
      <p class="price">${amountView(amount, currency)}</p>
      <p class="about">${texts.order} <bdi>${display_reference}</bdi></p>
      ${description !== '' && html`<p class="about" dir="auto">${description}</p>`}
      ${hasDetails(summary) && detailsView(texts, summary, currency)}`
}

const hasDetails = ({ lines, shipping, tax, discount }: Summary): boolean =>
  lines.length > 0 || [shipping, tax, discount].some((amount) => amount !== null)

function detailsView(texts: Texts, summary: Summary, currency: string): Html {
  const { lines, shipping, tax, discount, subtotal, total } = summary
  const [shown, more] = [lines.slice(0, LINES_SHOWN), lines.slice(LINES_SHOWN)]
  const rows: [string, bigint | null, boolean][] = [
    [texts.subtotal, subtotal, false],
    [texts.shipping, shipping, false],
    [texts.tax, tax, false],
    [texts.discount, discount, true],
  ]
  return html`<details class="details">
        <summary>${texts.details}${icons.fold}</summary>
        ${shown.length > 0 && linesView(texts, shown)}
        ${
          more.length > 0 &&
          html`<details class="more">
          <summary>${texts.more} (${more.length})${icons.fold}</summary>
          ${linesView(texts, more)}
        </details>`
        }
        <dl class="sums">
          ${rows.map(
            ([label, sum, isLess]) =>
              sum !== null &&
              html`<div><dt>${label}</dt><dd>${decimalView(sum, currency, { isLess })}</dd></div>`,
          )}
          <div class="total"><dt>${texts.total}</dt><dd>${decimalView(total, currency)}</dd></div>
        </dl>
      </details>`
}

const linesView = (texts: Texts, lines: readonly SummaryLine[]): Html =>
  html`<ul class="lines">${lines.map((line) => lineView(texts, line))}</ul>`

/** A picture that is not loaded leaves the drawing behind it. */
function lineView(texts: Texts, line: SummaryLine): Html {
  const { title, quantity, each, price, currency, picture } = line
  return html`<li>
          <span class="picture">${icons.box}${
            picture !== null &&
            html`<img src="${picture}" alt="" loading="lazy" decoding="async" width="48" height="48"
              referrerpolicy="no-referrer">`
          }</span>
          <span class="item">
            <span class="name" dir="auto">${title === '' ? texts.item : title}</span>
            ${quantity !== null && quantityView(texts, quantity, each, currency)}</span>
          ${price !== null && html`<span>${decimalView(price, currency)}</span>`}
        </li>`
}

function quantityView(
  texts: Texts,
  quantity: string,
  each: bigint | null,
  currency: string,
): Html | false {
  if (each !== null) {
    const price = decimalView(each, currency)
    return html`<span class="quantity"><bdi dir="ltr">${quantity} × ${price}</bdi></span>`
  }
  return (
    quantity !== '1' &&
    html`<span class="quantity">${texts.quantity} <bdi dir="ltr">${quantity}</bdi></span>`
  )
}
