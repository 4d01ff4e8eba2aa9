/** The cards that a shop keeps for its customer, as choices before the fields of the form. */

import { Html, html } from '#lib/html.ts'
import type { OfferedCard } from '#merchant/kept_cards/kept_cards.ts'
import { consentOf } from '#merchant/kept_cards/rules.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { icons } from './icons.ts'
import { type Place, queryOf } from './layout.ts'

export type KeptOffer = {
  cards: readonly OfferedCard[]
  /** The id of the chosen card; undefined if one is typed. */
  chosen: string | undefined
  /** Whether the customer may let the shop keep a further card. */
  may_keep: boolean
}

/** Nothing if there is no card to choose. */
export function choicesView(texts: Texts, { cards, chosen }: KeptOffer): Html | false {
  if (cards.length === 0) return false
  return html`<fieldset class="kept">
          <legend>${texts.kept.title}</legend>
          ${cards.map((card) => choice(texts, card, card.id === chosen))}
          <div class="choice">
            <label><input type="radio" class="pick" name="kept_card" value=""${
              chosen === undefined && CHECKED
            }>${icons.card}<span>${texts.kept.another}</span></label>
          </div>
        </fieldset>`
}

const CHECKED = new Html(' checked')
const DISABLED = new Html(' disabled')

/** The button is of another form, so that Enter in a field pays. */
function choice({ kept }: Texts, card: OfferedCard, is_chosen: boolean): Html {
  const { id, last_four, expiry, is_expired } = card
  const name = card.brand ?? kept.card
  const date = `${expiry.slice(2)}/${expiry.slice(0, 2)}`
  return html`<div class="choice">
            <label><input type="radio" class="pick" name="kept_card" value="${id}"${
              is_chosen && CHECKED
            }${is_expired && DISABLED}>${icons.card}
              <span class="which"><bdi dir="ltr">${name} <span aria-hidden="true">••••</span>
                ${last_four}</bdi>
              <small>${is_expired ? kept.expired : kept.expires}
                <bdi dir="ltr">${date}</bdi></small></span></label>
            <button type="submit" form="remove" name="kept_card" value="${id}" class="remove"
              aria-label="${kept.remove}: ${name} ${last_four}">${kept.remove}</button>
          </div>`
}

/** The box is not ticked: only the customer's own act is a consent (D-771). */
export function consentView(place: Place, { may_keep }: KeptOffer, shop: string): Html | false {
  const [before, after] = TEXTS[place.language].kept.consent
  if (!may_keep) return false
  return html`<label class="consent"><input type="checkbox" class="pick" name="keep_card"
          value="${consentOf(place.language)}"><span>
            ${before} <bdi>${shop}</bdi>${after}</span></label>`
}

/** The form of the buttons that remove a card. */
export const removalView = (place: Place, form_token: string): Html =>
  html`<form id="remove" method="post" action="${place.base}/checkout/keptcards?${queryOf(place)}">
        <input type="hidden" name="form_token" value="${form_token}"></form>`
