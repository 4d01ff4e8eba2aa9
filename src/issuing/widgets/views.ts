/** The pages of the widgets and what may stand in their place, as HTML. */

import { type Html, html } from '#lib/html.ts'
import type { Visit } from './widgets.ts'
import { type Language, type Words, words } from './words.ts'

/** How long number and CVV2 are to be seen (D-40). */
const SHOWN_SECONDS = 45

/** One widget; everything that it says later it has with it. */
export function widgetView(language: Language, visit: Visit): Html {
  const say = words[language]
  const { widget, origin, last_four, pin_length } = visit
  const said = JSON.stringify({ ...say.said, done: say.said.done[widget] })
  return page(
    language,
    say.titles[widget],
    html`<main data-widget="${widget}" data-origin="${origin}" data-said="${said}"
  data-seconds="${SHOWN_SECONDS}" data-length="${pin_length}">
<h1>${say.titles[widget]}</h1>
<p class="card">${say.card} <bdi>${last_four}</bdi></p>
<noscript><p>${say.script}</p></noscript>
${contents[widget](say, visit)}
<p class="said" id="said" role="status" tabindex="-1"></p>
</main>
<script type="module" src="assets/widget.js"></script>`,
  )
}

export function noticeView(language: Language, notice: 'unknown' | 'failed'): Html {
  const { title, detail } = words[language][notice]
  return page(language, title, html`<main><h1>${title}</h1><p>${detail}</p></main>`)
}

const contents: Readonly<Record<Visit['widget'], (say: Words, visit: Visit) => Html>> = {
  CARD_DETAILS: (say) => html`<section id="details" hidden>
<dl>
<div><dt>${say.card_number}</dt><dd id="card_number" dir="ltr"></dd></div>
<div><dt>${say.expiry}</dt><dd id="expiry_date" dir="ltr"></dd></div>
<div><dt>${say.cvv2}</dt><dd id="cvv2" dir="ltr"></dd></div>
</dl>
<p class="time" aria-hidden="true">${say.hides_in} <bdi id="left"></bdi> ${say.seconds}
<progress id="time" max="${SHOWN_SECONDS}"></progress></p>
<div class="pair">
<button type="button" id="copy">${say.copy}</button>
<button type="button" id="hide" class="quiet">${say.hide}</button>
</div>
</section>`,

  SET_PIN: (say, { pin_length }) => html`<form id="form" novalidate>
${pinField(say.pin, 'pin', pin_length, say.pin_hint.replace('{n}', String(pin_length)))}
${pinField(say.pin_again, 'pin_again', pin_length)}
<button type="submit" id="send">${say.set_pin}</button>
</form>`,

  ACTIVATE: (say) => html`<form id="form" novalidate>
<p>${say.activate_hint}</p>
<button type="submit" id="send">${say.activate}</button>
</form>`,
}

function pinField(label: string, id: string, length: number, hint?: string): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}_hint">${hint}</span>`}
<input id="${id}" type="password" inputmode="numeric" autocomplete="off" required dir="ltr"
  maxlength="${length}" aria-describedby="${hint === undefined ? '' : `${id}_hint `}said"></p>`
}

function page(language: Language, title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${words[language].direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="stylesheet" href="assets/widget.css">
</head>
<body>
${content}
</body>
</html>
`
}
