/**
 * Whether the database still answers. A server that is stopped or cut off ends no statement, and
 * the time of a statement does not show it. So one connection sends an empty query periodically; a
 * beat without an answer means that no other statement gets one. Of several servers it finds the
 * one that takes writes, and goes on to the next where one falls silent, ends the connection or
 * takes none. The same connection listens to the notifications of other processes.
 */

import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { metrics } from '#kit/metrics.ts'
import type { Hosts } from './hosts.ts'
import { createSockets, type Sockets } from './sockets.ts'

/** Together at most 2 s from the server's last byte to the verdict. */
const BEAT_MS = 400
const ANSWER_MS = 1_500
/** The pause between two attempts to reach an unavailable server. */
const RETRY_MS = 200
/** A timer this late gives the server another chance. */
const LATE_MS = 250

/** Calls `onPayload` for each notification on a channel of PostgreSQL, a plain name. */
export type Listen = (channel: string, onPayload: (payload: string) => void) => void

export type Pulse = {
  /** Begins with the first call; later ones do nothing. */
  start: () => void
  isSilent: () => boolean
  /** Once; also after the server was away. What is sent meanwhile is lost. */
  listen: Listen
  stop: () => Promise<void>
}

type Heard = {
  /** The name of the server in the metrics. */
  server: string
  /** Called once each time the server falls silent. */
  onSilence: () => void
  /** Called at each beat that the server at this address answers. */
  onAnswer: (url: string) => void
}

export function createPulse(hosts: Hosts, { server, onSilence, onAnswer }: Heard): Pulse {
  const sockets = createSockets()
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let url = hosts.url
  let heard: { channel: string; onPayload: (payload: string) => void } | undefined
  let [isListening, silent] = [false, false]
  const note = noting(server)
  let loop: Promise<void> | undefined

  async function beat(): Promise<'answers' | 'silent' | 'fails'> {
    try {
      if (!client) {
        url = hosts.url
        isListening = false
        client = clientTo(url, sockets)
        client.on('notification', ({ payload = '' }) => heard?.onPayload(payload))
        await answerOf(client.connect())
      }
      await answerOf(hosts.prove(client))
      const channel = isListening ? undefined : heard?.channel
      await answerOf(client.query(channel === undefined ? 'select' : `listen ${channel}`))
      if (channel !== undefined) isListening = true
      onAnswer(url)
      return 'answers'
    } catch (error) {
      hosts.leave(url)
      client = undefined
      sockets.cut()
      return error instanceof Silence ? 'silent' : 'fails'
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const verdict = await beat()
      if (!stopping.signal.aborted) note(verdict === 'answers')
      const fell = verdict === 'silent' && !silent
      silent = verdict === 'silent'
      if (fell && !stopping.signal.aborted) onSilence()
      const until = { signal: stopping.signal, ref: false }
      await pause(verdict === 'answers' ? BEAT_MS : RETRY_MS, undefined, until).catch(() => {})
    }
    sockets.cut()
  }

  return {
    start() {
      loop ??= run()
    },
    isSilent: () => silent,
    listen(channel, onPayload) {
      heard = { channel, onPayload }
    },
    async stop() {
      stopping.abort()
      sockets.cut()
      await loop
    },
  }
}

/** Sets the metrics. An outage is counted once, when it begins. */
function noting(server: string): (answers: boolean) => void {
  metrics.databaseOutages.inc({ server }, 0)
  let answered = false
  return (answers) => {
    if (answered && !answers) metrics.databaseOutages.inc({ server })
    answered = answers
    metrics.databaseUp.set({ server }, answers ? 1 : 0)
  }
}

function clientTo(url: string, sockets: Sockets): pg.Client {
  // The connection must not keep the process alive.
  const stream = () => sockets.open(url).unref()
  const settings = { connectionString: url, application_name: 'bezant pulse' }
  const client = new pg.Client({ ...settings, stream })
  client.on('error', () => {})
  return client
}

class Silence extends Error {
  override name = 'Silence'
}

/**
 * A timer that ends much too late means that this process was stopped, not the server; and an
 * answer may be unread where the process was busy, so the event loop gets a turn to read it.
 */
async function answerOf(request: Promise<unknown>): Promise<void> {
  const answered = request.then(() => true)
  answered.catch(() => {})
  for (;;) {
    const begun = performance.now()
    const timeout = new AbortController()
    const late = pause(ANSWER_MS, false, { signal: timeout.signal, ref: false })
    late.catch(() => {})
    const isAnswered = await Promise.race([answered, late]).finally(() => timeout.abort())
    const wasHere = performance.now() - begun < ANSWER_MS + LATE_MS
    if (isAnswered || (await Promise.race([answered, turns()]))) return
    if (wasHere) throw new Silence()
  }
}

/** Two turns of the event loop: what has arrived by then is read. */
async function turns(): Promise<false> {
  await turn()
  await turn()
  return false
}
