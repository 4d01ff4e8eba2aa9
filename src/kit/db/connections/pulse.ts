/**
 * Whether the database still answers. A server that is stopped or cut off ends no statement, and
 * the time of a statement does not show it. So one connection sends an empty query periodically,
 * seldom while no other is in use (rest.ts); a beat without an answer means that no other gets one.
 * Among several servers it finds the one that takes writes, and goes on to the next if one falls
 * silent, ends the connection or takes none. The same connection listens to the notifications of
 * other processes.
 */

import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import { metrics } from '#kit/metrics.ts'
import type { Hosts } from './hosts.ts'
import { PollPause } from './poll_pause.ts'
import { createSockets, type Sockets } from './sockets.ts'

/** With BEAT_MS at most 2 s pass from the last byte of a server in use to the verdict. */
const ANSWER_MS = 1_500
/** The pause between two attempts to reach an unavailable server. */
const RETRY_MS = 200
/** The first failure may be that of an open connection, which is made anew. */
const FAILURES = 2
/** A timer this late gives the server another chance. */
const LATE_MS = 250

/** Calls `onPayload` for each notification on a channel of PostgreSQL, a plain name. */
export type Listen = (channel: string, onPayload: (payload: string) => void) => void

export type Pulse = {
  /** A connection goes on loan: the first time the pulse begins. */
  use: () => void
  /** It is back. */
  leave: () => void
  /** Begins without a connection on loan. */
  begin: () => void
  isSilent: () => boolean
  /** Whether it is silent, or takes no connection. */
  isAway: () => boolean
  /** Once; also after the server was away. Notifications that are sent meanwhile are lost. */
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
  /** Called when it ceases to answer, and when it does again. */
  onTurn: (answers: boolean) => void
}

type Verdict = 'answers' | 'silent' | 'fails'

export function createPulse(hosts: Hosts, { server, onSilence, onAnswer, onTurn }: Heard): Pulse {
  const sockets = createSockets()
  const rest = new PollPause()
  let client: pg.Client | undefined
  let heard: { channel: string; onPayload: (payload: string) => void } | undefined
  let [url, isListening] = [hosts.url, false]
  const away = createAbsence({ server, onSilence, onTurn })
  let loop: Promise<void> | undefined

  async function beat(): Promise<Verdict> {
    try {
      if (!client) {
        ;[url, isListening] = [hosts.url, false]
        client = clientTo(url, sockets, (payload) => heard?.onPayload(payload))
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
    while (!rest.isStopped) {
      const verdict = await beat()
      if (rest.isStopped) break
      away.note(verdict)
      await (verdict === 'answers' ? rest.take() : rest.pause(RETRY_MS))
    }
    sockets.cut()
  }

  return {
    begin() {
      loop ??= run()
    },
    use() {
      rest.use()
      this.begin()
    },
    leave: () => rest.leave(),
    isSilent: away.isSilent,
    isAway: away.is,
    listen(channel, onPayload) {
      heard = { channel, onPayload }
    },
    async stop() {
      rest.stop()
      sockets.cut()
      await loop
    },
  }
}

/**
 * Whether a server is away: it is silent, or has failed so often. Sets the metrics, in which an
 * outage is counted once, when it begins.
 */
function createAbsence({ server, onSilence, onTurn }: Omit<Heard, 'onAnswer'>) {
  metrics.databaseOutages.inc({ server }, 0)
  let [answered, silent, away, failed] = [false, false, false, 0]
  return {
    is: () => away,
    isSilent: () => silent,
    note(verdict: Verdict) {
      const [answers, wasAway] = [verdict === 'answers', away]
      if (answered && !answers) metrics.databaseOutages.inc({ server })
      answered = answers
      metrics.databaseUp.set({ server }, answers ? 1 : 0)
      if (verdict === 'silent' && !silent) onSilence()
      silent = verdict === 'silent'
      failed = verdict === 'fails' ? failed + 1 : 0
      away = silent || failed >= FAILURES
      if (away !== wasAway) onTurn(!away)
    },
  }
}

function clientTo(url: string, sockets: Sockets, onPayload: (payload: string) => void): pg.Client {
  // The connection must not keep the process alive.
  const stream = () => sockets.open(url).unref()
  const settings = { connectionString: url, application_name: 'bezant pulse' }
  const client = new pg.Client({ ...settings, stream })
  client.on('error', () => {})
  client.on('notification', ({ payload = '' }) => onPayload(payload))
  return client
}

class Silence extends Error {
  override name = 'Silence'
}

/**
 * A timer that ends much too late means that this process was stopped, not the server; and an
 * answer may be unread if the process was busy, so the event loop gets a turn to read it.
 */
async function answerOf(request: Promise<unknown>): Promise<void> {
  const answered = request.then(() => true)
  answered.catch(() => {})
  for (;;) {
    const begun = performance.now()
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(late.resolve, ANSWER_MS, false).unref()
    const isAnswered = await Promise.race([answered, late.promise]).finally(() =>
      clearTimeout(timer),
    )
    const wasHere = performance.now() - begun < ANSWER_MS + LATE_MS
    if (isAnswered || (await Promise.race([answered, turns()]))) return
    if (wasHere) throw new Silence()
  }
}

/** Two turns of the event loop: all bytes that have arrived by then are read. */
async function turns(): Promise<false> {
  await turn()
  await turn()
  return false
}
