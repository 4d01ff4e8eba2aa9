/** The pages of the server beside the APIs: their documentation, and the console. */

import type { App } from '#kit/http/app.ts'
import type { DocumentedApi } from '#kit/http/openapi/openapi.ts'
import { serveConsole } from './console.ts'
import { serveDocs } from './docs.ts'
import { serveErrors } from './errors.ts'
import { serveGettingStarted } from './getting_started.ts'
import { serveScripts } from './html.ts'
import { once } from './once.ts'

/** `contracts` are composed at the first request of a page. */
export function servePages(app: App, contracts: () => DocumentedApi[]): void {
  const apis = once(contracts)
  serveConsole(app)
  serveDocs(app, apis)
  serveScripts(app)
  serveErrors(app, apis)
  serveGettingStarted(app)
}
