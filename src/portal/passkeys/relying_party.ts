/**
 * The identity of this deployment for an authenticator: the host of its public URL (WebAuthn,
 * 5.1.2).
 */

import { isIP } from 'node:net'

export type RelyingParty = Readonly<{ id: string; name: string; origin: string }>

const LOOPBACK = /^(127\.\d+\.\d+\.\d+|\[::1\])$/

/**
 * Undefined if the public URL has an address for a host, which WebAuthn excludes. A loopback
 * address is reached as `localhost` too, which is then the relying party.
 */
export function relyingPartyOf(public_url: string, name: string): RelyingParty | undefined {
  const url = new URL(public_url)
  if (LOOPBACK.test(url.hostname)) url.hostname = 'localhost'
  const { hostname: id, origin } = url
  const isAddress = id.startsWith('[') || isIP(id) !== 0
  return isAddress ? undefined : { id, name, origin }
}
