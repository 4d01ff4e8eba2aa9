/** The events of a tenant, one after another, over any number of connections. */

import { setTimeout as pause } from 'node:timers/promises'
import { unreachable } from '../unreachable.ts'
import { ListenFault } from './options.ts'
import { get, type Platform } from './platform.ts'
import { readEventStream, type StreamedEvent } from './sse.ts'

const RETRY_MS = 1_000
/** A stream sends something every 5 s; without anything for so long it is given up. */
const SILENCE_MS = 20_000
const POLL_SECONDS = 30
const START = 'start the server (npm start), or give another --url'

export type Source = Platform & {
  /** The id of an event, or `latest`. */
  after: string
  /** Called when the connection is lost, and when it is there again. */
  onConnection: (state: 'lost' | 'connected') => void
}

/**
 * Yields events until the signal, and connects again behind the last one. Throws a ListenFault for
 * an answer that another attempt would not change.
 */
export async function* listenTo(source: Source): AsyncGenerator<StreamedEvent> {
  const { signal, onConnection } = source
  const cursor = { after: source.after }
  let isKnown = false
  const seen: Source = {
    ...source,
    onConnection(state) {
      isKnown = true
      onConnection(state)
    },
  }
  while (!signal.aborted) {
    let fault: unknown
    try {
      for await (const event of connection(seen, cursor)) {
        cursor.after = event.id
        yield event
      }
    } catch (error) {
      if (error instanceof ListenFault) throw error
      fault = error
    }
    if (signal.aborted) return
    if (!isKnown) throw new ListenFault(unreachable(source.url, fault, START))
    onConnection('lost')
    await pause(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

type Cursor = { after: string }

/** A stream, or pages where the platform, or something before it, does not stream. */
async function* connection(source: Source, cursor: Cursor): AsyncGenerator<StreamedEvent> {
  if (cursor.after === 'latest') cursor.after = (await readPage(source, cursor, 0)).after ?? ''
  const silent = new AbortController()
  const alive = setTimeout(() => silent.abort(), SILENCE_MS)
  try {
    const signal = AbortSignal.any([source.signal, silent.signal])
    const answer = await ask(source, cursor, { accept: 'text/event-stream', signal })
    source.onConnection('connected')
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream && answer.body) {
      for await (const event of readEventStream(answer.body)) {
        alive.refresh()
        if (event) yield event
      }
      return
    }
    await answer.body?.cancel()
  } finally {
    clearTimeout(alive)
  }
  yield* pages(source, cursor)
}

async function* pages(source: Source, cursor: Cursor): AsyncGenerator<StreamedEvent> {
  while (!source.signal.aborted) {
    const { data } = await readPage(source, cursor, POLL_SECONDS)
    for (const body of data) yield { ...body, data: JSON.stringify(body) }
  }
}

type Page = { data: { id: string; event: string }[]; after?: string }

async function readPage(source: Source, cursor: Cursor, wait: number): Promise<Page> {
  const answer = await ask(source, cursor, { accept: 'application/json', wait })
  // The shape is the platform's own.
  return (await answer.json()) as Page
}

type How = { accept: string; signal?: AbortSignal; wait?: number }

function ask(source: Source, { after }: Cursor, { wait, ...how }: How): Promise<Response> {
  const query = new URLSearchParams({
    ...(after !== '' && { after }),
    ...(wait !== undefined && { wait: String(wait) }),
  })
  return get(source, `events?${query}`, how)
}
