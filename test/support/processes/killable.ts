/** The program as a process that is killed and started again on one database and one port. */

import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type Db, openDatabase } from '#kit/db/database.ts'
import { codeOf } from '#kit/start_error.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { type Clients, createClients, type Message, type Reply } from '../clients.ts'
import { keepIn } from '../keeper.ts'
import { dataFolder, type Launched, launch, sandboxIn } from './process.ts'
import { createTestDatabase, type TestDatabase } from './server.ts'

const CONNECTIONS = 3
/** Linux gives none of these to a connection or to a server that names no port. */
const PORTS = { first: 20_000, end: 32_000 }
/** The pause before a request is sent again; longer while the port is closed. */
const PAUSE_MS = 50
const AWAY_MS = 250

export type Killable = {
  db: Db
  /** The URL of its database. */
  url: string
  /** Environment of its processes; changes count from the next start. */
  env: Record<string, string>
  sandbox: SandboxFile
  clients: Clients
  /** Starts it again; resolves with the milliseconds until the first answer of 200. */
  start: () => Promise<number>
  kill: () => Promise<void>
  /** Ends it in order; fails unless it ends well. */
  stop: () => Promise<void>
  /** Every line that any of its processes wrote. */
  lines: () => string[]
  /** Asks until an answer comes that is one: not cut, not in use, not an outage. */
  insist: (message: Message) => Promise<Insisted>
  close: () => Promise<void>
}
export type Insisted = Reply & {
  /** How often it was sent and no answer came. */
  cut: number
  /** How often an answer left the effect open: none, or 503 (D-131). */
  unknown: number
}

/** `wayTo` answers the port by which clients come to that of the program. */
type Ways = { wayTo?: (port: number) => Promise<number> }

/**
 * Opens a program on a database of its own on the server of all tests, or on another that is given.
 */
export async function openKillable(
  given?: Pick<TestDatabase, 'url' | 'drop'>,
  { wayTo = async (port) => port }: Ways = {},
): Promise<Killable> {
  await using opened = new AsyncDisposableStack()
  const database = given ?? (await createTestDatabase())
  opened.defer(database.drop)
  const { db } = keepIn(opened, openDatabase(database.url, CONNECTIONS))
  const env: Record<string, string> = {
    DATABASE_URL: database.url,
    DATA_DIR: dataFolder(),
    MASTER_KEY: randomBytes(32).toString('hex'),
    PORT: await freePort(),
    NETWORK_PORT: await freePort(),
  }
  const launched: Launched[] = []
  const run = async () => {
    const started = launch(env)
    launched.push(started)
    await started.ready
    return started
  }
  let running: Launched | undefined
  const end = async (signal: NodeJS.Signals) => {
    const ended = running?.ended
    running?.kill(signal)
    running = undefined
    return ended
  }
  opened.defer(async () => void (await end('SIGKILL')))
  running = await run()
  const sandbox = sandboxIn(env['DATA_DIR'] ?? '')
  const clients = keepIn(opened, createClients(await wayTo(Number(env['PORT']))))
  const kept = opened.move()
  return {
    db,
    url: database.url,
    env,
    sandbox,
    clients,
    async start() {
      const since = performance.now()
      running = await run()
      const ready = { method: 'GET', url: '/readyz', headers: {}, body: undefined }
      const { status, text } = await clients.ask(ready)
      assert.equal(status, 200, text)
      return performance.now() - since
    },
    async kill() {
      await end('SIGKILL')
    },
    async stop() {
      assert.equal(await end('SIGTERM'), 0)
    },
    lines: () => launched.flatMap((one) => [...one.output().split('\n'), ...one.errors()]),
    insist: (message) => insist(clients, message),
    close: () => kept.disposeAsync(),
  }
}

/** One that is free again each time that the process starts, since nobody takes it by chance. */
export async function freePort(): Promise<string> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.end)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    server.close()
    if (isFree) return String(port)
  }
}

async function insist(clients: Clients, message: Message): Promise<Insisted> {
  const end = performance.now() + PATIENCE_MS
  let [cut, unknown] = [0, 0]
  for (;;) {
    const reply = await clients.ask(message).catch((error: unknown) => codeOf(error))
    if (typeof reply === 'object' && isAnswer(reply)) return { ...reply, cut, unknown }
    const away = reply === 'ECONNREFUSED'
    if (typeof reply !== 'object' && !away) cut += 1
    if (!away) unknown += 1
    const text = typeof reply === 'object' ? reply.text : reply
    assert.ok(performance.now() < end, `${message.method} ${message.url}: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, away ? AWAY_MS : PAUSE_MS))
  }
}

/** Sent again, because the first request of a key may still run, or the database may be away. */
function isAnswer({ status, text }: Reply): boolean {
  if (status === 503 || status === 504) return false
  return status !== 409 || !/still running|in.progress/i.test(text)
}
