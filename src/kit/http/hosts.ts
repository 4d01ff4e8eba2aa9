/**
 * The names by which clients reach the program (D-1004). A page of another site may have its own
 * name resolve to this machine, and is then of one origin with it; the name in Host stays its own.
 */

import { isIP } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import type { FaultSender } from './answers/error_answers.ts'

type Known = ReadonlySet<string | undefined> | undefined
/** Pages have handlers of errors of their own, which know no name of a host. */
type Parts = { names: readonly string[] | undefined; sendFault: FaultSender }

const NAMES_HOST = /^(?:host|:authority)$/i
/** A name or an address, and a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[^\s/\\?#@:[\]]+)(?::\d{0,5})?$/i
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Sends `bad_request` for a request with several hosts, or with one that is none. If `names` are
 * given, sends `host_unknown` for another name. An address passes, and a request of HTTP/1.0
 * without a host, because a browser sends neither for a name.
 */
export function checkHosts(app: FastifyInstance, { names, sendFault }: Parts): void {
  const known = names && new Set([...names, 'localhost'].map((name) => plainHost(name)))
  const passed = new Set<string>()
  app.addHook('onRequest', (request, reply, done) => {
    const host = onlyHost(request)
    if (host !== undefined && passed.has(host)) return done()
    const code = faultOf(request, known)
    if (code !== undefined) {
      const detail = code === 'bad_request' ? { detail: INVALID } : {}
      sendFault(new ApiError(code, detail), request, reply)
      return
    }
    const isKept = host !== undefined && host.length <= HOST_LENGTH && passed.size < PASSED_MAX
    if (isKept) passed.add(host)
    done()
  })
}

/** Hosts that passed are not parsed again, as far as there is room for them. */
const PASSED_MAX = 100
const HOST_LENGTH = 300

const INVALID = 'The request must have one header Host, with a name or an address.'

function faultOf(
  request: FastifyRequest,
  known: Known,
): 'bad_request' | 'host_unknown' | undefined {
  const hosts = hostsOf(request)?.map((host) => plainHost(host))
  if (hosts === undefined || hosts.includes(undefined)) return 'bad_request'
  const isOther = (host: string | undefined) => !known?.has(host) && !isAddress(host ?? '')
  return known && hosts.some(isOther) ? 'host_unknown' : undefined
}

/** The host of a request that names it once, in its header; undefined for any other request. */
function onlyHost({ raw: { rawHeaders }, originalUrl }: FastifyRequest): string | undefined {
  if (!originalUrl.startsWith('/')) return undefined
  let found: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name === undefined || !NAMES_HOST.test(name)) continue
    if (found !== undefined || name.startsWith(':')) return undefined
    found = rawHeaders[at + 1]
  }
  return found
}

/**
 * Undefined if there are several. It reads the raw headers, since the parsed ones of Node have the
 * first of several.
 */
function hostsOf({ raw, originalUrl }: FastifyRequest): string[] | undefined {
  const named = raw.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), raw.rawHeaders[at + 1] ?? ''] as const] : [],
  )
  const headers = named.flatMap(([name, value]) => (name === 'host' ? [value] : []))
  const authority = named.flatMap(([name, value]) => (name === ':authority' ? [value] : []))
  const [, target] = ABSOLUTE.exec(originalUrl) ?? []
  const differs = authority.length > 0 && headers.some((host) => host !== authority[0])
  if (headers.length > 1 || differs) return undefined
  return [...headers, ...authority, ...(target === undefined ? [] : [target])].filter(
    (host) => host !== '',
  )
}

/** The host in lower case and ASCII, without port and closing dot; undefined if it is no host. */
function plainHost(text: string): string | undefined {
  const [, host] = HOST.exec(text) ?? []
  return host && URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
}

const isAddress = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) > 0
