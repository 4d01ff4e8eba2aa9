/**
 * A cluster that the migrations of a release have made, with its rows, comes to the schema of this
 * version. Beside it the program of the release serves where TEST_OLDER names the folder of its
 * clone (CONTRIBUTING.md).
 */

import { join } from 'node:path'
import { openDatabase } from '#kit/db/database.ts'
import { planDistribution, distribute as spreadTables } from '#kit/db/distribution.ts'
import { MIGRATIONS, migrationNames } from '#kit/db/migration_files.ts'
import { identifyRows } from '#kit/db/partitions/partitions.ts'
import { partitioned } from '#src/program/partitioned.ts'
import { onServer } from '#test/support/processes/server.ts'
import { fixtureMasterKey, loadFixture, RELEASE } from '#test/upgrade/fixture.ts'
import { readFrozen } from '#test/upgrade/frozen.ts'
import { DrillFault } from '../fault.ts'
import { secondsOf } from '../stage/answers.ts'
import { examine } from '../stage/doctor.ts'
import * as platform from '../stage/platform.ts'
import { OWNER } from '../stage/postgres.ts'
import { distribute, gatherRoles } from './servers.ts'
import type { Stage } from './stage.ts'

const OLDER = process.env['TEST_OLDER']
/** A database of its own on the same servers. */
const NAME = 'released'
const SHARDS = 4
const LONGEST_START_MS = 10 * 60_000

export async function upgradeReleased(stage: Stage): Promise<void> {
  const { transcript, coordinator } = stage
  transcript.step(`The cluster of ${RELEASE} comes to this version`)
  const added = migrationNames(MIGRATIONS).length - Object.keys(readFrozen()).length
  transcript.explain(
    `A database on the same nodes has the tables and rows of ${RELEASE}, spread as then. The ` +
      `first process of this version applies its ${added} migrations, and spreads what they make` +
      (OLDER === undefined ? '.' : `; the program of ${RELEASE} serves beside it.`),
  )
  await makeReleased(stage)
  const env = {
    DATABASE_URL: coordinator.url(OWNER, NAME),
    MASTER_KEY: fixtureMasterKey(),
    MODE: 'sandbox',
  }
  await using stack = new AsyncDisposableStack()
  const versions = OLDER === undefined ? [] : [versionOf(stage, `the program of ${RELEASE}`, OLDER)]
  versions.push(versionOf(stage, 'this version'))
  for (const { name, DATA_DIR, root } of versions) {
    const begun = Date.now()
    const ports = await platform.freePorts()
    stack.use(await platform.startProcess({ ...env, DATA_DIR }, ports, root, LONGEST_START_MS))
    transcript.print(`${name} has started, within ${secondsOf(Date.now() - begun)}`)
  }
  await distribute(env, transcript)
  for (const { name, DATA_DIR, root } of versions) {
    const demo = ['apps/cli/bezant.mjs', 'demo']
    const { code, output } = await platform.runToEnd(demo, { ...env, DATA_DIR }, root)
    if (code !== 0) throw new DrillFault(output)
    transcript.print(`$ bezant demo    # ${name}\nexit code ${code}`)
  }
  await examine(transcript, env, 'nothing')
}

const versionOf = ({ folder }: Stage, name: string, root?: string) => ({
  name,
  DATA_DIR: join(folder, `data of ${name}`),
  root,
})

/** The tables and rows of the release on the nodes of the drill. */
async function makeReleased({ coordinator, workers }: Stage): Promise<void> {
  for (const node of [coordinator, ...workers]) {
    await node.query(`create database ${NAME} owner ${OWNER}`, 'postgres')
    await node.query('create extension citus', NAME)
  }
  const host = '127.0.0.1'
  await coordinator.query(`select citus_set_coordinator_host('${host}', ${coordinator.port})`, NAME)
  for (const { port } of workers) {
    await coordinator.query(`select citus_add_node('${host}', ${port})`, NAME)
  }
  await coordinator.query(`alter database ${NAME} set citus.shard_count = ${SHARDS}`, NAME)
  await gatherRoles(coordinator, NAME)
  // Rows are restored without the triggers that keep them as they are.
  await coordinator.query(`grant set on parameter session_replication_role to ${OWNER}`, NAME)
  const url = coordinator.url(OWNER, NAME)
  await loadFixture(url)
  await onServer(url, async (client) =>
    spreadTables(client, await planDistribution(client), () => {}),
  )
  const database = openDatabase(url, 1)
  try {
    await identifyRows(database.owner, partitioned)
  } finally {
    await database.close()
  }
}
