/** Common parts of the pages of this server, and a policy for the browser. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { commonStyle } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import { escapeHtml } from '#lib/html.ts'
import { once } from './once.ts'

/** The source expression by which a policy allows an inline style or script. */
const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded from elsewhere, and no other site may frame the page. */
export const policyOf = (allowed: string): string =>
  `default-src 'none'; ${allowed}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function htmlPage({ title, head, body }: { title: string; head: string; body: string }) {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`
}

/** The text of a file beside this one. */
export const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')

export const BAR_STYLE: string = own('bar.css')
const TEXT_STYLE = commonStyle + BAR_STYLE + own('text.css')

/** Scripts of the pages, by their paths. */
const SCRIPTS = {
  '/docs/copy.js': 'copy.js',
  '/docs/filter.js': 'filter.js',
  '/docs/session.js': 'session.js',
} as const
export type Script = keyof typeof SCRIPTS

/** Pages of the documentation, in the order of their links. */
const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['/console', 'Console'],
  ['/docs', 'API reference'],
  ['/docs/start', 'Getting started'],
  ['/docs/errors', 'Error codes'],
]

/** The mark of the console (apps/console/src/parts/brand.tsx): a coin of two rims. */
const MARK = `<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<circle cx="11" cy="11" r="10" fill="var(--accent)"/><g fill="none" stroke="var(--on-accent)">
<circle cx="11" cy="11" r="6.5" stroke-width="1.5"/>
<path d="M9 8v6M9 8h2.2a1.5 1.5 0 0 1 0 3H9h2.6a1.5 1.5 0 0 1 0 3H9" stroke-width="1.3"/>
</g></svg>`

/** The bar above a page; session.js writes into it who has signed in. */
export function barOf(here: string): string {
  const links = PAGES.map(([path, name]) => {
    const current = path === here ? ' aria-current="page"' : ''
    return `<a href="${path}"${current}>${name}</a>`
  })
  return `<header class="bar">
<a class="brand" href="/console">${MARK}Bezant</a>
<nav aria-label="Pages">${links.join('')}</nav>
<span class="session"></span>
</header>`
}

export const scriptTag = (path: Script): string => `<script src="${path}" defer></script>`

/** A command or an answer, with a button that copies it. */
export const codeBlock = (label: string, text: string): string => `<div class="block">
<div class="block-head"><span>${label}</span></div>
<pre tabindex="0">${escapeHtml(text)}</pre>
</div>`

type TextPage = {
  title: string
  /** Follows the common style. */
  style?: string
  script: Script
  /** Made at the first request, as is `body`. */
  aside: () => string
  body: () => string
}

/** A page of text, with its places beside it. */
export function serveText(app: App, path: string, page: TextPage): void {
  const { title, style = '', script, aside, body } = page
  const css = TEXT_STYLE + style
  const policy = policyOf(
    "img-src data:; font-src 'self'; script-src 'self'; connect-src 'self'; " +
      `style-src ${hashSource(css)}`,
  )
  const scripts = scriptTag(script) + scriptTag('/docs/session.js')
  const head = `<style>${css}</style>\n${scripts}`
  const text = once(() => {
    const columns = `<aside>${aside()}</aside>\n<main>\n${body()}\n</main>`
    const sheet = `<div class="sheet">\n${columns}\n</div>`
    return htmlPage({ title, head, body: `${barOf(path)}\n${sheet}` })
  })
  app.get(path, async (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(text()),
  )
}

/** The scripts of the pages. */
export function serveScripts(app: App): void {
  for (const [path, name] of Object.entries(SCRIPTS)) {
    const script = own(name)
    app.get(path, async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
    )
  }
}
