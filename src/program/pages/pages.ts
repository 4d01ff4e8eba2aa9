/** The pages of the server beside the two APIs: its health and their documentation. */

import type { App } from '#kit/http/app.ts'
import type { DocumentedApi } from '#kit/http/openapi/openapi.ts'
import { serveDocs } from './docs.ts'
import { serveErrors } from './errors.ts'
import { serveGettingStarted } from './getting_started.ts'
import { type HealthParts, serveHealth } from './health.ts'
import { once } from './once.ts'

type Parts = HealthParts & {
  /** Composed at the first request of a page; undefined where this process serves no API. */
  contracts: (() => DocumentedApi[]) | undefined
}

export function servePages(app: App, { contracts, ...health }: Parts): void {
  serveHealth(app, health)
  if (!contracts) return
  const apis = once(contracts)
  serveDocs(app, apis)
  serveErrors(app, apis)
  serveGettingStarted(app)
}
