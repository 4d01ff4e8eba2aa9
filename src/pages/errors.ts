/** The page that the `type` of a problem points to (D-9): every code, its status, its meaning. */

import type { App } from '#kit/http.ts'
import { detailOf, kitRefusals } from '#kit/problems.ts'
import type { Route } from '#kit/route.ts'
import { escapeHtml, hashSource, htmlPage, policyOf } from './html.ts'

/** A house as this page sees it. */
export type ErrorSource = {
  prefix: string
  routes: readonly Route[]
  refusals: Readonly<Record<string, number>>
}

/** Codes of failures that no slice refuses with: they arise before or below the slices. */
const otherCodes: Readonly<Record<string, number>> = {
  bad_request: 400,
  body_invalid: 400,
  internal: 500,
}
const meanings: Readonly<Record<string, string>> = {
  bad_request: 'The request is not HTTP that this server accepts.',
  body_invalid: 'The body is not JSON as this server accepts it; the detail says why.',
  internal: 'The server failed. The request id names the case in its log.',
}

export type ErrorEntry = { code: string; status: number; meaning: string; operations: string[] }

/** Every code with the operations that name it; those of any operation name none. */
export function errorEntries(sources: readonly ErrorSource[]): ErrorEntry[] {
  const refusals = sources.map((source) => source.refusals)
  const statuses: Record<string, number> = Object.assign({}, otherCodes, kitRefusals, ...refusals)
  return Object.entries(statuses)
    .map(([code, status]) => ({
      code,
      status,
      meaning: meanings[code] ?? detailOf(code),
      operations: sources.flatMap(({ prefix, routes }) =>
        routes
          .filter((route) => route.refusals?.includes(code))
          .map(({ method, path }) => `${method} ${prefix}${path}`),
      ),
    }))
    .sort((one, other) => one.status - other.status || one.code.localeCompare(other.code))
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
section { border-top: 1px solid #8884; padding: .5rem 0; }
section:target { background: #fd06; }
h2 { font: 600 1rem ui-monospace, monospace; margin: 0; }
h2 span { font-weight: 400; opacity: .7; }
p { margin: .25rem 0; }
ul { margin: .25rem 0; padding-left: 1.2rem; font: .85rem ui-monospace, monospace; }
@media (prefers-color-scheme: dark) { body { background: #111; color: #ddd; } a { color: #8af; } }
`

export function serveErrors(app: App, sources: readonly ErrorSource[]): void {
  const page = htmlPage({
    title: 'Error codes',
    head: `<style>${STYLE}</style>`,
    body: `<h1>Error codes</h1>
<p>Each problem that the API answers carries one of these as its <code>code</code>.
<a href="/docs">Back to the documentation</a></p>
${errorEntries(sources).map(sectionOf).join('\n')}`,
  })
  const policy = policyOf(`img-src data:; style-src ${hashSource(STYLE)}`)
  app.get('/docs/errors', async (_request, reply) =>
    reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page),
  )
}

function sectionOf({ code, status, meaning, operations }: ErrorEntry): string {
  const items = operations.map((operation) => `<li>${escapeHtml(operation)}</li>`).join('')
  const list = items === '' ? '' : `\n<ul>${items}</ul>`
  return `<section id="${escapeHtml(code)}">
<h2>${escapeHtml(code)} <span>${status}</span></h2>
<p>${escapeHtml(meaning)}</p>${list}
</section>`
}
