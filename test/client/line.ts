/**
 * Lines between the library and the platform that fail as a test wishes. The test says how by HTTP,
 * because the suite runs in runtimes whose own servers fail in their own ways:
 *
 *     POST /lines         { answers } → { id }
 *     GET  /lines/ID      → what has arrived
 *     any  /lines/ID/…    the next answer; the last one again where no other is left
 */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { LineAnswer, LineRequest, Reply } from './given.ts'

type Line = { answers: LineAnswer[]; received: LineRequest[] }

/** A connection serves one request: runtimes send it again by themselves where an idle one ends. */
const CLOSE = { connection: 'close' }
const HALF = '{"id":'

export async function openLines(platform: string) {
  const lines: Line[] = []

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const [, id, rest = ''] = /^\/lines\/(\d+)(\/.*)?$/.exec(url) ?? []
    const body = await text(request)
    if (id === undefined) {
      lines.push({ answers: JSON.parse(body).answers, received: [] })
      return reply(response, { status: 200, body: JSON.stringify({ id: lines.length - 1 }) })
    }
    const { answers, received } = lines[Number(id)] ?? { answers: [], received: [] }
    if (rest === '') return reply(response, { status: 200, body: JSON.stringify(received) })
    // No header of these tests is sent twice.
    const sent = { method, url: rest, headers: headers as LineRequest['headers'], body }
    received.push(sent)
    const [next = 'cut'] = answers.length > 1 ? answers.splice(0, 1) : answers
    if (next === 'cut') response.destroy()
    else if (next === 'half') half(response, HALF)
    else if (next === 'passed') reply(response, await passed(platform, sent))
    else if (next === 'half passed') half(response, (await passed(platform, sent)).body ?? '')
    else if (next !== 'silent') reply(response, next)
  }

  const server = createServer((request, response) => {
    take(request, response).catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/lines`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function reply(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, { ...headers, ...CLOSE }).end(body)
}

/** A part of what its head announces. */
function half(response: ServerResponse, body: string): void {
  response.writeHead(200, { ...CLOSE, 'content-length': body.length + 100 })
  response.write(body.slice(0, Math.ceil(body.length / 2)), () => response.destroy())
}

async function passed(platform: string, request: LineRequest): Promise<Reply> {
  const { method, url, headers, body } = request
  const kept = Object.entries(headers).filter(([name]) =>
    /^(apikey|accept|content-type)$|-key$/.test(name),
  )
  const answer = await fetch(platform + url, {
    method,
    headers: kept.map(([name, value]) => [name, value ?? '']),
    ...(body !== '' && { body }),
  })
  const type = answer.headers.get('content-type') ?? 'text/plain'
  return { status: answer.status, headers: { 'content-type': type }, body: await answer.text() }
}
