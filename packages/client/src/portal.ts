/** The portal's API: every operation of its document as a typed function. */

import { type ClientOptions, Transport } from './core/transport.ts'
import { errorClasses } from './generated/errors.ts'
import { api, Groups } from './generated/portal/api.ts'

export type PortalOptions = ClientOptions & {
  /** Value of the session's cookie; a browser sends its own. */
  session?: string | undefined
  /** Key of the operator, for the operations that take it. */
  apiKey?: string | undefined
}

/**
 * The portal by a session. `signIn` sets its cookie, which `onResponse` finds in the header
 * `set-cookie` of the answer.
 */
export class BezantPortal extends Groups {
  constructor(options: PortalOptions) {
    const { session, apiKey, baseUrl } = options
    const { origin } = new URL(baseUrl)
    const credentials: Record<string, string> = {
      // The platform takes what a member sends from its own pages only; a browser says so itself.
      origin,
      ...(apiKey !== undefined && { [api.apiKeyHeader]: apiKey }),
      ...(session !== undefined && { cookie: `${api.sessionCookie}=${session}` }),
    }
    super(new Transport(options, { ...api, errorClasses, credentials: () => credentials }))
  }
}

export * from './core/errors.ts'
export type { RequestOptions } from './core/group.ts'
export { List, type Page } from './core/lists.ts'
export type { ClientOptions } from './core/transport.ts'
export { versionOf } from './core/versions.ts'
export * from './generated/errors.ts'
export type * from './generated/portal/types.ts'
