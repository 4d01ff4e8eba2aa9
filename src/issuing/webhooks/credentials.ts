/** What a subscription keeps sealed: password, header values and signing secrets (D-63). */

import type { Context } from '#kit/context.ts'
import type { Config, Credentials } from './rules/config.ts'
import type { GivenConfig } from './schema.ts'
import type { WebhookRow } from './store.ts'

type Sealed = Pick<WebhookRow, 'id' | 'sealed_config'>

export const noCredentials: Credentials = { basic_auth_password: null, custom_headers: [] }

export function sealCredentials(ctx: Context, id: string, credentials: Credentials): Buffer {
  const { basic_auth_password, custom_headers } = credentials
  const text = JSON.stringify({ basic_auth_password, custom_headers })
  return ctx.keys.seal('secrets', Buffer.from(text), bindOf(ctx, id, 'config'))
}

export function openCredentials(ctx: Context, { id, sealed_config }: Sealed): Credentials {
  const clear = ctx.keys.open('secrets', sealed_config, bindOf(ctx, id, 'config'))
  // The bytes are those of sealCredentials: the seal has been checked.
  return JSON.parse(clear.toString()) as Credentials
}

export function sealSecret(ctx: Context, id: string, secret: string): Buffer {
  return ctx.keys.seal('secrets', Buffer.from(secret), bindOf(ctx, id, 'secret'))
}

export function openSecret(ctx: Context, id: string, sealed: Buffer): string {
  return ctx.keys.open('secrets', sealed, bindOf(ctx, id, 'secret')).toString()
}

const bindOf = ({ tenant_id }: Context, id: string, member: string) =>
  `webhook:${tenant_id}:${id}:${member}`

/** What is sent replaces, null clears, what is not sent stays (D-3). */
export function mergeConfig(before: Config, given: GivenConfig = {}): Config {
  const { basic_auth_username, basic_auth_password, custom_headers } = given
  return {
    basic_auth_username:
      basic_auth_username === undefined ? before.basic_auth_username : basic_auth_username,
    basic_auth_password:
      basic_auth_password === undefined ? before.basic_auth_password : basic_auth_password,
    custom_headers: custom_headers === undefined ? before.custom_headers : (custom_headers ?? []),
  }
}
