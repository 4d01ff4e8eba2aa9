/** The payment page and the pages that replace it, as HTML that works without a script. */

import { exponentOf } from '#lib/currency.ts'
import { Html, html } from '#lib/html.ts'
import { formatFixed } from '#lib/money.ts'
import type { CardField } from './rules/card.ts'
import { reasonOf } from './rules/declined.ts'
import { type Language, TEXTS, type Texts } from './texts.ts'

export type Shop = { display_name: string }

/** The checkout on a page. `amount` in minor units. */
export type CheckoutDetails = {
  amount: bigint
  currency: string
  display_reference: string
  description: string
  form_token: string
  last_decline: string | null
}

export type Place = { language: Language; id: string; base: string }

/**
 * The outcome of a submitted form: its invalid fields, or `stale` for a form that was used before,
 * so that its card was not used.
 */
export type FormOutcome = { faults?: CardField[]; stale?: boolean }

/** The card form. Submitted values are not shown again. */
export function formView(
  place: Place,
  shop: Shop,
  details: CheckoutDetails,
  outcome: FormOutcome,
): Html {
  const { faults = [] } = outcome
  const texts = TEXTS[place.language]
  const price = priceOf(place.language, details)
  return page(
    place,
    texts.title,
    html`
    <header>
      <h1 class="shop">${shop.display_name}</h1>
      <p class="price" dir="ltr">${price}</p>
      <p class="order">${texts.order} <bdi>${details.display_reference}</bdi></p>
      ${details.description !== '' && html`<p class="order">${details.description}</p>`}
    </header>
    ${problem(texts, details, outcome)}
    <form method="post" action="?${query(place)}" novalidate>
      <input type="hidden" name="form_token" value="${details.form_token}">
      <input type="hidden" name="framed" value="">
      ${field(texts, faults, { name: 'card_number', autocomplete: 'cc-number', size: 23 })}
      <div class="pair">
        ${field(texts, faults, { name: 'expiry', autocomplete: 'cc-exp', size: 9 })}
        ${field(texts, faults, { name: 'cvv2', autocomplete: 'cc-csc', size: 4 })}
      </div>
      <button type="submit" data-paying="${texts.paying}">${texts.pay} <bdi>${price}</bdi></button>
    </form>
    <p class="safe">${texts.safe}</p>`,
  )
}

/** A payment is under way, or its outcome is not known yet (D-131): the page reloads by itself. */
export function processingView(place: Place, what: 'processing' | 'checking'): Html {
  const texts = TEXTS[place.language]
  const title = texts[what]
  const wait = what === 'processing' ? texts.wait : texts.checking_wait
  return page(place, title, waiting(place, title, wait), refresh(place, 2))
}

function waiting(place: Place, title: string, text: string): Html {
  const { reload } = TEXTS[place.language]
  return html`
    <h1>${title}</h1>
    <p role="status">${text}</p>
    <p><a class="button" href="?${query(place)}">${reload}</a></p>`
}

const refresh = (place: Place, seconds: number) =>
  html`<meta http-equiv="refresh" content="${String(seconds)}; url=?${query(place)}">`

export type Result = {
  status: 'SUCCESS' | 'FAILED'
  confirm_callback_url: string
  reject_callback_url: string
}

/** The end inside a frame: the script sends the result to the shop's page (D-83). */
export function resultView(place: Place, result: Result): Html {
  const texts = TEXTS[place.language]
  const { status, confirm_callback_url, reject_callback_url } = result
  const next = status === 'SUCCESS' ? confirm_callback_url : reject_callback_url
  const title = status === 'SUCCESS' ? texts.paid : texts.rejected
  return page(
    place,
    title,
    html`
    <h1>${title}</h1>
    <p><a class="button" id="result" href="${next}" data-status="${status}"
      data-confirm-url="${confirm_callback_url}" data-reject-url="${reject_callback_url}"
      data-origin="${new URL(next).origin}">${texts.back}</a></p>`,
    html`<noscript><meta http-equiv="refresh" content="1; url=${next}"></noscript>`,
  )
}

