/**
 * From one server with data to a Citus cluster under load: two processes, each at another node,
 * race for what only one may have; a worker is added and tenants move to it; a worker is killed,
 * and frozen, while a process starts; keys are rotated; a newer version migrates beside them. Then
 * a cluster of the release comes to this version.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ABSENCES, loseWorker } from './cluster/away.ts'
import { Follower } from './cluster/follower.ts'
import { raceForBins, raceForLimits } from './cluster/races.ts'
import { upgradeReleased } from './cluster/released.ts'
import {
  addressOn,
  addWorker,
  distribute,
  equip,
  gatherRoles,
  makeCoordinator,
  makeNode,
  setShards,
  workerOf,
} from './cluster/servers.ts'
import { printGaps, type Stage } from './cluster/stage.ts'
import { DrillFault } from './fault.ts'
import { compare, secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import { Load } from './stage/load.ts'
import { makeNext } from './stage/next_version.ts'
import * as platform from './stage/platform.ts'
import { makeServer, type Server } from './stage/postgres.ts'
import { until } from './stage/until.ts'
import type { Transcript } from './transcript.ts'

/** Enough that each node has some: the node of a tenant depends on its id. */
const TENANTS = 8
const CARDS = 12
/**
 * Factor of the pauses of each tenant's clients: all together authorize over 200 times a second.
 */
const SLOWER = 7
/** Terminals of a tenant that authorize at one time: four lone decisions cost three times as much. */
const AT_ONCE = 4
/** A start and doctor take long on a busy machine, while a worker is away. */
const LOAD = { slower: SLOWER, at_once: AT_ONCE, longest_ms: 10 * 60_000 }
const FIRST_BIN = 520_000
const BETWEEN_MS = 5_000
/** Shards of each table: a move takes seconds for each shard, and 32 are usual. */
const SHARDS = 8
/** Shards are balanced by their number: the sizes of these nearly empty shards say nothing. */
const REBALANCE = "select citus_rebalance_start(rebalance_strategy := 'by_shard_count')"
const LONGEST_MOVE_MS = 10 * 60_000
const MINUTE_MS = 60_000
const LONGEST_START_MS = 5 * MINUTE_MS

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const stage = await openStage(stack, folderOf(stack, transcript), transcript)
  await race(stage)
  await putUnderLoad(stage)
  await grow(stage)
  for (const absence of ABSENCES) await loseWorker(stage, absence)
  await rotateKeys(stage)
  await upgrade(stage)
  await settle(stage)
  await upgradeReleased(stage)
}

async function openStage(
  stack: AsyncDisposableStack,
  folder: string,
  transcript: Transcript,
): Promise<Stage> {
  const coordinator = await makeServer(join(folder, 'c'))
  stack.defer(() => coordinator.kill())
  const env = {
    DATABASE_URL: coordinator.url(),
    DATA_DIR: join(folder, 'data'),
    MASTER_KEY: randomBytes(32).toString('hex'),
  }
  const before = await haveData(coordinator, env, transcript)
  const [first, second] = await Promise.all(
    ['w1', 'w2'].map((name) => makeNode(join(folder, name))),
  )
  if (!first || !second) throw new DrillFault('a server is missing')
  stack.defer(() => Promise.all([first, second].map((node) => node.kill())).then(() => {}))
  await becomeCluster({ transcript, coordinator, worker: first, env })
  const places = [await platform.freePorts(), await platform.freePorts()] as const
  const programs = [
    await platform.startProcess(env, places[0]),
    await platform.startProcess({ ...env, DATABASE_URL: addressOn(coordinator, first) }, places[1]),
  ]
  for (const program of programs) stack.use(program)
  transcript.print('one process at the coordinator, one at the worker')
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenants: platform.Tenant[] = [before]
  for (let at = 1; at < TENANTS; at++) {
    const bin = String(FIRST_BIN + at)
    tenants.push(await platform.makeTenant(places[at % 2] ?? places[0], operator, CARDS, bin))
  }
  const workers = [first, second] as const
  const loads = tenants.map((tenant) => new Load(tenant, LOAD))
  const followers = tenants.map((tenant) => new Follower(tenant, places))
  const shared = { folder, transcript, coordinator, workers, env, places }
  return { ...shared, programs, tenants, loads, followers }
}

/** A tenant with cards, in the database of one server. */
async function haveData(
  server: Server,
  env: Stage['env'],
  transcript: Transcript,
): Promise<platform.Tenant> {
  transcript.step('A server with data')
  transcript.print(await server.version())
  const ports = await platform.freePorts()
  const program = await platform.startProcess(env, ports)
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenant = await platform.makeTenant(ports, operator, CARDS, String(FIRST_BIN))
  transcript.print(`a tenant with ${tenant.cards.length} funded cards`)
  await program[Symbol.asyncDispose]()
  return tenant
}

type Grown = Pick<Stage, 'transcript' | 'coordinator' | 'env'> & { worker: Server }

async function becomeCluster({ transcript, coordinator, worker, env }: Grown): Promise<void> {
  transcript.step('It becomes the coordinator of a worker, with a process at each')
  transcript.explain(
    'The steps and the settings of the servers are those of docs/cluster.md; nodes of the drill ' +
      'need no passwords.',
  )
  await equip(coordinator)
  const [extension] = await coordinator.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  )
  transcript.print(`Citus ${extension?.version}`)
  await makeCoordinator(coordinator, transcript)
  await addWorker(coordinator, worker, transcript)
  await gatherRoles(coordinator)
  await setShards(coordinator, SHARDS, transcript)
  await distribute(env, transcript)
  await distribute(env, transcript)
}

