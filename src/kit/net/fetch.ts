/**
 * Outgoing HTTP to addresses that clients name (D-65). Where private addresses are forbidden an
 * address is checked three times: as it is written, as the name resolves, and as the socket is
 * connected. The written form alone misses names, the resolved one alone misses literals, which
 * are never looked up.
 */

import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'

const URL_LENGTH = 2000
const CONNECT_TIMEOUT_MS = 5_000
/** From the start of the call to the last byte that is read of the answer (D-62). */
const TOTAL_TIMEOUT_MS = 10_000
const IDLE_CONNECTION_MS = 10_000
const CONNECTIONS_PER_ORIGIN = 64
/** No more is read of an answer. */
export const ANSWER_READ_BYTES: number = 64 * 1024
const ANSWER_HEADER_BYTES = 16 * 1024
/** Other ports of a public host may be services that are not meant to be called. */
const PUBLIC_PORTS = new Set(['', '80', '443', '8080', '8443'])

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
  if (policy.allow_private) return undefined
  if (!PUBLIC_PORTS.has(url.port)) return 'must use port 443, 80, 8443 or 8080'
  return isPublicHost(url.hostname) ? undefined : 'must be a public address'
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

/** True for an address that anyone on the internet can reach: nothing special, mapped or local. */
export function isPublicAddress(address: string): boolean {
  // The library reads the old form ::1.2.3.4 as a mapped address, which is another network.
  if (!ipaddr.isValid(address) || /^::[\d.]+$/.test(address)) return false
  const plain = ipaddr.process(address)
  if (plain.range() !== 'unicast') return false
  // All assigned unicast addresses are in 2000::/3.
  return plain.kind() === 'ipv4' || ((plain.toByteArray()[0] ?? 0) & 0xe0) === 0x20
}

/** The address may not be called. */
export class AddressRejected extends Error {
  override name = 'AddressRejected'
}

/** `body` has at most the first 64 KiB of the answer. */
export type Answered = {
  kind: 'answered'
  status: number
  body: Buffer
  retry_after: string | undefined
}
/** It is not known whether the other side processed it. `error` is a short text for people. */
export type Unanswered = { kind: 'unanswered'; error: string }
/** The program is stopping; the call counts as not made. */
export type Aborted = { kind: 'aborted' }

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
  post: (call: Call) => Promise<Answered | Unanswered | Aborted>
  /** Ends the calls that run. */
  abort: () => void
  close: () => Promise<void>
}

type OutgoingOptions = {
  lookup?: LookupFunction
  timeout_ms?: number
  /** The most connections to one origin; null where the caller has a limit of its own. */
  connections?: number | null
}

/** Connections are reused, separately for guarded and unguarded calls. */
export function createOutgoing(options: OutgoingOptions = {}): Outgoing {
  const { lookup = systemLookup as LookupFunction, connections = CONNECTIONS_PER_ORIGIN } = options
  const guarded = createAgent(guardedConnector(lookup), connections)
  const open = createAgent(connectorOf(lookup), connections)
  const running = new Set<AbortController>()

  return {
    async post({ url, headers, body, allow_private, ...call }) {
      const { timeout_ms = options.timeout_ms ?? TOTAL_TIMEOUT_MS } = call
      const controller = new AbortController()
      running.add(controller)
      const timer = setTimeout(() => controller.abort('timeout'), timeout_ms)
      try {
        const answer = await request(url, {
          method: 'POST',
          headers,
          body,
          dispatcher: allow_private ? open : guarded,
          signal: controller.signal,
        })
        const retry_after = answer.headers['retry-after']
        return {
          kind: 'answered',
          status: answer.statusCode,
          body: await readStart(answer.body),
          retry_after: typeof retry_after === 'string' ? retry_after : undefined,
        }
      } catch (error) {
        if (controller.signal.reason === 'stop') return { kind: 'aborted' }
        return {
          kind: 'unanswered',
          error: controller.signal.aborted ? 'timeout' : errorTextOf(error),
        }
      } finally {
        clearTimeout(timer)
        running.delete(controller)
      }
    },
    abort() {
      for (const controller of running) controller.abort('stop')
    },
    async close() {
      await Promise.all([guarded.destroy(), open.destroy()])
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

function guardedConnector(lookup: LookupFunction): buildConnector.connector {
  const connect = connectorOf(publicLookup(lookup))
  return (options, callback) => {
    const literal = literalOf(options.hostname)
    if (literal !== undefined && !isPublicAddress(literal)) {
      callback(new AddressRejected(), null)
      return
    }
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null)
      if (isPublicAddress(socket?.remoteAddress ?? '')) return callback(null, socket)
      socket?.destroy()
      return callback(new AddressRejected(), null)
    })
  }
}

/** Only the public addresses of a name are tried; a name without one is rejected. */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '', 0)
      const addresses = Array.isArray(found) ? found : []
      const reachable = addresses.filter(({ address }) => isPublicAddress(address))
      const [first] = reachable
      if (!first) return callback(new AddressRejected(), '', 0)
      if (options.all) return callback(null, reachable)
      return callback(null, first.address, first.family)
    })
  }
}

/** The status is known by then, so an answer that breaks off does not undo it. */
async function readStart(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= ANSWER_READ_BYTES) break
    }
  } catch {
    // The bytes before the break are returned.
  }
  return Buffer.concat(chunks).subarray(0, ANSWER_READ_BYTES)
}

const errorTexts: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection reset',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  ENOTFOUND: 'name not found',
  EAI_AGAIN: 'name not found',
  ENODATA: 'name not found',
  EHOSTUNREACH: 'not reachable',
  ENETUNREACH: 'not reachable',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
}

/** The error without details of this side's network. */
function errorTextOf(error: unknown): string {
  if (error instanceof AddressRejected) return 'address refused'
  if (error instanceof AggregateError) return errorTextOf(error.errors[0])
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/^HPE_/.test(code)) return 'not HTTP'
  if (/CERT|TLS|SSL|^EPROTO$/.test(code)) return 'TLS failed'
  return errorTexts[code] ?? 'call failed'
}
