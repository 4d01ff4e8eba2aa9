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
  return String(part).replace(/[&<>"']/g, (char) => escapes[char] ?? '')
}
