/**
 * Outgoing HTTP to addresses that clients name (D-65). Only public addresses are called, and those
 * of this machine if a sandbox permits it (D-1004). An address is checked three times: as it is
 * written, as the name resolves, and as the socket is connected. The written form alone misses
 * names, the resolved one alone misses literals, which are never looked up.
 */

import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector } from 'undici'
import { traceHeaders } from '#kit/tracing/tracing.ts'
import { AddressRejected, Exchange, errorTextOf, type Outcome } from './exchange.ts'

const URL_LENGTH = 2000
const CONNECT_TIMEOUT_MS = 5_000
/** The time from the start of the call to the last byte that is read of the answer (D-62). */
const TOTAL_TIMEOUT_MS = 10_000
const IDLE_CONNECTION_MS = 10_000
const CONNECTIONS_PER_ORIGIN = 64
const ANSWER_HEADER_BYTES = 16 * 1024
/** Other ports of a public host may be services that are not meant to be called. */
const PUBLIC_PORTS = new Set(['', '80', '443', '8080', '8443'])

/** `allow_private` permits loopback addresses of this machine, and no others (D-1004). */
export type EndpointPolicy = { https_only: boolean; allow_private: boolean }

/**
 * The fault of an address that a client registers, or undefined. Checks the address as it is
 * written, with every spelling of a number in dotted form, as the URL parser returns it.
 */
export function faultOfEndpoint(text: string, policy: EndpointPolicy): string | undefined {
  // The parser silently drops tabs and line ends, so that two texts would be one address.
  if (text.length > URL_LENGTH || !/^[\x21-\x7e]+$/.test(text)) {
    return `must be up to ${URL_LENGTH} printable ASCII characters`
  }
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.hostname === '') return 'must be an absolute URL'
  if (url.protocol !== 'https:' && (policy.https_only || url.protocol !== 'http:')) {
    return policy.https_only ? 'must start with https://' : 'must start with https:// or http://'
  }
  if (url.username !== '' || url.password !== '' || text.includes('#')) {
    return 'must hold neither credentials nor a fragment'
  }
  if (policy.allow_private) {
    const isRight = isOwnHost(url.hostname) || isPublicHost(url.hostname)
    return isRight ? undefined : 'must be a public address or a loopback address of this machine'
  }
  if (!PUBLIC_PORTS.has(url.port)) return 'must use port 443, 80, 8443 or 8080'
  return isPublicHost(url.hostname) ? undefined : 'must be a public address'
}

/** A name below localhost is one of this machine by its definition (RFC 6761). */
function isOwnHost(hostname: string): boolean {
  const literal = literalOf(hostname)
  return literal === undefined ? /(^|\.)localhost\.?$/.test(hostname) : isLoopbackAddress(literal)
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa)\.?$/

function isPublicHost(hostname: string): boolean {
  const literal = literalOf(hostname)
  if (literal !== undefined) return isPublicAddress(literal)
  // A name of one label is resolved by the search list of this machine.
  return hostname.replace(/\.$/, '').includes('.') && !LOCAL_NAME.test(hostname)
}

function literalOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(bare) ? bare : undefined
}

/** An address in the public range that a cloud answers with data about its machines (D-1004). */
const CLOUD_ADDRESSES = new Set(['168.63.129.16'])

/** The library reads the old form ::1.2.3.4 as a mapped address, which is another network. */
const isRead = (address: string) => ipaddr.isValid(address) && !/^::[\d.]+\.\d+$/.test(address)

function isLoopbackAddress(address: string): boolean {
  return isRead(address) && ipaddr.process(address).range() === 'loopback'
}

const isPublicOrLoopback = (address: string) =>
  isPublicAddress(address) || isLoopbackAddress(address)

