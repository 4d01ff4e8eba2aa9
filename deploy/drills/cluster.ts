/**
 * From one server with data to a Citus cluster under load: two processes, each at another node,
 * race for what only one may have; a worker is added and tenants move to it; a worker is away while
 * a process starts; keys are rotated; a newer version migrates beside the processes.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Follower } from './cluster/follower.ts'
import { raceForBins, raceForLimits } from './cluster/races.ts'
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
import { DrillFault } from './fault.ts'
import type { Running } from './programs.ts'
import { compare, longestGap, secondsOf } from './stage/answers.ts'
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
const FIRST_BIN = 520_000
const BETWEEN_MS = 5_000
/** Shards of each table: a move takes seconds for each shard, and 32 are usual. */
const SHARDS = 8
/** Shards are balanced by their number: the sizes of these nearly empty shards say nothing. */
const REBALANCE = "select citus_rebalance_start(rebalance_strategy := 'by_shard_count')"
const LONGEST_MOVE_MS = 10 * 60_000
const AWAY_MS = 40_000
const MINUTE_MS = 60_000
const LONGEST_START_MS = 5 * MINUTE_MS

type Stage = {
  folder: string
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
  await upgrade(stage)
  await settle(stage)
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
  const loads = tenants.map((tenant) => new Load(tenant, { slower: SLOWER, at_once: AT_ONCE }))
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

async function loseWorker(stage: Stage): Promise<void> {
  const { transcript, workers, coordinator, env } = stage
  transcript.step('A worker is away')
  transcript.explain(
    `All its processes are killed at once; after ${secondsOf(AWAY_MS)} it is started. Its ` +
      'tenants have no answer meanwhile, the others go on; a process starts, and doctor checks ' +
      'what it can.',
  )
  const linesBefore = stage.programs.map(linesOf)
  const since = Date.now()
  await workers[1].kill()
  transcript.print('the worker is killed')
  await startMeanwhile(stage)
  const { code } = await platform.runToEnd(['apps/cli/bezant.mjs', 'doctor'], env)
  transcript.print(`$ bezant doctor\nexit code ${code}`)
  if (code !== 1) throw new DrillFault('doctor was to name the node that does not answer')
  await pause(Math.max(0, AWAY_MS - (Date.now() - since)))
  const minutes = (Date.now() - since) / MINUTE_MS
  const lines = stage.programs.map((one, at) => (linesOf(one) - (linesBefore[at] ?? 0)) / minutes)
  transcript.print(`lines of log a minute: ${lines.map(Math.round).join(' and ')}`)
  await workers[1].start()
  const started = Date.now()
  transcript.print(`it takes writes ${secondsOf(started - since)} later`)
  await until('each tenant is answered again', () =>
    stage.loads.every(({ requests }) =>
      requests.some(({ outcome, sent }) => outcome === 'DONE' && sent > started),
    ),
  )
  transcript.print(`each tenant is answered again after ${secondsOf(Date.now() - started)}`)
  await pause(BETWEEN_MS)
  printGaps(stage, since)
  const moved = await Promise.all(stage.tenants.map(({ id }) => workerOf(coordinator, id)))
  const served = stage.loads.filter((_, at) => moved[at] !== workers[1].port)
  for (const load of served) {
    const gap = longestGap(load, 'authorization', since)
    if (gap > AWAY_MS / 2) throw new DrillFault(`a tenant of another node waited ${secondsOf(gap)}`)
  }
}

const linesOf = (program: Running): number => program.text().split('\n').length

/** A process at the coordinator. */
async function startMeanwhile({ transcript, env }: Stage): Promise<void> {
  const begun = Date.now()
  const program = await platform.startProcess(env, await platform.freePorts())
  transcript.print(`a process has started meanwhile, within ${secondsOf(Date.now() - begun)}`)
  await program[Symbol.asyncDispose]()
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
