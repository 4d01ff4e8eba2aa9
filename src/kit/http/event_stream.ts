/**
 * Server-sent events: an answer without an end, for clients that rather have `text/event-stream`.
 * Events are fetched as fast as the client reads them; nothing is kept for a slow one.
 */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { prefers } from '#lib/accept.ts'
import { ApiError } from '#lib/result.ts'

export const EVENT_STREAM = 'text/event-stream'

/** `data` has no line breaks. */
export type SentEvent = { id: string; event: string; data: string }

export type StreamedEvents = {
  /** The next events; none where nothing has come for a while; undefined at the end. */
  next: () => Promise<readonly SentEvent[] | undefined>
  /** Called once, however the stream ends. */
  end: () => void
}

/** A client that reads nothing for so long is cut. */
const STALLED_MS = 30_000
/** How often the caller is looked up again: a revoked key ends its streams. */
export const CHECK_MS = 5_000
/** After this a client that has lost its connection connects again. */
const RECONNECT_MS = 1_000

/** Sets `vary` on either answer, because it depends on `accept`. */
export function wantsEventStream({ headers }: FastifyRequest, reply: FastifyReply): boolean {
  reply.header('vary', 'accept')
  return prefers(headers.accept, EVENT_STREAM, 'application/json')
}

export type EventStream = {
  open: (signal: AbortSignal) => Promise<StreamedEvents>
  /** Throws an ApiError once the caller may not read the events any more. */
  check: () => Promise<void>
}

/** A fault before the first byte is an error answer; a later one ends the answer. */
export async function sendEventStream(
  reply: FastifyReply,
  { open, check }: EventStream,
): Promise<FastifyReply> {
  const { raw } = reply
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  const events = await open(closed.signal)
  reply.hijack()
  try {
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': `${EVENT_STREAM}; charset=utf-8`,
      'cache-control': 'no-store',
      connection: 'close',
      // Proxies pass each event on at once.
      'x-accel-buffering': 'no',
    })
    await write(raw, `retry: ${RECONNECT_MS}\n\n`, closed.signal)
    await sendAll(raw, { events, check, signal: closed.signal })
    raw.end()
  } catch {
    raw.destroy()
  } finally {
    events.end()
  }
  return reply
}

type Sending = { events: StreamedEvents; check: EventStream['check']; signal: AbortSignal }

async function sendAll(raw: ServerResponse, { events, check, signal }: Sending): Promise<void> {
  let checked = performance.now()
  for (let some = await events.next(); some && !signal.aborted; some = await events.next()) {
    if (performance.now() - checked >= CHECK_MS - 1) {
      if (!(await isAllowed(check))) return
      checked = performance.now()
    }
    await write(raw, some.length === 0 ? ':\n\n' : some.map(textOf).join(''), signal)
  }
}

const textOf = ({ id, event, data }: SentEvent) => `id: ${id}\nevent: ${event}\ndata: ${data}\n\n`

/** While the database is unavailable, the stream goes on: it sends nothing then. */
async function isAllowed(check: EventStream['check']): Promise<boolean> {
  try {
    await check()
    return true
  } catch (error) {
    return !(error instanceof ApiError)
  }
}

/** Waits until the client has read so much that there is room. Throws where it reads nothing. */
async function write(raw: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  if (raw.write(text)) return
  await once(raw, 'drain', { signal: AbortSignal.any([signal, AbortSignal.timeout(STALLED_MS)]) })
}
