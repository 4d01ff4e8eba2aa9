/** The drill's own PostgreSQL: stopped by signals, its tables locked, its rows aged. */

import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'

export type DrillDatabase = AsyncDisposable & {
  url: string
  /** Queries as the superuser, to whom row security does not apply. */
  query: (text: string, values?: unknown[]) => Promise<pg.QueryResult>
  /** A session of its own that keeps what these statements lock until the function is called. */
  hold: (...statements: string[]) => Promise<() => Promise<void>>
  /** None of its processes runs for so long: it answers nothing, and loses nothing. */
  freeze: (ms: number) => Promise<void>
}

export async function openDatabase(data_dir: string): Promise<DrillDatabase> {
  const server = await startEmbedded({ data_dir })
  const { url } = server
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  return {
    url,
    query: (text, values) => client.query(text, values),
    async hold(...statements) {
      const holder = new pg.Client({ connectionString: url })
      holder.on('error', () => {})
      await holder.connect()
      await holder.query('begin')
      for (const statement of statements) await holder.query(statement)
      return () => holder.end()
    },
    async freeze(ms) {
      const all = [server.pid, ...childrenOf(server.pid)]
      signalAll(all, 'SIGSTOP')
      try {
        await pause(ms)
      } finally {
        signalAll(all, 'SIGCONT')
      }
    },
    async [Symbol.asyncDispose]() {
      await client.end()
      await server.stop()
    },
  }
}

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

/** A process may have ended meanwhile. */
function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {}
  }
}