async function race(stage: Stage): Promise<void> {
  const { transcript, tenants } = stage
  transcript.step('Races at two nodes')
  transcript.explain('Half of the requests go to each process, all at one time.')
  const [one, two] = tenants
  if (!one || !two) throw new DrillFault('there are no two tenants')
  await raceForLimits(stage, one)
  await raceForBins(stage, [one, two])
}

async function putUnderLoad({ transcript, loads, followers, places }: Stage): Promise<void> {
  transcript.step('Under load')
  transcript.explain(
    'Of each of eight tenants, one client issues cards, four load funds, and sixteen terminals ' +
      'authorize over ISO 8583, at both processes; another client follows the feed of events by ' +
      'turns at each process.',
  )
  for (const follower of followers) follower.start()
  for (const load of loads) {
    await load.go(places)
    load.start()
  }
  await pause(BETWEEN_MS)
  const since = Date.now() - BETWEEN_MS
  const done = loads.flatMap(({ requests }) => requests).filter(({ sent }) => sent > since)
  const authorizations = done.filter(({ kind }) => kind === 'authorization').length
  transcript.print(`${Math.round((authorizations * 1000) / BETWEEN_MS)} authorizations a second`)
}

async function grow(stage: Stage): Promise<void> {
  const { transcript, coordinator, workers } = stage
  transcript.step('A worker is added, and tenants move to it')
  await addWorker(coordinator, workers[1], transcript)
  const since = Date.now()
  await coordinator.query(REBALANCE)
  transcript.print(`$ psql -c "${REBALANCE}"`)
  await until(
    'all shards are where they belong',
    async () => {
      const [job] = await coordinator.query<{ state: string; details: unknown }>(
        'select state::text as state, details from citus_rebalance_status()',
      )
      if (job && ['failed', 'failing', 'cancelled'].includes(job.state)) {
        throw new DrillFault(`the rebalancing has ${job.state}: ${JSON.stringify(job.details)}`)
      }
      return job?.state === 'finished'
    },
    LONGEST_MOVE_MS,
  )
  const nodes = await Promise.all(stage.tenants.map(({ id }) => workerOf(coordinator, id)))
  const moved = nodes.filter((port) => port === workers[1].port).length
  transcript.print(`finished after ${secondsOf(Date.now() - since)}; ${moved} tenants have moved`)
  if (moved === 0 || moved === TENANTS)
    throw new DrillFault('one node has all tenants: run it again')
  await pause(BETWEEN_MS)
  printGaps(stage, since)
}

async function rotateKeys({ transcript, env, tenants, places }: Stage): Promise<void> {
  transcript.step('Keys are rotated')
  const { code, output } = await platform.runToEnd(['apps/cli/bezant.mjs', 'keys', 'rotate'], env)
  if (code !== 0) throw new DrillFault(output)
  transcript.print(`$ bezant keys rotate\nexit code ${code}`)
  for (const { api_key, cards } of tenants) {
    for (const [at, { id, pan }] of cards.entries()) {
      const number = await platform.numberOf(places[at % 2] ?? places[0], api_key, id)
      if (number !== pan) throw new DrillFault(`card ${id} has another number`)
    }
  }
  transcript.print(`${TENANTS * CARDS} card numbers were opened, by both processes in turn`)
}

async function upgrade(stage: Stage): Promise<void> {
  const { transcript, env, folder } = stage
  transcript.step('A newer version beside the processes')
  transcript.explain(
    'It has a table, columns of large tables and an index more, which its first process brings ' +
      'to all nodes while the processes of this version go on.',
  )
  const next = makeNext(join(folder, 'next'))
  const since = Date.now()
  const ports = await platform.freePorts()
  const program = await platform.startProcess(env, ports, next.root, LONGEST_START_MS)
  transcript.print(
    `${next.version} has applied ${next.migrations.length} migrations and started, within ` +
      secondsOf(Date.now() - since),
  )
  await distribute(env, transcript, [], next.root)
  for (const { api_key, cards } of stage.tenants) {
    const [card] = cards
    if (!card || (await platform.numberOf(ports, api_key, card.id)) !== card.pan) {
      throw new DrillFault('the newer version does not answer as this one')
    }
  }
  await pause(BETWEEN_MS)
  printGaps(stage, since)
  await program[Symbol.asyncDispose]()
}

async function settle(stage: Stage): Promise<void> {
  const { transcript, loads, followers, env, programs, coordinator } = stage
  transcript.step('Everything that was answered is there')
  await Promise.all(loads.map((load) => load.stop()))
  const requests = loads.flatMap((load) => load.requests)
  await compare(transcript, coordinator.url(), requests)
  const events = await Promise.all(followers.map((follower) => follower.compare()))
  transcript.print(
    `events        ${events.reduce((sum, count) => sum + count, 0)}, each met once by who ` +
      'followed the feed',
  )
  await examine(transcript, env, 'nothing')
  for (const program of programs) program.kill('SIGTERM')
  const codes = await Promise.all(programs.map(({ ended }) => ended))
  transcript.print(`the processes, which were started once, have stopped with ${codes.join(', ')}`)
}
