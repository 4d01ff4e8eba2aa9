/**
 * Notifications between the processes of one database. One connection of each process listens; a
 * notification may be lost, so who waits for one looks by itself too, if seldom.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { isId, newId } from '#lib/id.ts'
import type { Db } from './database.ts'

/** PostgreSQL's channel, and what tells this process from the others on it. */
const CHANNEL = 'bezant'
const PROCESS = newId()
/** Between two attempts to reach an unavailable server. */
const RETRY_MS = 500
const CONNECT_TIMEOUT_MS = 2_000

/** Notifies the other processes. Outside a transaction: one that notifies holds up all others. */
export async function announce(db: Db, channel: string, tenant_id: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${`${PROCESS} ${tenant_id} ${channel}`})`.execute(db)
}

export type Announcements = {
  /** Begins to listen and goes on until `stop`, also after the server was away. */
  start: (onNotice: (channel: string, tenant_id: string) => void) => void
  stop: () => Promise<void>
}

/** Nothing connects before `start`. */
export function openAnnouncements(url: string): Announcements {
  const stopping = new AbortController()
  let client: pg.Client | undefined
  let loop: Promise<void> | undefined

  async function listen(onNotice: (channel: string, tenant_id: string) => void): Promise<void> {
    const own = new pg.Client({
      connectionString: url,
      application_name: 'bezant announcements',
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      keepAlive: true,
    })
    client = own
    const ended = new Promise<void>((resolve) => {
      own.once('end', resolve)
      own.once('error', () => resolve())
    })
    own.on('notification', ({ payload = '' }) => {
      const [from, tenant_id = '', ...channel] = payload.split(' ')
      if (from !== PROCESS && isId(tenant_id)) onNotice(channel.join(' '), tenant_id)
    })
    await own.connect()
    await own.query(`listen ${CHANNEL}`)
    await ended
  }

  async function run(onNotice: (channel: string, tenant_id: string) => void): Promise<void> {
    const until = { signal: stopping.signal, ref: false }
    while (!stopping.signal.aborted) {
      await listen(onNotice).catch(() => {})
      await client?.end().catch(() => {})
      await pause(RETRY_MS, undefined, until).catch(() => {})
    }
  }

  return {
    start(onNotice) {
      loop ??= run(onNotice)
    },
    async stop() {
      stopping.abort()
      await client?.end().catch(() => {})
      await loop
    },
  }
}
