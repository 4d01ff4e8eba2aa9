/** A temporary migrated database: on DATABASE_URL when it is set, else on an embedded server. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { createSchema } from '#src/program/partitioned.ts'
import { databaseUrl, onServer } from '#test/support/processes/server.ts'

/** `work` gets the URL of the server and the name of the database, to which nothing connects. */
type Work = (server: string, name: string) => Promise<void>

export async function withMigratedDatabase(work: Work): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (url) return onScratchDatabase(url, work)
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-generate-'))
  const server = await startEmbedded({ data_dir })
  try {
    await onScratchDatabase(server.url, work)
  } finally {
    await server.stop()
    rmSync(data_dir, { recursive: true, force: true })
  }
}

async function onScratchDatabase(server: string, work: Work): Promise<void> {
  const name = `generate_${process.pid}`
  await onServer(server, (client) => client.query(`create database ${name}`))
  try {
    await createSchema(databaseUrl(server, name))
    await work(server, name)
  } finally {
    await onServer(server, (client) => client.query(`drop database ${name} with (force)`))
  }
}
