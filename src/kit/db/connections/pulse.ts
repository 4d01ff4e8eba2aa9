/**
 * Whether the database still answers. A server that is stopped or cut off ends no statement, and
 * the time of a statement does not show it. So one connection sends an empty query periodically; a
 * beat without an answer means that no other statement gets one. The same connection listens to the
 * notifications of other processes.
 */

import { Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { metrics } from '#kit/metrics.ts'

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

/** `server` is its name in the metrics. */
type Watched = pg.ClientConfig & { server: string }

/** `onSilence` is called once each time the server falls silent. */
export function createPulse({ server, ...connection }: Watched, onSilence: () => void): Pulse {
  const sockets = createSockets()
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let heard: { channel: string; onPayload: (payload: string) => void } | undefined
  let isListening = false
  let silent = false
  const note = noting(server)
  let loop: Promise<void> | undefined

  async function beat(): Promise<'answers' | 'silent' | 'fails'> {
    try {
      if (!client) {
        // The connection must not keep the process alive.
        const stream = () => sockets.open().unref()
        isListening = false
        client = new pg.Client({ ...connection, stream, application_name: 'bezant pulse' })
        client.on('error', () => {})
        client.on('notification', ({ payload = '' }) => heard?.onPayload(payload))
        await answerOf(client.connect())
      }
      const channel = isListening ? undefined : heard?.channel
      await answerOf(client.query(channel === undefined ? 'select' : `listen ${channel}`))
      if (channel !== undefined) isListening = true
      return 'answers'
    } catch (error) {
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

export type Sockets = {
  /** For the option `stream` of pg. */
  open: () => Socket
  /** Destroys every open connection without a farewell message. */
  cut: () => void
}

export function createSockets(): Sockets {
  const sockets = new Set<Socket>()
  return {
    open() {
      const socket = new Socket()
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
      return socket
    },
    cut() {
      for (const socket of sockets) socket.destroy(new Error('the database does not answer'))
    },
  }
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