/** True for an address that anyone on the internet can reach: nothing special, mapped or local. */
export function isPublicAddress(address: string): boolean {
  if (!isRead(address)) return false
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast' || CLOUD_ADDRESSES.has(plain.toString())) return false
  // All assigned unicast addresses are in 2000::/3.
  return plain.kind() === 'ipv4' || ((plain.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

export type Call = {
  url: string
  headers: Record<string, string>
  body: string
  allow_private: boolean
  /** Milliseconds that this call may take; without it, those of all calls. */
  timeout_ms?: number
}

export type Outgoing = {
  /** Never throws. Follows no redirect and uses no proxy. */
  post: (call: Call) => Promise<Outcome>
  /** Ends the calls that run. */
  abort: () => void
  close: () => Promise<void>
}

type OutgoingOptions = {
  lookup?: LookupFunction
  timeout_ms?: number
  /** The most connections to one origin; null if the caller has a limit of its own. */
  connections?: number | null
}

/** Connections are reused, separately for calls that may reach this machine. */
export function createOutgoing(options: OutgoingOptions = {}): Outgoing {
  const { lookup = systemLookup as LookupFunction, connections = CONNECTIONS_PER_ORIGIN } = options
  const strict = createAgent(guardedConnector(lookup, isPublicAddress), connections)
  const open = createAgent(guardedConnector(lookup, isPublicOrLoopback), connections)
  const running = new Set<Exchange>()

  return {
    async post({ url, headers, body, allow_private, ...call }) {
      const { timeout_ms = options.timeout_ms ?? TOTAL_TIMEOUT_MS } = call
      const exchange = new Exchange()
      running.add(exchange)
      const end = () => exchange.end({ kind: 'unanswered', error: 'timeout' })
      const timer = setTimeout(end, timeout_ms)
      try {
        const { origin, pathname, search } = new URL(url)
        const traced = { ...headers, ...traceHeaders() }
        const path = pathname + search
        const request = { origin, path, method: 'POST', headers: traced, body } as const
        const agent = allow_private ? open : strict
        agent.dispatch(request, exchange)
      } catch (error) {
        exchange.end({ kind: 'unanswered', error: errorTextOf(error) })
      }
      const outcome = await exchange.outcome
      clearTimeout(timer)
      running.delete(exchange)
      return outcome
    },
    abort() {
      for (const exchange of running) exchange.end({ kind: 'aborted' })
    },
    async close() {
      await Promise.all([strict.destroy(), open.destroy()])
    },
  }
}

function createAgent(connect: buildConnector.connector, connections: number | null): Agent {
  return new Agent({
    connect,
    connections,
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: ANSWER_HEADER_BYTES,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
  })
}

function connectorOf(lookup: LookupFunction): buildConnector.connector {
  // The type of the options lacks `lookup`, which is passed on to net.connect.
  const options = { lookup, timeout: CONNECT_TIMEOUT_MS, allowH2: false }
  return buildConnector(options as buildConnector.BuildOptions)
}

type Reachable = (address: string) => boolean

function guardedConnector(lookup: LookupFunction, isReachable: Reachable) {
  const connect = connectorOf(publicLookup(lookup, isReachable))
  const guarded: buildConnector.connector = (options, callback) => {
    const literal = literalOf(options.hostname)
    if (literal !== undefined && !isReachable(literal)) {
      callback(new AddressRejected(), null)
      return
    }
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (isReachable(socket?.remoteAddress ?? '')) return callback(null, socket)
      socket?.destroy()
      return callback(new AddressRejected(), null)
    })
  }
  return guarded
}

/** Only the reachable addresses of a name are tried; a name without one is rejected. */
export function publicLookup(
  lookup: LookupFunction,
  isReachable: Reachable = isPublicAddress,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = Array.isArray(found) ? found : []
      const reachable = addresses.filter(({ address }) => isReachable(address))
      const [first] = reachable
      if (!first) return callback(new AddressRejected(), '', 0)
      if (options.all) return callback(null, reachable)
      return callback(null, first.address, first.family)
    })
  }
}
