/** A temporary migrated database: on DATABASE_URL when it is set, else on an embedded server. */

import { createSchema } from '#src/program/partitioned.ts'
import { databaseUrl, onServer } from '#test/support/processes/server.ts'
import { openTemporaryServer } from '#test/support/processes/temporary_server.ts'

/** `work` gets the URL of the server and the name of the database, to which nothing connects. */
type Work = (server: string, name: string) => Promise<void>

export async function withMigratedDatabase(work: Work): Promise<void> {
  const url = process.env['DATABASE_URL']
  if (url) return onScratchDatabase(url, work)
  const server = await openTemporaryServer('bezant-generate-')
  try {
    await onScratchDatabase(server.url, work)
  } finally {
    await server.stop()
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
