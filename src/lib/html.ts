/** HTML templates: every value is escaped, unless it is HTML. */

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Part = string | number | Html | readonly Part[] | null | undefined | false

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const text = strings.map((string, at) => string + written(parts[at])).join('')
  return new Html(text)
}

function written(part: Part): string {
  if (part === null || part === undefined || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(written).join('')
  return escapeHtml(String(part))
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => escapes[character] ?? '')

/** `head` follows what every page has there; `body` is the element. */
type Document = { language: string; direction: string; title: string; head: Html; body: Html }

/** A page for one visitor: search engines leave it out. */
export const visitorPage = ({ language, direction, title, head, body }: Document): Html =>
  html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
${body}
</html>
`
