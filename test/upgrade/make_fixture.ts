/**
 * Writes the database of this release anew: node test/upgrade/make_fixture.ts
 * The program starts in an empty database and its demo runs; then a story of every operation and a
 * tenant with one of everything follow. The work of their jobs is left undone.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { masterKeyWrapper } from '#kit/keys/keyring.ts'
import { createLog } from '#kit/log.ts'
import { readConfig } from '#src/config/config.ts'
import { start } from '#src/program/start.ts'
import { createBelongings } from '#test/support/contract/belongings.ts'
import { beginAt } from '#test/support/examples/dates.ts'
import { walk } from '#test/support/examples/examples.ts'
import { openStory } from '#test/support/examples/story.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { scratchFolder } from '#test/support/processes/scratch.ts'
import { databaseUrl, onServer, passServerToTests } from '#test/support/processes/server.ts'
import { openTemporaryServer } from '#test/support/processes/temporary_server.ts'
import { openReceiver } from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { dumpDatabase, rowsOf, tablesOf } from './dump.ts'
import { DUMP_PATH, fixtureMasterKey } from './fixture.ts'
import { leaveOpen, OPEN_WORK } from './open_work.ts'

const BASE = 'upgrade_base'

const server = await openTemporaryServer('bezant-fixture-')
try {
  await onServer(server.url, (client) => client.query(`create database ${BASE}`))
  await runDemo(databaseUrl(server.url, BASE))
  passServerToTests(server.url, BASE)
  await using world = await openWorld({
    wrapper: masterKeyWrapper(Buffer.from(fixtureMasterKey(), 'hex')),
  })
  await fill(world)
  await write(world)
} finally {
  await server.stop()
}

async function runDemo(url: string): Promise<void> {
  const DATA_DIR = join(scratchFolder('bezant-fixture-'), 'data')
  const env = { PORT: '0', NETWORK_PORT: '0', DATA_DIR, DATABASE_URL: url }
  const running = await start({
    config: readConfig({ ...env, MASTER_KEY: fixtureMasterKey() }),
    log: createLog('silent'),
    report: console.log,
    signal: new AbortController().signal,
  })
  try {
    await new Promise<void>((resolve, reject) => {
      execFile(
        process.execPath,
        ['apps/cli/bezant.mjs', 'demo'],
        { env: { ...process.env, DATA_DIR } },
        (error) => (error ? reject(error) : resolve()),
      )
    })
  } finally {
    await running.stop()
  }
}

async function fill(world: World): Promise<void> {
  const receiver = await openReceiver()
  const port = await listenForCards(world)
  await walk(openStory(world), beginAt(new Date()).story, receiver)
  const made = await createBelongings(world, { orders: true })
  await leaveOpen(world, made, port)
  await receiver.close()
  for (const [name, query] of Object.entries(OPEN_WORK)) {
    const { rows } = await onServer(world.url, (client) => client.query(query, [made.tenant.id]))
    if (rows.length === 0) throw new Error(`nothing is left open of: ${name}`)
  }
}

async function write(world: World): Promise<void> {
  const dump = await onServer(world.url, dumpDatabase)
  const filled = rowsOf(dump)
  const tables = await onServer(world.url, tablesOf)
  const empty = tables.map(({ name }) => name).filter((name) => !filled.has(name))
  mkdirSync(dirname(DUMP_PATH), { recursive: true })
  const bytes = gzipSync(dump, { level: 9 })
  writeFileSync(DUMP_PATH, bytes)
  console.log(`wrote ${DUMP_PATH}: ${bytes.length} bytes, rows in ${filled.size} tables`)
  console.log(`without a row: ${empty.join(', ')}`)
}
