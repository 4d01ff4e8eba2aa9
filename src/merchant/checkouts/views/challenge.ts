/** The page of the card's issuer, which asks for the one-time code (3-D Secure, D-744). */

import { Html, html } from '#lib/html.ts'
import type { Challenge } from '../challenge.ts'
import type { Action } from '../rules/challenge.ts'
import { TEXTS, type Texts } from '../texts.ts'
import { icons } from './icons.ts'
import { otherOf, type Place, pageView, queryOf, type Shop } from './layout.ts'
import { amountView } from './money.ts'
import { type Ordered, summaryView } from './summary.ts'

/**
 * The question of the issuer over the page, with the order in sight. The question itself has the
 * look of the issuer: the color and the logo of the shop are beside it, not on it.
 */
export function challengeView(
  place: Place,
  shop: Shop,
  ordered: Ordered,
  challenge: Challenge,
): Html {
  const texts = TEXTS[place.language]
  const { challenge: own, other } = texts
  const { issuer, code } = challenge
  const isTest = issuer.way === undefined
  const safe = issuer.way === 'app' ? own.bank.safe : own.safe
  const bank = isTest ? issuer.bank : own.bank.name
  const content = html`
    <section class="side" aria-label="${texts.summary}"><div class="pane">
      ${isTest && html`<div class="top"><span class="badge">${texts.test.badge}</span></div>`}
      ${summaryView(place, shop, ordered)}
    </div></section>
    <section class="over"><div class="sheet" role="dialog" aria-labelledby="ask_title">
    <div class="issuer">
      <p>${icons.bank}<bdi>${bank}</bdi></p>
    </div>
    <h2 id="ask_title">${own.title}</h2>
    ${sentView(texts, challenge)}
    ${factsView(texts, shop, ordered, challenge)}
    ${codeForm(place, challenge)}
    ${
      isTest &&
      html`<div class="test">
      <p class="code"><span>${own.test.code}</span> <code dir="ltr">${code}</code></p>
      <p>${own.test.text}</p>
    </div>`
    }
    <p class="safe">${icons.lock}<span>${safe}</span></p>
    </div></section>`
  // A link would lose the question.
  const button = html`<button type="submit" form="challenge" class="link" name="action" value="show"
    formaction="?${otherOf(place)}" lang="${other.language}">${other.name}</button>`
  const title = `${own.title} · ${bank}`
  return pageView(place, { title, content, other: button, isWide: true })
}

function sentView({ challenge: own }: Texts, { verdict, issuer }: Challenge): Html {
  if (verdict === 'resent') return html`<p role="status">${own.resent}</p>`
  if (verdict === 'waiting' || verdict === 'unanswered') {
    return html`<p role="alert">${own.bank[verdict]}</p>`
  }
  if (issuer.way !== undefined) return html`<p>${own.bank[issuer.way]}</p>`
  return html`<p>${own.sent} <bdi dir="ltr">${issuer.mobile_ends}</bdi>.</p>`
}

function factsView(texts: Texts, shop: Shop, ordered: Ordered, of: Challenge): Html {
  const { challenge: own } = texts
  const { amount, currency } = ordered
  return html`<dl class="sums">
      <div><dt>${own.shop}</dt><dd><bdi>${shop.display_name}</bdi></dd></div>
      <div><dt>${own.amount}</dt><dd>${amountView(amount, currency)}</dd></div>
      <div><dt>${own.card}</dt><dd>${own.ends} <bdi dir="ltr">${of.last_four}</bdi></dd></div>
    </dl>`
}

/** The button that confirms is the first, so that Enter presses it. */
function codeForm(place: Place, challenge: Challenge): Html {
  const texts = TEXTS[place.language]
  const { resend, cancel, bank, ...own } = texts.challenge
  const { id, sealed, may_resend, seconds_left, issuer } = challenge
  const isByApp = issuer.way === 'app'
  const [confirm, confirming] = isByApp
    ? [bank.go_on, bank.going_on]
    : [own.confirm, own.confirming]
  const button = (action: Action, text: string) =>
    html`<button type="submit" class="quiet" name="action" value="${action}">${text}</button>`
  return html`<form id="challenge" method="post" action="?${queryOf(place)}" novalidate
      data-seconds="${seconds_left}">
      <input type="hidden" name="challenge" value="${id}">
      <input type="hidden" name="sealed" value="${sealed}">
      <input type="hidden" name="framed" value="">
      <input type="hidden" name="ticked" value="">
      ${!isByApp && codeField(texts, challenge)}
      <button type="submit" data-paying="${confirming}">${confirm}</button>
      <div class="others">
        ${may_resend && button('resend', resend)}
        ${button('cancel', cancel)}
      </div>
    </form>`
}

/** The line under the field holds the hint or the fault, as on the card form (D-702). */
function codeField(texts: Texts, { verdict, tries_left }: Challenge): Html {
  const { code, hint, faults } = texts.challenge
  const fault = verdict in faults ? faults[verdict as keyof typeof faults] : undefined
  const tries = verdict === 'wrong' ? ` ${texts.tries[tries_left - 1]}` : ''
  return html`<div class="field">
        <label for="code">${code}</label>
        <input id="code" name="code" type="text" inputmode="numeric" dir="ltr" required autofocus
          autocomplete="one-time-code" maxlength="16" spellcheck="false" class="code"
          aria-describedby="code_${fault ? 'fault' : 'hint'}" data-empty="${faults.empty}"
          data-wrong="${faults.unreadable}" ${fault && new Html('aria-invalid="true"')}>
        <p class="line">
          <span class="hint" id="code_hint" ${fault && new Html('hidden')}>${hint}</span>
          <span class="fault" id="code_fault"${!fault && new Html(' hidden')}>
            ${icons.wrong}<span>${fault}${tries}</span></span>
        </p>
      </div>`
}
