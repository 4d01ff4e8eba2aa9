/** The sealed members of a subscription: password, header values and signing secrets (D-63). */

import type { Context } from '#kit/context.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import type { Config, Credentials } from './rules/config.ts'
import type { ConfigInput } from './schema.ts'
import type { WebhookRow } from './store.ts'

type Sealed = Pick<WebhookRow, 'id' | 'sealed_config'>

export const noCredentials: Credentials = { basic_auth_password: null, custom_headers: [] }

export function sealCredentials(ctx: Context, id: string, credentials: Credentials): Buffer {
  const { basic_auth_password, custom_headers } = credentials
  const text = JSON.stringify({ basic_auth_password, custom_headers })
  return ctx.keys.seal('secrets', Buffer.from(text), bindOfConfig({ tenant_id: ctx.tenant_id, id }))
}

export function openCredentials(ctx: Context, { id, sealed_config }: Sealed): Credentials {
  const clear = ctx.keys.open(
    'secrets',
    sealed_config,
    bindOfConfig({ tenant_id: ctx.tenant_id, id }),
  )
  // The bytes are those of sealCredentials: the seal has been checked.
  return JSON.parse(clear.toString()) as Credentials
}

export function sealSecret(ctx: Context, id: string, secret: string): Buffer {
  return ctx.keys.seal(
    'secrets',
    Buffer.from(secret),
    bindOfSecret({ tenant_id: ctx.tenant_id, id }),
  )
}

export function openSecret(ctx: Context, id: string, sealed: Buffer): string {
  return ctx.keys.open('secrets', sealed, bindOfSecret({ tenant_id: ctx.tenant_id, id })).toString()
}

type Bound = { tenant_id: string; id: string }
const bindOfConfig = ({ tenant_id, id }: Bound) => `webhook:${tenant_id}:${id}:config`
const bindOfSecret = ({ tenant_id, id }: Bound) => `webhook:${tenant_id}:${id}:secret`

const sealedHere = {
  purpose: 'secrets',
  table: 'webhooks',
  by: { tenant_id: 'uuid', id: 'uuid' },
} as const

/** Everything of subscriptions that is sealed, for the rotation of keys. */
export const sealedInWebhooks: readonly SealedColumn[] = [
  { ...sealedHere, column: 'sealed_config', bind: bindOfConfig },
  { ...sealedHere, column: 'sealed_secret', bind: bindOfSecret },
  { ...sealedHere, column: 'sealed_previous_secret', bind: bindOfSecret },
]

/** Sent members replace, null clears, absent members stay (D-3). */
export function mergeConfig(before: Config, input: ConfigInput = {}): Config {
  const { basic_auth_username, basic_auth_password, custom_headers } = input
  return {
    basic_auth_username:
      basic_auth_username === undefined ? before.basic_auth_username : basic_auth_username,
    basic_auth_password:
      basic_auth_password === undefined ? before.basic_auth_password : basic_auth_password,
    custom_headers: custom_headers === undefined ? before.custom_headers : (custom_headers ?? []),
  }
}
