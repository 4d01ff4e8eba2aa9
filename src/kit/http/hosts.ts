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
  app.addHook('onRequest', async (request, reply) => {
    const code = faultOf(request, known)
    if (code === undefined) return
    const detail = code === 'bad_request' ? { detail: INVALID } : {}
    return sendFault(new ApiError(code, detail), request, reply)
  })
}

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

/**
 * Undefined if there are several. It reads the raw headers, since the parsed ones of Node have the
 * first of several.
 */
function hostsOf({ raw, originalUrl }: FastifyRequest): string[] | undefined {
  const { rawHeaders } = raw
  const [headers, authority]: [string[], string[]] = [[], []]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase()
    if (name === 'host') headers.push(rawHeaders[at + 1] ?? '')
    else if (name === ':authority') authority.push(rawHeaders[at + 1] ?? '')
  }
  const [, target] = ABSOLUTE.exec(originalUrl) ?? []
  const differs = authority.length > 0 && headers.some((host) => host !== authority[0])
  if (headers.length > 1 || differs) return undefined
  return [...headers, ...authority, ...(target === undefined ? [] : [target])].filter(
    (host) => host !== '',
  )
}

/** Hosts that were read, by their texts: a client has the same one in each request. */
const plainHosts = new Map<string, string | undefined>()
const KEPT_MAX = 100
const KEPT_LENGTH = 300

/** The host in lower case and ASCII, without port and closing dot; undefined if it is no host. */
function plainHost(text: string): string | undefined {
  if (plainHosts.has(text)) return plainHosts.get(text)
  const [, host] = HOST.exec(text) ?? []
  const plain = host && URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '')
  if (plainHosts.size < KEPT_MAX && text.length <= KEPT_LENGTH) plainHosts.set(text, plain)
  return plain
}

const isAddress = (host: string) => isIP(host.replace(/^\[|\]$/g, '')) > 0