export type Ending = 'ended' | 'replaced' | 'paid_elsewhere' | 'paying_elsewhere'

/** A page that accepts no payment any more, with the state of its order. */
export function endedView(place: Place, ending: Ending, confirm_url: string | undefined): Html {
  const texts = TEXTS[place.language]
  const title = texts[ending]
  const text = texts[`${ending}_detail`]
  if (ending === 'paying_elsewhere') {
    return page(place, title, waiting(place, title, text), refresh(place, 5))
  }
  const back =
    confirm_url !== undefined &&
    html`<p><a class="button" href="${confirm_url}">${texts.back}</a></p>`
  return page(place, title, html`<h1>${title}</h1><p>${text}</p>${back}`)
}

/** An unknown address, or a temporary failure, after which the page reloads. */
export function noticeView(place: Place, notice: 'unknown' | 'failed'): Html {
  const texts = TEXTS[place.language]
  const title = texts[notice]
  const head = notice === 'failed' && place.id !== '' ? refresh(place, 5) : undefined
  return page(place, title, html`<h1>${title}</h1><p>${texts[`${notice}_detail`]}</p>`, head)
}

function page(place: Place, title: string, content: Html, head?: Html): Html {
  const { language, base } = place
  const texts = TEXTS[language]
  const other = query({ ...place, language: texts.other.language })
  return html`<!doctype html>
<html lang="${language}" dir="${texts.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="${base}/checkout/assets/checkout.css">
${head}
<script src="${base}/checkout/assets/checkout.js" defer></script>
</head>
<body>
<main>${content}
</main>
<footer><a href="?${other}" lang="${texts.other.language}">${texts.other.name}</a></footer>
</body>
</html>
`
}

/** The summary is read out at once and leads to each field. */
function problem(
  texts: Texts,
  { last_decline }: CheckoutDetails,
  outcome: FormOutcome,
): Html | false {
  const { faults = [], stale = false } = outcome
  if (faults.length > 0) {
    return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${texts.check}</h2>
      <ul>${faults.map((name) => html`<li><a href="#${name}">${texts.faults[name]}</a></li>`)}</ul>
    </div>`
  }
  // The last decline was of the card in the other form.
  if (stale) {
    return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${texts.stale}</h2>
      <p>${texts.stale_detail}</p>
    </div>`
  }
  if (last_decline === null) return false
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${texts.declined}</h2>
      <p>${texts.reasons[reasonOf(last_decline)]}</p>
    </div>`
}

type Input = { name: CardField; autocomplete: string; size: number }

function field(texts: Texts, faults: CardField[], { name, autocomplete, size }: Input): Html {
  const wrong = faults.includes(name)
  const described = wrong ? `${name}_hint ${name}_fault` : `${name}_hint`
  return html`<div class="field">
        <label for="${name}">${texts.labels[name]}</label>
        <p class="hint" id="${name}_hint">${texts.hints[name]}</p>
        ${wrong && html`<p class="fault" id="${name}_fault">${texts.faults[name]}</p>`}
        <input id="${name}" name="${name}" type="text" inputmode="numeric" dir="ltr" required
          autocomplete="${autocomplete}" maxlength="${size}" size="${size}" spellcheck="false"
          aria-describedby="${described}" data-fault="${texts.faults[name]}"${
            wrong && new Html(' aria-invalid="true"')
          }>
      </div>`
}

const query = ({ id, language }: Place) => `id=${encodeURIComponent(id)}&lang=${language}`

function priceOf(language: Language, { amount, currency }: CheckoutDetails): string {
  const digits = exponentOf(currency)
  const format = new Intl.NumberFormat(language === 'ar' ? 'ar-AE' : 'en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
  // Text keeps all digits, where a number would round the largest amounts.
  const text = formatFixed(amount, currency, digits) as `${number}`
  return format.format(text)
}
