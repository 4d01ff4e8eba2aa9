/**
 * Server-sent events: an answer without an end, for clients that rather have `text/event-stream`.
 * Events are fetched as fast as the client reads them; nothing is kept for a slow one.
 */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '#lib/result.ts'
import { closeAfter } from '../versions.ts'
import { prefers } from './accept.ts'

export const EVENT_STREAM = 'text/event-stream'

/** `data` has no line breaks. */
export type SentEvent = { id: string; event: string; data: string }

export type StreamedEvents = {
  /** The next events; none if nothing has come for a while; undefined at the end. */
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
  /** Shorter in tests only. */
  check_ms?: number
  stalled_ms?: number
}

/** A fault before the first byte is an error answer; a later one ends the answer. */
export async function sendEventStream(
  reply: FastifyReply,
  { open, check, check_ms = CHECK_MS, stalled_ms = STALLED_MS }: EventStream,
): Promise<FastifyReply> {
  const { raw } = reply
  closeAfter(reply)
  const closed = new AbortController()
  raw.once('close', () => closed.abort())
  const events = await open(closed.signal)
  reply.hijack()
  try {
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': `${EVENT_STREAM}; charset=utf-8`,
      'cache-control': 'no-store',
      // Proxies pass each event on at once.
      'x-accel-buffering': 'no',
    })
    const write = createWriter(raw, closed.signal, stalled_ms)
    await write(`retry: ${RECONNECT_MS}\n\n`)
    await sendAll(events, { write, check, check_ms })
    raw.end()
  } catch {
    raw.destroy()
  } finally {
    events.end()
  }
  return reply
}

type Sending = Required<Pick<EventStream, 'check' | 'check_ms'>> & {
  write: (text: string) => Promise<void>
}

async function sendAll(events: StreamedEvents, { write, check, check_ms }: Sending): Promise<void> {
  let checked = performance.now()
  for (let some = await events.next(); some; some = await events.next()) {
    if (performance.now() - checked >= check_ms) {
      if (!(await isAllowed(check))) return
      checked = performance.now()
    }
    await write(some.length === 0 ? ':\n\n' : some.map(textOf).join(''))
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

/** Writes and waits for room. Throws if the client is gone, or reads nothing for too long. */
function createWriter(raw: ServerResponse, gone: AbortSignal, stalled_ms: number) {
  return async (text: string): Promise<void> => {
    gone.throwIfAborted()
    if (raw.write(text)) return
    await once(raw, 'drain', { signal: AbortSignal.any([gone, AbortSignal.timeout(stalled_ms)]) })
  }
}
