/**
 * A proxy before a platform: it passes requests on, and rejects or loses those that a test names.
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** `lose`: the platform does it, and its answer does not arrive. */
export type Fate = 'pass' | 'refuse' | 'lose' | 'later'
export type Seen = { method: string; path: string; key: string | undefined; body: string }

export type Proxy = {
  url: string
  /** Requests that change something, in their order. */
  written: Seen[]
  decide: (fate: (seen: Seen) => Fate) => void
  /** Answers each GET as it was answered last, as to one that has read it a moment before. */
  freeze: () => void
  /** Ends every connection. */
  breakAll: () => void
  close: () => Promise<void>
}

export async function openProxy(target: string): Promise<Proxy> {
  let fateOf: (seen: Seen) => Fate = () => 'pass'
  const written: Seen[] = []
  const read = new Map<string, Written>()
  let isFrozen = false
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const key = request.headers['x-bezant-idempotency-key']
    const body = await textOf(request)
    const seen = { method, path, key: key === undefined ? undefined : String(key), body }
    if (method !== 'GET') written.push(seen)
    const fate = fateOf(seen)
    if (fate === 'refuse' || fate === 'later') {
      const problem = { code: 'unavailable', detail: `refused: ${body}`, request_id: 'r-1' }
      response.writeHead(fate === 'later' ? 503 : 500, { 'retry-after': '1' })
      response.end(JSON.stringify(problem))
      return
    }
    const known = isFrozen && method === 'GET' ? read.get(path) : undefined
    if (known) return write(response, known)
    const ended = new AbortController()
    response.once('close', () => ended.abort())
    const answer = await fetch(`${target}${path}`, {
      method,
      headers: headersOf(request),
      signal: ended.signal,
      ...(body !== '' && { body }),
    }).catch(() => undefined)
    // The connection is broken already.
    if (!answer) return
    if (fate === 'lose') {
      response.destroy()
      return
    }
    const replayed = answer.headers.get('idempotent-replayed')
    const headers = {
      'content-type': 'application/json',
      date: answer.headers.get('date') ?? '',
      ...(replayed !== null && { 'idempotent-replayed': replayed }),
    }
    const found = { status: answer.status, headers, text: await answer.text() }
    if (method === 'GET') read.set(path, found)
    write(response, found)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    // It listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    written,
    decide: (fate) => {
      fateOf = fate
    },
    freeze: () => {
      isFrozen = true
    },
    breakAll: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

type Written = { status: number; headers: Record<string, string>; text: string }

function write(response: ServerResponse, { status, headers, text }: Written): void {
  response.writeHead(status, headers).end(text)
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const names = ['apikey', 'accept', 'content-type', 'x-bezant-idempotency-key']
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
}
