/** A temporary migrated database: on DATABASE_URL when it is set, else on an embedded server. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { migrate } from '#kit/db/migrations.ts'
import { databaseUrl, onServer } from '#test/support/server.ts'

export async function withMigratedDatabase<Result>(
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const url = process.env['DATABASE_URL']
  if (url) return onScratchDatabase(url, work)
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-generate-'))
  const server = await startEmbedded({ data_dir })
  try {
    return await onScratchDatabase(server.url, work)
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

async function onScratchDatabase<Result>(
  server: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const name = `generate_${process.pid}`
  await onServer(server, (client) => client.query(`create database ${name}`))
  try {
    return await onServer(databaseUrl(server, name), async (client) => {
      await migrate(client, 'migrations')
      return work(client)
    })
  } finally {
    await onServer(server, (client) => client.query(`drop database ${name} with (force)`))
  }
}
