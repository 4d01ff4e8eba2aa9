/** Common parts of the pages of this server: escaped text and a policy for the browser. */

import { createHash } from 'node:crypto'

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
export const hashSource = (text: string): string =>
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
