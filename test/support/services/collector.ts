/** A collector of OpenTelemetry on loopback: the spans that are posted to it, in both forms. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

export type CollectedSpan = {
  trace_id: string
  span_id: string
  parent_id: string
  name: string
  /** The whole of it as text, to search. */
  text: string
}

export type Collector = {
  url: string
  spans: CollectedSpan[]
  headers: NodeJS.Dict<string | string[]>[]
  close: () => Promise<void>
}

export async function openCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const headers: Collector['headers'] = []
  const server = createServer(async (request, response) => {
    headers.push(request.headers)
    const isJson = request.headers['content-type'] === 'application/json'
    const found = isJson ? ofJson(await json(request)) : ofProtobuf(await bytesOf(request))
    spans.push(...found)
    response.writeHead(200, { 'content-type': request.headers['content-type'] }).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    headers,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

async function bytesOf(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

type JsonSpan = { traceId: string; spanId: string; parentSpanId?: string; name: string }
type JsonExport = { resourceSpans: { scopeSpans: { spans: JsonSpan[] }[] }[] }

function ofJson(body: unknown): CollectedSpan[] {
  const { resourceSpans } = body as JsonExport
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      trace_id: span.traceId,
      span_id: span.spanId,
      parent_id: span.parentSpanId ?? '',
      name: span.name,
      text: JSON.stringify(span),
    }))
}

/** The numbers of the fields in opentelemetry/proto/trace/v1/trace.proto. */
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2
const [TRACE_ID, SPAN_ID, PARENT_ID, NAME] = [1, 2, 4, 5]

const ofProtobuf = (body: Buffer): CollectedSpan[] =>
  membersOf(body, RESOURCE_SPANS)
    .flatMap((resource) => membersOf(resource, SCOPE_SPANS))
    .flatMap((scope) => membersOf(scope, SPANS))
    .map((span) => {
      const hex = (field: number) => membersOf(span, field)[0]?.toString('hex') ?? ''
      return {
        trace_id: hex(TRACE_ID),
        span_id: hex(SPAN_ID),
        parent_id: hex(PARENT_ID),
        name: membersOf(span, NAME)[0]?.toString() ?? '',
        text: span.toString('latin1'),
      }
    })

const VARINT = 0
const FIXED_64 = 1
const BYTES = 2

/** The members of one number that are bytes. */
function membersOf(message: Buffer, wanted: number): Buffer[] {
  const found: Buffer[] = []
  let at = 0
  const varint = (): number => {
    let [value, factor] = [0, 1]
    for (;;) {
      const byte = message.readUInt8(at++)
      value += (byte & 0x7f) * factor
      factor *= 128
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = varint()
    const [field, type] = [Math.floor(tag / 8), tag % 8]
    if (type === VARINT) varint()
    else if (type === BYTES) {
      const length = varint()
      if (field === wanted) found.push(message.subarray(at, at + length))
      at += length
    } else at += type === FIXED_64 ? 8 : 4
  }
  return found
}
