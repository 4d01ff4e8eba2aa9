/** The payment page and what may stand in its place, as HTML that works without a script. */

import { exponentOf } from '#lib/currency.ts'
import { Html, html } from '#lib/html.ts'
import { formatFixed } from '#lib/money.ts'
import type { CardField } from './rules/card.ts'
import { reasonOf } from './rules/refused.ts'
import { type Language, type Words, words } from './words.ts'

export type Shop = { display_name: string }

/** What a page needs of its checkout. `amount` in minor units. */
export type Shown = {
  amount: bigint
  currency: string
  display_reference: string
  description: string
  form_token: string
  last_refusal: string | null
}

export type Place = { language: Language; id: string; base: string }

/**
 * What came of the form that was sent: fields that could not be read, or a form that was used
 * before, so that its card was not (`stale`).
 */
export type Sent = { faults?: CardField[]; stale?: boolean }

/** The card form. Nothing that was typed is shown again. */
export function formView(place: Place, shop: Shop, shown: Shown, sent: Sent): Html {
  const { faults = [] } = sent
  const say = words[place.language]
  const price = priceOf(place.language, shown)
  return page(
    place,
    say.title,
    html`
    <header>
      <p class="shop">${shop.display_name}</p>
      <p class="price" dir="ltr">${price}</p>
      <p class="order">${say.order} <bdi>${shown.display_reference}</bdi></p>
      ${shown.description !== '' && html`<p class="order">${shown.description}</p>`}
    </header>
    ${problem(say, shown, sent)}
    <form method="post" action="?${query(place)}" novalidate>
      <input type="hidden" name="form_token" value="${shown.form_token}">
      <input type="hidden" name="framed" value="">
      ${field(say, faults, { name: 'card_number', autocomplete: 'cc-number', size: 23 })}
      <div class="pair">
        ${field(say, faults, { name: 'expiry', autocomplete: 'cc-exp', size: 9 })}
        ${field(say, faults, { name: 'cvv2', autocomplete: 'cc-csc', size: 4 })}
      </div>
      <button type="submit" data-paying="${say.paying}">${say.pay} <bdi>${price}</bdi></button>
    </form>
    <p class="safe">${say.safe}</p>`,
  )
}

/** A payment is under way, or its outcome is not known yet (D-131): the page asks again by itself. */
export function processingView(place: Place, what: 'processing' | 'checking'): Html {
  const say = words[place.language]
  const title = say[what]
  const wait = what === 'processing' ? say.wait : say.checking_wait
  return page(place, title, waiting(place, title, wait), refresh(place, 2))
}

function waiting(place: Place, title: string, text: string): Html {
  const { reload } = words[place.language]
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

/** The end inside a frame: the script tells the shop's page (D-83), then both go on. */
export function resultView(place: Place, result: Result): Html {
  const say = words[place.language]
  const { status, confirm_callback_url, reject_callback_url } = result
  const next = status === 'SUCCESS' ? confirm_callback_url : reject_callback_url
  const title = status === 'SUCCESS' ? say.paid : say.rejected
  return page(
    place,
    title,
    html`
    <h1>${title}</h1>
    <p><a class="button" id="result" href="${next}" data-status="${status}"
      data-confirm-url="${confirm_callback_url}" data-reject-url="${reject_callback_url}"
      data-origin="${new URL(next).origin}">${say.back}</a></p>`,
    html`<noscript><meta http-equiv="refresh" content="1; url=${next}"></noscript>`,
  )
}

export type Ending = 'ended' | 'replaced' | 'paid_elsewhere' | 'paying_elsewhere'

/** A page on which nothing is paid any more, and what became of its order. */
export function endedView(place: Place, ending: Ending, confirm_url: string | undefined): Html {
  const say = words[place.language]
  const title = say[ending]
  const text = say[`${ending}_detail`]
  if (ending === 'paying_elsewhere') {
    return page(place, title, waiting(place, title, text), refresh(place, 5))
  }
  const back =
    confirm_url !== undefined &&
    html`<p><a class="button" href="${confirm_url}">${say.back}</a></p>`
  return page(place, title, html`<h1>${title}</h1><p>${text}</p>${back}`)
}

/** An address that leads nowhere, or a failure that passes: then the page is asked for again. */
export function noticeView(place: Place, notice: 'unknown' | 'failed'): Html {
  const say = words[place.language]
  const title = say[notice]
  const head = notice === 'failed' && place.id !== '' ? refresh(place, 5) : undefined
  return page(place, title, html`<h1>${title}</h1><p>${say[`${notice}_detail`]}</p>`, head)
}

function page(place: Place, title: string, content: Html, head?: Html): Html {
  const { language, base } = place
  const say = words[language]
  const other = query({ ...place, language: say.other.language })
  return html`<!doctype html>
<html lang="${language}" dir="${say.direction}">
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
<footer><a href="?${other}" lang="${say.other.language}">${say.other.name}</a></footer>
</body>
</html>
`
}

/** The summary is read out at once and leads to each field. */
function problem(say: Words, { last_refusal }: Shown, sent: Sent): Html | false {
  const { faults = [], stale = false } = sent
  if (faults.length > 0) {
    return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${say.check}</h2>
      <ul>${faults.map((name) => html`<li><a href="#${name}">${say.faults[name]}</a></li>`)}</ul>
    </div>`
  }
  // The last refusal was of the card in the other form.
  if (stale) {
    return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${say.stale}</h2>
      <p>${say.stale_detail}</p>
    </div>`
  }
  if (last_refusal === null) return false
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>
      <h2>${say.refused}</h2>
      <p>${say.reasons[reasonOf(last_refusal)]}</p>
    </div>`
}

type Input = { name: CardField; autocomplete: string; size: number }

function field(say: Words, faults: CardField[], { name, autocomplete, size }: Input): Html {
  const wrong = faults.includes(name)
  const described = wrong ? `${name}_hint ${name}_fault` : `${name}_hint`
  return html`<div class="field">
        <label for="${name}">${say.labels[name]}</label>
        <p class="hint" id="${name}_hint">${say.hints[name]}</p>
        ${wrong && html`<p class="fault" id="${name}_fault">${say.faults[name]}</p>`}
        <input id="${name}" name="${name}" type="text" inputmode="numeric" dir="ltr" required
          autocomplete="${autocomplete}" maxlength="${size}" size="${size}" spellcheck="false"
          aria-describedby="${described}" data-fault="${say.faults[name]}"${
            wrong && new Html(' aria-invalid="true"')
          }>
      </div>`
}

const query = ({ id, language }: Place) => `id=${encodeURIComponent(id)}&lang=${language}`

function priceOf(language: Language, { amount, currency }: Shown): string {
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
