/**
 * A Citus cluster under load: two processes, each at another node, race for what only one may have;
 * a worker is added and tenants move to it; a worker is killed and comes back; keys are rotated.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Follower } from './cluster/follower.ts'
import { raceForBins, raceForLimits } from './cluster/races.ts'
import {
  addressOn,
  addWorker,
  makeCoordinator,
  makeNode,
  spread,
  workerOf,
} from './cluster/servers.ts'
import { DrillFault } from './fault.ts'
import type { Running } from './programs.ts'
import { compare, longestGap, secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import { Load } from './stage/load.ts'
import * as platform from './stage/platform.ts'
import type { Server } from './stage/postgres.ts'
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
const FIRST_BIN = 520_000
const BETWEEN_MS = 5_000
/** Shards of each table: a move takes seconds for each shard, and 32 are usual. */
const SHARDS = 8
/** Shards are balanced by their number: the sizes of these nearly empty shards say nothing. */
const REBALANCE = "select citus_rebalance_start(rebalance_strategy := 'by_shard_count')"
const LONGEST_MOVE_MS = 10 * 60_000

type Stage = {
  transcript: Transcript
  coordinator: Server
  workers: readonly [Server, Server]
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  places: readonly [platform.Ports, platform.Ports]
  programs: Running[]
  tenants: platform.Tenant[]
  loads: Load[]
  followers: Follower[]
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const stage = await openStage(stack, folderOf(stack, transcript), transcript)
  await race(stage)
  await putUnderLoad(stage)
  await grow(stage)
  await loseWorker(stage)
  await rotateKeys(stage)
  await settle(stage)
}

async function openStage(
  stack: AsyncDisposableStack,
  folder: string,
  transcript: Transcript,
): Promise<Stage> {
  transcript.step('A coordinator and a worker, and a process at each')
  transcript.explain(
    'The settings of the servers are those of docs/cluster.md. The schema is made on the ' +
      'coordinator alone and spread then, as an installation grows.',
  )
  const [coordinator, first, second] = await Promise.all(
    ['c', 'w1', 'w2'].map((name) => makeNode(join(folder, name))),
  )
  if (!coordinator || !first || !second) throw new DrillFault('a server is missing')
  stack.defer(() =>
    Promise.all([coordinator, first, second].map((node) => node.kill())).then(() => {}),
  )
  const [extension] = await coordinator.query<{ version: string }>(
    "select extversion as version from pg_extension where extname = 'citus'",
  )
  transcript.print(`${await coordinator.version()}, Citus ${extension?.version}`)
  await makeCoordinator(coordinator, transcript)
  await addWorker(coordinator, first, transcript)
  const env = {
    DATABASE_URL: coordinator.url(),
    DATA_DIR: join(folder, 'data'),
    MASTER_KEY: randomBytes(32).toString('hex'),
  }
  await spread(coordinator, env, transcript, SHARDS)
  const places = [await platform.freePorts(), await platform.freePorts()] as const
  const programs = [
    await platform.startProcess(env, places[0]),
    await platform.startProcess({ ...env, DATABASE_URL: addressOn(coordinator, first) }, places[1]),
  ]
  for (const program of programs) stack.use(program)
  transcript.print('one process at the coordinator, one at the worker')
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenants: platform.Tenant[] = []
  for (let at = 0; at < TENANTS; at++) {
    const bin = String(FIRST_BIN + at)
    tenants.push(await platform.makeTenant(places[at % 2] ?? places[0], operator, CARDS, bin))
  }
  const workers = [first, second] as const
  const loads = tenants.map((tenant) => new Load(tenant, { slower: SLOWER, at_once: AT_ONCE }))
  const followers = tenants.map((tenant) => new Follower(tenant, places))
  const shared = { transcript, coordinator, workers, env, places }
  return { ...shared, programs, tenants, loads, followers }
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

async function loseWorker(stage: Stage): Promise<void> {
  const { transcript, workers } = stage
  transcript.step('A worker is killed and started again')
  transcript.explain(
    'All processes of the worker are killed at once; after two seconds it is started. Its ' +
      'tenants have no answer meanwhile, the others go on.',
  )
  const since = Date.now()
  await workers[1].kill()
  transcript.print('the worker is killed')
  await pause(2_000)
  await workers[1].start()
  const started = Date.now()
  transcript.print(`it takes writes ${secondsOf(started - since)} later`)
  await until('each tenant is answered again', () =>
    stage.loads.every(({ requests }) =>
      requests.some(({ outcome, sent }) => outcome === 'DONE' && sent > started),
    ),
  )
  await pause(BETWEEN_MS)
  printGaps(stage, since)
}

/** The shortest and the longest time of the tenants without an authorization answered. */
function printGaps({ transcript, loads }: Stage, since: number): void {
  const gaps = loads
    .map((load) => longestGap(load, 'authorization', since))
    .sort((one, other) => one - other)
  const [first = 0, last = 0] = [gaps[0], gaps.at(-1)]
  transcript.print(
    `without an authorization answered: ${secondsOf(first)} for one tenant, ` +
      `${secondsOf(last)} for another, all others between`,
  )
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
