/** A platform for measuring: a real server with its default settings, empty and in a new folder. */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { softwareCustody } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { type Db, openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { NO_TENANT, type Services } from '#kit/http/callers/callers.ts'
import { masterKeyWrapper, openKeyring } from '#kit/keys/keyring.ts'
import { PROFILES } from '#src/program/modes/profiles.ts'
import { createSchema } from '#src/program/partitioned.ts'
import { databaseUrl, onServer } from '#test/support/processes/server.ts'

export type Platform = {
  url: string
  /** Services as the engine has them, with its own connections. */
  services: Services
  ctx: (tenant_id?: string) => Context
  /** Connections of the user who owns the tables, for partitions. */
  owner: Db
  /** Vacuum with statistics of every table. */
  vacuum: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Uses the server of DATABASE_URL where it is set; only a database made here is touched. Its tables
 * have partitions from `since` on; without it, from now on.
 */
export async function openPlatform(connections: number, since?: Date): Promise<Platform> {
  const server = await startServer()
  const name = `bench_${randomBytes(6).toString('hex')}`
  await onServer(server.url, (client) => client.query(`create database ${name}`))
  const url = databaseUrl(server.url, name)
  await createSchema(url, since)

  const database = openDatabase(url, connections, { role: USUAL_ROLE })
  const keys = await openKeyring(database.db, masterKeyWrapper(randomBytes(32)), new Date())
  const services: Services = {
    db: database.batches,
    keys,
    custody: softwareCustody,
    profile: PROFILES.sandbox,
    notify: () => {},
    runDueJobs: async () => [],
    react: async () => {},
  }
  return {
    url,
    services,
    ctx: (tenant_id = NO_TENANT) => ({
      ...services,
      db: tenant_id === NO_TENANT ? database.db.forOperator() : database.db.forTenant(tenant_id),
      tenant_id,
      now: new Date(),
      actor: { kind: 'system', id: 'bench' },
    }),
    owner: database.owner,
    vacuum: () => onServer(url, async (client) => void (await client.query('vacuum analyze'))),
    async close() {
      await database.close()
      await onServer(server.url, (client) => client.query(`drop database ${name} with (force)`))
      await server.stop()
    },
  }
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env['DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-bench-'))
  const { url, stop } = await startEmbedded({ data_dir, settings: { max_connections: '200' } })
  return {
    url,
    async stop() {
      await stop()
      rmSync(data_dir, { recursive: true, force: true })
    },
  }
}
