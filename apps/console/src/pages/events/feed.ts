/** The feed of events: first the past ones, then each new one. */

import { useCallback, useEffect, useRef, useState } from 'react'
import { actingHeader } from '../../api/acting.ts'
import { addCall, endCall } from '../../api/calls.ts'
import { answered, issuing } from '../../api/client.ts'
import { doubtSession } from '../../api/session_calls.ts'
import { useLapse } from '../../api/standing.ts'
import type { Event, ListPage } from '../../api/types.ts'
import { KINDS } from '../../parts/issuing/event_kinds.ts'

const PAGE = 100
/** Pages read at first; a longer past is a matter for the API. */
const MOST_PAGES = 5
/** The pause between two requests if there is no stream. */
const POLL_MS = 3_000
const MOST_EVENTS = PAGE * MOST_PAGES

type Past = { events: Event[]; after: string; isWhole: boolean }

/** The oldest events of the tenant, or none if they are too many to show. */
async function readPast(): Promise<Past> {
  const events: Event[] = []
  let after: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = { limit: PAGE, ...(after !== undefined && { after }) }
    const asked = answered(issuing.events.list(query))
    // The operation answers a stream only to those who accept one.
    const answer = (await asked) as ListPage<Event>
    events.push(...answer.data)
    after = answer.after ?? after
    if (!answer.has_more) return { events, after: after ?? 'latest', isWhole: true }
  }
  return { events: [], after: 'latest', isWhole: false }
}

export type Feed = {
  /** Newest first; undefined until the first have arrived. */
  events: readonly Event[] | undefined
  /** Whether it begins with the first event of the tenant. */
  isWhole: boolean
  isLive: boolean
  error: unknown
  pause: () => void
  resume: () => void
}

/** Reads the past once, then follows the stream of server-sent events until it is paused. */
export function useFeed(): Feed {
  const [events, setEvents] = useState<readonly Event[]>()
  const [isWhole, setWhole] = useState(true)
  const [isLive, setLive] = useState(true)
  const [error, setError] = useState<unknown>(null)
  const hasLapsed = useLapse() !== undefined
  const last = useRef<string>(undefined)
  const add = useCallback((event: Event) => {
    last.current = event.id
    setEvents((known = []) => [event, ...known].slice(0, MOST_EVENTS))
  }, [])
  useEffect(() => {
    if (!isLive || hasLapsed) return
    let stop = () => {}
    let isOver = false
    const begin = async () => {
      if (last.current === undefined) {
        const past = await readPast()
        // A pause since then has another beginning, which reads the past itself.
        if (isOver) return
        setWhole(past.isWhole)
        setEvents(past.events.toReversed())
        last.current = past.after
      }
      if (!isOver) stop = listen(last.current, add)
    }
    const end = (fault: unknown) => {
      if (!isOver) setError(fault)
    }
    begin().then(() => end(null), end)
    return () => {
      isOver = true
      stop()
    }
  }, [isLive, hasLapsed, add])
  const pause = useCallback(() => setLive(false), [])
  const resume = useCallback(() => setLive(true), [])
  return { events, isWhole, isLive, error, pause, resume }
}

/** Follows the stream; the browser opens it again where it breaks, after the last id it has. */
function listen(after: string, add: (event: Event) => void): () => void {
  if (actingHeader('/v1/events')) return poll(after, add)
  const path = `/v1/events?after=${encodeURIComponent(after)}`
  const call = addCall({ method: 'GET', path, body: '' })
  const begun = performance.now()
  const source = new EventSource(path)
  const take = ({ data }: MessageEvent<string>) => add(JSON.parse(data))
  for (const kind of [...KINDS, 'PING']) source.addEventListener(kind, take)
  source.addEventListener('open', () => endCall(call, 200, Math.round(performance.now() - begun)))
  // It is opened again with whichever session the browser then has.
  source.addEventListener('error', doubtSession)
  return () => source.close()
}

/** A browser sends no header with a stream, so a member of the operator's team asks again. */
function poll(from: string, add: (event: Event) => void): () => void {
  let last = from
  let isOver = false
  let timer: number | undefined
  const ask = async () => {
    const query = { limit: PAGE, after: last }
    const asked = answered(issuing.events.list(query))
    // The answer is a page, as above.
    const answer = (await asked) as ListPage<Event>
    if (isOver) return
    last = answer.after ?? last
    for (const event of answer.data) add(event)
  }
  // One request at a time: two would bring the same events. After a failed one, the next asks for
  // the same events.
  const wait = () => {
    timer = window.setTimeout(
      () =>
        void ask()
          .catch(() => undefined)
          .finally(goOn),
      POLL_MS,
    )
  }
  const goOn = () => {
    if (!isOver) wait()
  }
  wait()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}
