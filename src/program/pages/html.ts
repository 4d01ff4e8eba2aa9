/** Common parts of the pages of this server: escaped text and a policy for the browser. */

import { createHash } from 'node:crypto'
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

const TEXT_STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8af; } }
`

/** A page of text; `style` follows the common one. The body is made at its first request. */
export function serveText(
  app: App,
  path: string,
  { title, style, body }: { title: string; style: string; body: () => string },
): void {
  const css = TEXT_STYLE + style
  const policy = policyOf(`img-src data:; style-src ${hashSource(css)}`)
  const page = once(() => htmlPage({ title, head: `<style>${css}</style>`, body: body() }))
  app.get(path, async (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page()),
  )
}
