/**
 * Notifications between the processes of one database. A notification may be lost, so each waiter
 * also looks by itself, if seldom.
 */

import { sql } from 'kysely'
import { isId, newId } from '#lib/id.ts'
import type { Db } from '../database.ts'
import type { Listen } from './pulse.ts'

/** PostgreSQL's channel, and the id by which this process is known on it. */
const CHANNEL = 'bezant'
const PROCESS = newId()

/**
 * Notifies the other processes that a tenant has something new on `channel`. Not to be part of a
 * transaction that writes: such commits wait for each other.
 */
export async function announce(db: Db, channel: string, tenant_id: string): Promise<void> {
  const payload = `${PROCESS} ${tenant_id} ${channel}`
  await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(db.atEntry())
}

/** Passes the notifications of other processes on, from then on and while the database is open. */
export function hearOthers(
  listen: Listen,
  notify: (channel: string, tenant_id: string) => void,
): void {
  listen(CHANNEL, (payload) => {
    const [from, tenant_id = '', ...channel] = payload.split(' ')
    if (from !== PROCESS && isId(tenant_id)) notify(channel.join(' '), tenant_id)
  })
}
