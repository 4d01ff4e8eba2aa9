/** The page that the `type` of a problem points to (D-9): every code, its status, its meaning. */

import type { App } from '#kit/http/app.ts'
import { type DocumentedApi, errorsOf } from '#kit/http/openapi/openapi.ts'
import type { Route } from '#kit/http/route.ts'
import { escapeHtml, serveText } from './html.ts'

export type ErrorEntry = { code: string; status: number; detail: string; operations: string[] }

/** Every code once, with the operations of both APIs that may answer it. */
export function errorEntries(apis: readonly DocumentedApi[]): ErrorEntry[] {
  const entries = apis.flatMap((api) =>
    errorsOf(api).map(({ code, status, detail, routes }) => ({
      ...{ code, status, detail },
      operations: operationsOf(api, routes),
    })),
  )
  return [...Map.groupBy(entries, ({ code }) => code)]
    .map(([code, same]) => ({
      code,
      status: same[0]?.status ?? 0,
      detail: same[0]?.detail ?? '',
      operations: same.flatMap(({ operations }) => operations),
    }))
    .sort((one, other) => one.status - other.status || (one.code < other.code ? -1 : 1))
}

/** For a code of most operations their number stands for their names. */
const NAMED_MAX = 20

function operationsOf({ document, routes }: DocumentedApi, named: readonly Route[]): string[] {
  if (named.length > NAMED_MAX) {
    return [`${document.title}: ${named.length} of ${routes.length} operations`]
  }
  return named.map(({ method, path }) => `${method} ${document.server}${path}`)
}

const STYLE = `
section { padding: var(--space-4) 0; border-block-start: 1px solid var(--line); }
section:target { margin-inline: calc(-1 * var(--space-4)); padding-inline: var(--space-4);
  border-radius: var(--radius); background: var(--accent-soft); }
section h2 { margin: 0 0 var(--space-1); font: 600 1rem var(--font-mono); }
h2 span { color: var(--ink-soft); font-weight: 400; }
section p { margin: 0; }
ul { margin: var(--space-2) 0 0; padding-inline-start: var(--space-4); color: var(--ink-soft);
  font: var(--text-sm)/1.6 var(--font-mono); overflow-wrap: anywhere; }
`

export function serveErrors(app: App, apis: () => readonly DocumentedApi[]): void {
  serveText(app, '/docs/errors', {
    title: 'Error codes',
    style: STYLE,
    body: () => `<h1>Error codes</h1>
<p>Each problem that the API answers carries one of these as its <code>code</code>.</p>
${errorEntries(apis()).map(sectionOf).join('\n')}`,
  })
}

function sectionOf({ code, status, detail, operations }: ErrorEntry): string {
  const items = operations.map((operation) => `<li>${escapeHtml(operation)}</li>`).join('')
  const list = items === '' ? '' : `\n<ul>${items}</ul>`
  return `<section id="${escapeHtml(code)}">
<h2>${escapeHtml(code)} <span>${status}</span></h2>
<p>${escapeHtml(detail)}</p>${list}
</section>`
}
