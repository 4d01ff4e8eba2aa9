/** Finds the API of a path, and the credentials that authenticate there. */

import type { Credentials } from '#client/core/transport.ts'
import { api as issuing } from '#client/generated/issuing/api.ts'
import { api as merchant } from '#client/generated/merchant/api.ts'
import { api as portal } from '#client/generated/portal/api.ts'
import { BezantMerchant } from '#client/merchant.ts'
import { UsageFault } from './faults.ts'
import { readSandbox, type Sandbox } from './platform.ts'
import { addressOf, type Profile } from './profiles.ts'

export type ApiName = 'issuing' | 'merchant' | 'portal'
/** A path with its prefix, and the API that it is of. */
export type Target = { api: ApiName; path: string }

const apis = { issuing, merchant, portal }

export const idempotencyHeaderOf = ({ api }: Target): string => apis[api].idempotencyHeader

/** A path without a prefix is of the issuing API: `/users` and `/v1/users` are the same. */
export function targetOf(path: string): Target {
  for (const api of ['issuing', 'merchant', 'portal'] as const) {
    if (path.startsWith(`${apis[api].prefix}/`)) return { api, path }
  }
  const root = ['/api', '/portal'].find((one) => path === one || path.startsWith(`${one}/`))
  if (root) {
    const { prefix } = root === '/api' ? merchant : portal
    throw new UsageFault(`${path} is of no API: its paths begin with ${prefix}/`)
  }
  return { api: 'issuing', path: `${issuing.prefix}${path}` }
}

/**
 * The headers for a path. A profile has one kind of key; the sandbox that runs here has keys of
 * every kind, and the one that the path takes is used.
 */
export async function credentialsOf(profile: Profile, target: Target): Promise<Credentials> {
  const { url, key, session } = profile
  if (session) return { cookie: `${issuing.sessionCookie}=${key}`, origin: new URL(url).origin }
  const sandbox = sandboxOf(profile)
  if (target.api === 'merchant') return merchantToken(profile, sandbox)
  if (profile.public_key !== undefined) {
    throw new UsageFault(
      `${target.path} is not of the API of merchants: it needs the API key of a tenant (--profile)`,
    )
  }
  // A tenant's key is answered 401 or 403 there.
  const isOperators = target.api === 'portal' || target.path.startsWith('/v1/operator/')
  const apikey = isOperators && sandbox ? sandbox.operator_key : key
  const own = target.api === 'portal' ? { origin: new URL(url).origin } : {}
  return { [issuing.apiKeyHeader]: apikey, ...own }
}

async function merchantToken(profile: Profile, sandbox: Sandbox | undefined): Promise<Credentials> {
  const { url, public_key, key } = profile
  const keys = public_key === undefined ? sandbox?.merchant : { public_key, private_key: key }
  if (!keys) {
    throw new UsageFault(
      'the API of merchants needs the keys of a merchant: ' +
        'bezant profile add NAME URL --merchant PUBLIC_KEY',
    )
  }
  const { public_key: own, private_key } = keys
  const taken = { public_key: own, private_key }
  const shop = new BezantMerchant({ baseUrl: url, keys: taken })
  const { token } = await shop.authentication.createMerchantToken(taken)
  return { authorization: `Bearer ${token}` }
}

/** The sandbox of this machine, where the key in use is its tenant's. */
export function sandboxOf({ url, key }: Profile): Sandbox | undefined {
  const file = readSandbox()
  return file && addressOf(file.base_url) === url && file.tenant.api_key === key ? file : undefined
}
