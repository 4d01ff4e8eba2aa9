/** The page that the `type` of a problem points to (D-9): every code, its status, its meaning. */

import { STATUS_CODES } from 'node:http'
import type { App } from '#kit/http/app.ts'
import { type DocumentedApi, errorsOf } from '#kit/http/openapi/openapi.ts'
import type { Route } from '#kit/http/route.ts'
import { escapeHtml } from '#lib/html.ts'
import { own, serveText } from './html.ts'
import { once } from './once.ts'

export type ErrorEntry = { code: string; status: number; detail: string; operations: string[] }

/** Every code once, with the operations of both APIs that may answer it. */
function errorEntries(apis: readonly DocumentedApi[]): ErrorEntry[] {
  const entries = apis.flatMap((api) =>
    errorsOf(api).map(({ code, status, detail, routes }) => ({
      code,
      status,
      detail,
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

/** A code of more operations shows their number in place of their names. */
const NAMED_MAX = 20

function operationsOf({ document, routes }: DocumentedApi, named: readonly Route[]): string[] {
  if (named.length > NAMED_MAX) {
    return [`${document.title}: ${named.length} of ${routes.length} operations`]
  }
  return named.map(({ method, path }) => `${method} ${document.server}${path}`)
}

const STYLE = own('errors.css')

export function serveErrors(app: App, apis: () => readonly DocumentedApi[]): void {
  const groups = once(() => [...Map.groupBy(errorEntries(apis()), ({ status }) => status)])
  serveText(app, '/docs/errors', {
    title: 'Error codes',
    style: STYLE,
    script: '/docs/filter.js',
    aside: () => `<nav aria-label="Statuses"><h2>Statuses</h2>
<ol>${groups().map(statusLink).join('')}</ol></nav>`,
    body: () => `<h1>Error codes</h1>
<p>Each problem that the API answers carries one of these as its <code>code</code>. Its
<code>type</code> is the address of the code on this page.</p>
<div class="find"><label for="filter">Find a code</label>
<input type="search" id="filter" autocomplete="off" spellcheck="false"
  placeholder="insufficient_funds, 409, POST /v1/cards">
<p id="found" role="status"></p></div>
${groups().map(groupOf).join('\n')}`,
  })
}

type Group = readonly [status: number, entries: readonly ErrorEntry[]]

const statusLink = ([status]: Group): string =>
  `<li><a href="#status-${status}"><span>${status}</span>${STATUS_CODES[status] ?? ''}</a></li>`

const groupOf = ([status, entries]: Group): string =>
  `<section id="status-${status}" data-status="${status}">
<h2>${status} <span>${STATUS_CODES[status] ?? ''}</span></h2>
${entries.map(articleOf).join('\n')}
</section>`

function articleOf({ code, detail, operations }: ErrorEntry): string {
  const name = escapeHtml(code)
  return `<article id="${name}">
<h3><a href="#${name}">${name}</a></h3>
<p>${withCode(detail)}</p>${listOf(operations)}
</article>`
}

/** The text between backticks is code. */
const withCode = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

/** Every operation of an API may answer some of them: then a sentence stands for their names. */
function listOf(operations: readonly string[]): string {
  const count = operations.length
  if (count === 0) return ''
  const items = operations.map((operation) => {
    const [, method, path] = /^([A-Z]+) (\/.*)$/.exec(operation) ?? []
    const text = method ? `<b>${method}</b> ${escapeHtml(path ?? '')}` : escapeHtml(operation)
    return `<li>${text}</li>`
  })
  const summary = count === 1 ? 'One operation answers it' : `Answered by ${count} operations`
  return `\n<details><summary>${summary}</summary>\n<ul>${items.join('')}</ul></details>`
}
