/** The issuing API: every operation of its document as a typed function. */

import { type ClientOptions, Transport } from './core/transport.ts'
import { EventFeed } from './feed.ts'
import { errorClasses } from './generated/errors.ts'
import { api, Groups } from './generated/issuing/api.ts'

export type BezantOptions = ClientOptions & {
  /** API key of a tenant or of the operator. */
  apiKey?: string | undefined
  /** The same key, as a bearer token. */
  token?: string | undefined
}

/**
 * The issuing API by one key. One client serves a whole program; it holds no connection of its own.
 *
 *     const bezant = new Bezant({ baseUrl: 'http://localhost:8080', apiKey: '…' })
 *     const user = await bezant.users.create({ first_name: 'Layla', last_name: 'Haddad' })
 */
export class Bezant extends Groups {
  override readonly events: EventFeed

  constructor(options: BezantOptions) {
    const { apiKey, token } = options
    if (!apiKey && !token) throw new TypeError('apiKey is missing')
    const credentials: Record<string, string> = token
      ? { authorization: `Bearer ${token}` }
      : { [api.apiKeyHeader]: apiKey ?? '' }
    const around = { ...api, errorClasses, credentials: () => credentials }
    const transport = new Transport(options, around)
    super(transport)
    this.events = new EventFeed(transport)
  }
}

export * from './core/errors.ts'
export type { RequestOptions } from './core/group.ts'
export { List, type Page } from './core/lists.ts'
export type { ClientOptions } from './core/transport.ts'
export { versionOf } from './core/versions.ts'
export type { EventFeed, FollowOptions, FollowQuery } from './feed.ts'
export * from './generated/errors.ts'
export * from './generated/issuing/switches.ts'
export type * from './generated/issuing/types.ts'
export * as responder from './responder.ts'
export * as webhooks from './webhooks.ts'
