/** Shapes of hosts, addresses and URLs in variables. */

import { serversOf } from '#kit/db/connections/hosts.ts'
import { isEveryAddress, isNetwork } from '#kit/net/networks.ts'

export type Address = Readonly<{ host: string; port: number }>

const ADDRESS = /^(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d{1,5})$/i

/** `host:port` or `[IPv6]:port`; undefined for any other text and for port 0. */
export function addressOf(text: string): Address | undefined {
  const [, v6, name, digits] = ADDRESS.exec(text) ?? []
  const host = v6 ?? name
  const port = Number(digits)
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : undefined
}

/** An http or https URL without user, query or fragment. */
export function isPlainUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || url.username || url.password || url.search || url.hash) return false
  return url.protocol === 'http:' || url.protocol === 'https:'
}

/** A plain URL to which a key may be sent: by https, or on this machine. */
export const isGuardedUrl = (text: string): boolean => {
  const { protocol, hostname } = URL.parse(text) ?? { protocol: '', hostname: '' }
  return isPlainUrl(text) && (protocol === 'https:' || isLoopback(hostname))
}

/** A plain URL whose path is the name of a bucket. */
export const isBucketUrl = (text: string): boolean =>
  isPlainUrl(text) && /^\/[a-z0-9][a-z0-9.-]+\/?$/.test(new URL(text).pathname)

/**
 * The addresses that pg accepts, also `postgresql://user@/database?host=/socket/folder`; or several
 * hosts with commas between. Only one of libpq's values of target_session_attrs is accepted.
 */
export const isDatabaseUrl = (text: string): boolean => {
  const { urls } = serversOf(text)
  return (
    /^postgres(ql)?:\/\//.test(text) &&
    urls.every((url) => isUrlOfServer(url) && (urls.length === 1 || hasHost(url))) &&
    !/[?&]target_session_attrs=(?!read-write(&|$))/.test(text)
  )
}

const isUrlOfServer = (url: string): boolean =>
  URL.canParse(url.replace(/^([^/]+\/\/[^/]*@)\//, '$1no-host.invalid/'))

const hasHost = (url: string): boolean => Boolean(URL.parse(url)?.hostname)

/** An address or a block of at least one bit: a block of none would trust every address. */
export const isProxy = (entry: string): boolean =>
  isNetwork(entry) && !entry.includes('/0') && !isEveryAddress(entry)

/** A name that a client may send as Host; an address needs no setting. */
export const isHostName = (name: string): boolean =>
  name.length <= 253 && /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_-]+)*$/i.test(name)

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(host)
}

/** A listener on every address is reached by the local one. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

export const withoutSlashes = (url: string): string => url.replace(/(?<!\/)\/+$/, '')
