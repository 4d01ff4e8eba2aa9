/** The pages of the widgets and the notices in their place, as HTML. */

import { type Html, html, visitorPage } from '#lib/html.ts'
import { type Language, type Texts, texts } from './texts.ts'
import type { Visit } from './widgets.ts'

/** How long number and CVV2 are shown (D-40). */
const SHOWN_SECONDS = 45

/** The page of one widget, with all messages that its script may show. */
export function widgetView(language: Language, visit: Visit): Html {
  const text = texts[language]
  const { widget, origin, last_four, pin_length } = visit
  const messages = JSON.stringify({ ...text.messages, done: text.messages.done[widget] })
  return page(
    language,
    text.titles[widget],
    html`<main data-widget="${widget}" data-origin="${origin}" data-messages="${messages}"
  data-seconds="${SHOWN_SECONDS}" data-length="${pin_length}">
<h1>${text.titles[widget]}</h1>
<p class="card">${text.card} <bdi>${last_four}</bdi></p>
<noscript><p>${text.script}</p></noscript>
${contents[widget](text, visit)}
<p class="message" id="message" role="status" tabindex="-1"></p>
</main>
<script type="module" src="assets/widget.js"></script>`,
  )
}

export function noticeView(language: Language, notice: 'unknown' | 'failed'): Html {
  const { title, detail } = texts[language][notice]
  return page(language, title, html`<main><h1>${title}</h1><p>${detail}</p></main>`)
}

const contents: Readonly<Record<Visit['widget'], (text: Texts, visit: Visit) => Html>> = {
  CARD_DETAILS: (text) => html`<section id="details" hidden>
<dl>
<div><dt>${text.card_number}</dt><dd id="card_number" dir="ltr"></dd></div>
<div><dt>${text.expiry}</dt><dd id="expiry_date" dir="ltr"></dd></div>
<div><dt>${text.cvv2}</dt><dd id="cvv2" dir="ltr"></dd></div>
</dl>
<p class="time" aria-hidden="true">${text.hides_in} <bdi id="left"></bdi> ${text.seconds}
<progress id="time" max="${SHOWN_SECONDS}"></progress></p>
<div class="pair">
<button type="button" id="copy">${text.copy}</button>
<button type="button" id="hide" class="quiet">${text.hide}</button>
</div>
</section>`,

  SET_PIN: (text, { pin_length }) => html`<form id="form" novalidate>
${pinField(text.pin, 'pin', pin_length, text.pin_hint.replace('{n}', String(pin_length)))}
${pinField(text.pin_again, 'pin_again', pin_length)}
<button type="submit" id="send">${text.set_pin}</button>
</form>`,

  ACTIVATE: (text) => html`<form id="form" novalidate>
<p>${text.activate_hint}</p>
<button type="submit" id="send">${text.activate}</button>
</form>`,
}

function pinField(label: string, id: string, length: number, hint?: string): Html {
  return html`<p class="field"><label for="${id}">${label}</label>
${hint !== undefined && html`<span class="hint" id="${id}_hint">${hint}</span>`}
<input id="${id}" type="password" inputmode="numeric" autocomplete="off" required dir="ltr"
  maxlength="${length}" aria-describedby="${hint === undefined ? '' : `${id}_hint `}message"></p>`
}

const page = (language: Language, title: string, content: Html): Html =>
  visitorPage({
    language,
    direction: texts[language].direction,
    title,
    head: html`<link rel="stylesheet" href="assets/widget.css">`,
    body: html`<body>
${content}
</body>`,
  })
