/** The page with the card form, as HTML that works without a script. */

import { Html, html } from '#lib/html.ts'
import { type TestCardKind, testCardKinds } from '../provider.ts'
import { type CardFaults, type CardField, cardFields } from '../rules/card.ts'
import { reasonOf } from '../rules/declined.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { icons } from './icons.ts'
import { choicesView, consentView, type KeptOffer, removalView } from './kept.ts'
import { boxView, type Place, pageView, queryOf, type Shop } from './layout.ts'
import { amountView } from './money.ts'
import type { FormOutcome, Picked } from './outcome.ts'
import { type Ordered, summaryView } from './summary.ts'

export type CheckoutDetails = Ordered & {
  form_token: string
  last_decline: string | null
  tries_left: number
  /** The target of a customer who does not want to pay, and of one who has paid. */
  back_url: string
  confirm_url: string
  /** YYMM of the tenant's clock: earlier cards have expired. */
  month: string
  /** Payments here move no money. */
  is_test: boolean
  /** Present if the shop keeps cards of the customer. */
  kept?: KeptOffer | undefined
}

/** The card form. Submitted values are not shown again. */
export function formView(
  place: Place,
  shop: Shop,
  details: CheckoutDetails,
  outcome: FormOutcome,
): Html {
  const texts = TEXTS[place.language]
  const { amount, currency, back_url, is_test, kept } = details
  const price = amountView(amount, currency)
  const content = html`
    <section class="side" aria-label="${texts.summary}"><div class="pane">
      <div class="top">
        <a class="back" href="${back_url}"
          data-leave="${details.confirm_url}">${icons.back}${texts.back}</a>
        ${is_test && html`<span class="badge">${texts.test.badge}</span>`}
      </div>
      ${summaryView(place, shop, details)}
    </div></section>
    <section class="form" aria-labelledby="form_title"><div class="pane">
      <h2 id="form_title">${texts.form}</h2>
      ${problem(texts, details, outcome)}
      <form method="post" action="?${queryOf(place)}" novalidate data-month="${details.month}">
        <input type="hidden" name="form_token" value="${details.form_token}">
        <input type="hidden" name="framed" value="">
        <input type="hidden" name="ticked" value="">
        ${outcome.picked?.kind === 'slow' && html`<input type="hidden" name="slow" value="1">`}
        ${kept && choicesView(texts, kept)}
        ${field(texts, outcome, inputs.card_number)}
        <div class="pair">
          ${field(texts, outcome, inputs.expiry)}
          ${field(texts, outcome, inputs.cvv2)}
        </div>
        ${kept && consentView(place, kept, shop.display_name)}
        <button type="submit" data-paying="${texts.paying}"${
          outcome.picked && new Html(' autofocus')
        }>${texts.pay} ${price}</button>
      </form>
      ${kept && removalView(place, details.form_token)}
      <p class="safe">${icons.lock}<span>${texts.safe}</span></p>
      ${is_test && testCards(place, texts, outcome.picked)}
    </div></section>`
  return pageView(place, { title: texts.title, content, shop, isWide: true })
}

/** Links, so that a card is picked without a script too. */
function testCards(place: Place, texts: Texts, picked: Picked | undefined): Html {
  const { title, hint, kinds } = texts.test
  const link = (kind: TestCardKind) => {
    const current = kind === picked?.kind && new Html(' aria-current="true"')
    const name = html`<bdi>${kinds[kind]}</bdi>`
    return html`<li><a href="?${queryOf(place)}&card=${kind}"${current}>${name}</a></li>`
  }
  return html`<section class="test" aria-labelledby="test_title">
        <h3 id="test_title">${title}</h3>
        <p>${hint}</p>
        <ul>${testCardKinds.map(link)}</ul>
      </section>`
}

/** The summary is read out at once and leads to each field. */
function problem(texts: Texts, details: CheckoutDetails, outcome: FormOutcome): Html | false {
  const { last_decline, tries_left } = details
  const { faults = {}, notice, picked } = outcome
  const wrong = cardFields.filter((name) => faults[name])
  if (wrong.length > 0) {
    const links = wrong.map(
      (name) => html`<li><a href="#${name}">${sentence(texts, name, faults)}</a></li>`,
    )
    return boxView('wrong', texts.check, html`<ul>${links}</ul>`)
  }
  // The last decline was of the card in the other form.
  if (notice) {
    const { title, text } = texts[notice]
    return boxView(notice === 'cancelled' ? 'note' : 'wrong', title, html`<p>${text}</p>`)
  }
  if (last_decline === null || picked) return false
  const reason = texts.reasons[reasonOf(last_decline)]
  const tries = texts.tries[tries_left - 1]
  return boxView('wrong', texts.declined, html`<p>${reason}</p><p class="tries">${tries}</p>`)
}

const sentence = (texts: Texts, name: CardField, faults: CardFaults): string =>
  texts.faults[name][faults[name] ?? 'wrong'] ?? texts.faults[name].wrong

type Input = { name: CardField; autocomplete: string; size: number; placeholder: string }

const inputs = {
  card_number: {
    name: 'card_number',
    autocomplete: 'cc-number',
    size: 23,
    placeholder: '1234 1234 1234 1234',
  },
  expiry: { name: 'expiry', autocomplete: 'cc-exp', size: 9, placeholder: 'MM/YY' },
  cvv2: { name: 'cvv2', autocomplete: 'cc-csc', size: 4, placeholder: '123' },
} as const satisfies Record<CardField, Input>

/** The line under the field holds the hint or the fault, so that nothing moves (D-702). */
function field(texts: Texts, { faults = {}, picked }: FormOutcome, input: Input): Html {
  const { name, autocomplete, size, placeholder } = input
  const wrong = faults[name]
  const { empty, wrong: invalid, past } = texts.faults[name]
  const fault = wrong ? sentence(texts, name, faults) : ''
  return html`<div class="field ${name}">
          <label for="${name}">${texts.labels[name]}</label>
          <div class="box">
            <input id="${name}" name="${name}" type="text" inputmode="numeric" dir="ltr" required
              autocomplete="${autocomplete}" maxlength="${size}" size="${size}" spellcheck="false"
              placeholder="${placeholder}" value="${picked?.card[name]}"
              aria-describedby="${name}_${wrong ? 'fault' : 'hint'}" data-empty="${empty}"
              data-wrong="${invalid}" data-past="${past}"
              ${wrong && new Html('aria-invalid="true"')}>
            ${name === 'card_number' && brandMark}
          </div>
          <p class="line">
            <span class="hint" id="${name}_hint"
              ${wrong && new Html('hidden')}>${texts.hints[name]}</span>
            <span class="fault" id="${name}_fault"${!wrong && new Html(' hidden')}>
              ${icons.wrong}<span>${fault}</span></span>
          </p>
        </div>`
}

/** The script writes the name of the brand; the drawing is there before. */
const brandMark = html`<span class="mark">${icons.card}
          <output id="brand" for="card_number"></output></span>`
