/** What the server shows beside the two APIs: health, metrics, documentation, and a plain 404. */

import type { App } from '#kit/http.ts'
import { type Fault, faultOf, kitRefusals, problemOf } from '#kit/problems.ts'
import { Refusal } from '#lib/ruling.ts'
import { type Book, serveDocs } from './pages/docs.ts'
import { type ErrorSource, serveErrors } from './pages/errors.ts'
import { type HealthParts, serveHealth } from './pages/health.ts'

type Parts = HealthParts & {
  /** Where the pages that errors point to are. */
  publicUrl: () => string
  /** None where this process serves no API. */
  books: readonly Book[]
  houses: readonly ErrorSource[]
}

export function servePages(app: App, parts: Parts): void {
  const problem = (fault: Fault, request_id: string) => ({
    status: fault.status,
    body: JSON.stringify(problemOf(fault, parts.publicUrl(), request_id)),
  })
  const statusOf = (code: string) => (kitRefusals as Record<string, number>)[code]

  app.setNotFoundHandler((request, reply) => {
    const { status, body } = problem(faultOf(new Refusal('not_found'), statusOf), request.id)
    return reply.code(status).type('application/problem+json; charset=utf-8').send(body)
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, body } = problem(faultOf(error, statusOf), request.id)
    return reply.code(status).type('application/problem+json; charset=utf-8').send(body)
  })
  serveHealth(app, parts)
  if (parts.books.length > 0) {
    serveDocs(app, parts.books)
    serveErrors(app, parts.houses)
  }
}
