/** An open connection by which each process shows that it uses the server. */

import { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { codeOf } from '#kit/start_error.ts'
import { USER } from './server.ts'

const NAME = 'bezant lease'

/** A server that has just become ready, or is full, may reject the first attempts. */
const ATTEMPTS = 10
const POLL_MS = 100

export type Lease = {
  /** How many others hold a lease; null if the connection is lost. */
  others(): Promise<number | null>
  release(): Promise<void>
}

/**
 * Connects, makes the database if it is not there, and calls `onLost` if the connection ends
 * before `release`. The connection does not keep the process alive.
 */
export async function takeLease(socket_folder: string, onLost: () => void): Promise<Lease> {
  const client = await connect(socket_folder)
  let released = false
  client.once('end', () => {
    if (!released) onLost()
  })
  try {
    await makeDatabase(client)
  } catch (error) {
    // The caller handles the failure; `onLost` would start a second recovery.
    released = true
    await client.end().catch(() => {})
    throw error
  }
  return {
    async others() {
      const holders = `select 1 from pg_stat_activity
        where application_name = $1 and pid <> pg_backend_pid()`
      const result = await client.query(holders, [NAME]).catch(() => null)
      return result?.rowCount ?? null
    },
    async release() {
      released = true
      await client.end().catch(() => {})
    },
  }
}

async function connect(host: string): Promise<pg.Client> {
  for (let attempt = 1; ; attempt += 1) {
    const stream = () => new Socket().unref()
    const access = { host, port: 5432, user: USER, database: 'postgres' }
    const client = new pg.Client({ ...access, application_name: NAME, stream })
    // Without a listener a lost connection would end the process; `end` follows the error.
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await pause(POLL_MS)
    }
  }
}

async function makeDatabase(client: pg.Client): Promise<void> {
  const found = await client.query('select 1 from pg_database where datname = $1', [USER])
  if (found.rowCount !== 0) return
  try {
    await client.query(`create database ${USER}`)
  } catch (error) {
    if (codeOf(error) !== '42P04') throw error
  }
}
