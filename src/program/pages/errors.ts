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
section { border-top: 1px solid #8884; padding: .5rem 0; }
section:target { background: #fd06; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 0; }
h2 span { font-weight: 400; opacity: .7; }
p { margin: .25rem 0; }
ul { margin: .25rem 0; padding-left: 1.2rem; font: .85rem ui-monospace, monospace; }
`

export function serveErrors(app: App, apis: () => readonly DocumentedApi[]): void {
  serveText(app, '/docs/errors', {
    title: 'Error codes',
    style: STYLE,
    body: () => `<h1>Error codes</h1>
<p>Each problem that the API answers carries one of these as its <code>code</code>.
<a href="/docs">Back to the documentation</a></p>
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
