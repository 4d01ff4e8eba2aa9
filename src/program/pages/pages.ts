/** The pages of the server beside the APIs: their documentation, and the console. */

import type { App } from '#kit/http/app.ts'
import { type DocumentedApi, openapiOf } from '#kit/http/openapi/openapi.ts'
import { serveCollection } from './collection/served.ts'
import { serveConsole } from './console.ts'
import { serveDocs } from './docs.ts'
import { serveErrors } from './errors.ts'
import { serveGettingStarted } from './getting_started.ts'
import { serveScripts } from './html.ts'
import { once } from './once.ts'

/** `contracts` are composed, and `public_url` is asked for, at the first request of a page. */
export function servePages(
  app: App,
  contracts: () => DocumentedApi[],
  public_url: () => string,
): void {
  const apis = once(contracts)
  serveConsole(app)
  serveDocs(app, apis)
  serveCollection(app, () => apis().map(openapiOf), public_url)
  serveScripts(app)
  serveErrors(app, apis)
  serveGettingStarted(app)
}
