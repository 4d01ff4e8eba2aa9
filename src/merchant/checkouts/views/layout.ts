/** The frame of every page of a payment: its head, its language, and its foot. */

import { type Html, html, visitorPage } from '#lib/html.ts'
import { type Language, TEXTS, type Texts } from '../texts.ts'
import { type Icon, icons } from './icons.ts'

/** `assets` are the addresses of its files. */
export type Place = { language: Language; id: string; base: string; assets: Assets }
export type Assets = Readonly<Record<'style' | 'script', string>>

/** The shop as the customer sees it. `back` leads to it, if it is known. */
export type Shop = {
  display_name: string
  brand_color: string | null
  logo: string | null
  terms_url: string | null
  support_url: string | null
}

export type Page = {
  title: string
  content: Html
  /** Two columns: the order and the form. */
  isWide?: boolean
  head?: Html | undefined
  shop?: Shop | undefined
  /** Leads to the page in the other language, if a link would lose something. */
  other?: Html
}

export function pageView(place: Place, page: Page): Html {
  const { language, base, assets } = place
  const { title, content, head, shop, isWide = false } = page
  const texts = TEXTS[language]
  const { language: lang, name } = texts.other
  const link = html`<a href="?${otherOf(place)}" lang="${lang}">${name}</a>`
  const color = shop?.brand_color
  const full = shop ? `${title} · ${shop.display_name}` : title
  return visitorPage({
    language,
    direction: texts.direction,
    title: full,
    head: html`<link rel="stylesheet" href="${base}${assets.style}">
${color && html`<link rel="stylesheet" href="${base}/checkout/brand/${color.slice(1)}.css">`}
${head}
<script src="${base}${assets.script}" defer></script>`,
    body: html`<body class="${isWide ? 'wide' : 'narrow'}">
<main>${content}
</main>
<footer>${page.other ?? link}${shop && linksView(texts, shop)}</footer>
</body>`,
  })
}

/** The shop's own pages, beside the payment: nothing that was typed is lost. */
function linksView(texts: Texts, { terms_url, support_url }: Shop): Html {
  const to = (url: string | null, text: string) =>
    url !== null && html`<a href="${url}" target="_blank" rel="noopener noreferrer">${text}</a>`
  return html`${to(terms_url, texts.terms)}${to(support_url, texts.support)}`
}

/** Something that the customer should not miss: an icon beside the words, not a color alone. */
export function boxView(icon: Icon, title: string, content: Html): Html {
  return html`<div class="problem ${icon}" role="alert" tabindex="-1" autofocus>
      ${icons[icon]}
      <div><h2>${title}</h2>${content}</div>
    </div>`
}

export function shopView({ display_name, logo }: Shop, heading: 'h1' | 'p'): Html {
  const name = html`<bdi>${display_name}</bdi>`
  return html`<div class="shop">
        ${logo !== null && html`<img class="logo" src="${logo}" alt="" width="40" height="40">`}
        ${heading === 'h1' ? html`<h1>${name}</h1>` : html`<p>${name}</p>`}
      </div>`
}

/** The query of the same page in the other language. */
export const otherOf = (place: Place): string =>
  queryOf({ ...place, language: TEXTS[place.language].other.language })

export const queryOf = ({ id, language }: Pick<Place, 'id' | 'language'>): string =>
  `id=${encodeURIComponent(id)}&lang=${language}`
