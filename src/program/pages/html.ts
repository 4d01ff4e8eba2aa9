/** Common parts of the pages of this server: escaped text and a policy for the browser. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { commonStyle } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import { once } from './once.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

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

const own = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8')
const TEXT_STYLE = commonStyle + own('text.css')
const COPY = '/docs/copy.js'

/** Pages of text, in the order of their links. */
const PAGES: readonly (readonly [path: string, name: string])[] = [
  ['/console', 'Console'],
  ['/docs', 'API documentation'],
  ['/docs/start', 'Getting started'],
  ['/docs/errors', 'Error codes'],
]

/** The mark of the console (apps/console/src/parts/brand.tsx): a coin of two rims. */
const MARK = `<svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
<circle cx="11" cy="11" r="10" fill="var(--accent)"/><g fill="none" stroke="var(--on-accent)">
<circle cx="11" cy="11" r="6.5" stroke-width="1.5"/>
<path d="M9 8v6M9 8h2.2a1.5 1.5 0 0 1 0 3H9h2.6a1.5 1.5 0 0 1 0 3H9" stroke-width="1.3"/>
</g></svg>`

function barOf(here: string): string {
  const links = PAGES.map(([path, name]) => {
    const current = path === here ? ' aria-current="page"' : ''
    return `<a href="${path}"${current}>${name}</a>`
  })
  return `<nav class="bar" aria-label="Pages"><strong>${MARK}Bezant</strong>${links.join('')}</nav>`
}

/** A command or an answer, with a button that copies it. */
export const codeBlock = (text: string): string =>
  `<div class="block"><pre tabindex="0">${escapeHtml(text)}</pre></div>`

/** A page of text; `style` follows the common one. The body is made at its first request. */
export function serveText(
  app: App,
  path: string,
  { title, style = '', body }: { title: string; style?: string; body: () => string },
): void {
  const css = TEXT_STYLE + style
  const policy = policyOf(
    `img-src data:; font-src 'self'; script-src 'self'; style-src ${hashSource(css)}`,
  )
  const head = `<style>${css}</style>\n<script src="${COPY}" defer></script>`
  const page = once(() =>
    htmlPage({ title, head, body: `${barOf(path)}\n<main>\n${body()}\n</main>` }),
  )
  app.get(path, async (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page()),
  )
}

/** The script of the pages of text. */
export function serveCopyScript(app: App): void {
  const script = own('copy.js')
  app.get(COPY, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(script),
  )
}
