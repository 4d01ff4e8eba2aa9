/** A worker is away under load: killed, or frozen as a machine that is cut off. */

import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from '../fault.ts'
import type { Running } from '../programs.ts'
import { longestGap, secondsOf } from '../stage/answers.ts'
import * as platform from '../stage/platform.ts'
import type { Server } from '../stage/postgres.ts'
import { until } from '../stage/until.ts'
import { workerOf } from './servers.ts'
import { printGaps, type Stage } from './stage.ts'

const AWAY_MS = 40_000
const MINUTE_MS = 60_000
const AFTERWARDS_MS = 5_000
const LONGEST_START_MS = 5 * MINUTE_MS
/** A node that does not answer may not hold up what others wait for, for longer. */
const LONGEST_MS = AWAY_MS / 2

const MEANWHILE =
  'Its tenants have no answer meanwhile, the others go on; a process starts, and doctor checks ' +
  'what it can. Events are in the feed once due work has given them their places.'

export type Absence = {
  title: string
  text: string
  begin: (worker: Server) => Promise<void>
  end: (worker: Server) => Promise<void>
}

export const ABSENCES: readonly Absence[] = [
  {
    title: 'A worker is killed',
    text: `All its processes are killed at once; after ${secondsOf(AWAY_MS)} it is started.`,
    begin: (worker) => worker.kill(),
    end: (worker) => worker.start(),
  },
  {
    title: 'A worker is frozen',
    text:
      'All its processes are stopped, as on a machine that is cut off: connections to it stay ' +
      `open, without an answer. After ${secondsOf(AWAY_MS)} they go on.`,
    begin: async (worker) => worker.freeze(),
    end: async (worker) => worker.thaw(),
  },
]

export async function loseWorker(stage: Stage, { title, text, begin, end }: Absence) {
  const { transcript, workers, coordinator, tenants } = stage
  transcript.step(title)
  transcript.explain(`${text} ${MEANWHILE}`)
  const nodes = await Promise.all(tenants.map(({ id }) => workerOf(coordinator, id)))
  const isLost = (at: number) => nodes[at] === workers[1].port
  const linesBefore = stage.programs.map(linesOf)
  const since = Date.now()
  await begin(workers[1])
  await startMeanwhile(stage)
  await examineMeanwhile(stage)
  await pause(Math.max(0, AWAY_MS - (Date.now() - since)))
  const minutes = (Date.now() - since) / MINUTE_MS
  const lines = stage.programs.map((one, at) => (linesOf(one) - (linesBefore[at] ?? 0)) / minutes)
  transcript.print(`lines of log a minute: ${lines.map(Math.round).join(' and ')}`)
  await end(workers[1])
  const answers = Date.now()
  transcript.print(`it takes writes again after ${secondsOf(answers - since)}`)
  await awaitAll(stage, answers)
  await pause(AFTERWARDS_MS)
  printGaps(stage, since)
  assertServed(stage, { since, answers, isLost })
}

const linesOf = (program: Running): number => program.text().split('\n').length

/** A process at the coordinator. */
async function startMeanwhile({ transcript, env }: Stage): Promise<void> {
  const begun = Date.now()
  const ports = await platform.freePorts()
  const program = await platform.startProcess(env, ports, undefined, LONGEST_START_MS)
  transcript.print(`a process has started meanwhile, within ${secondsOf(Date.now() - begun)}`)
  await program[Symbol.asyncDispose]()
}

async function examineMeanwhile({ transcript, env }: Stage): Promise<void> {
  const begun = Date.now()
  const { code } = await platform.runToEnd(['apps/cli/bezant.mjs', 'doctor'], env)
  const lasted = secondsOf(Date.now() - begun)
  transcript.print(`$ bezant doctor\nexit code ${code} after ${lasted}`)
  if (code !== 1) throw new DrillFault('doctor was to name the node that does not answer')
}

async function awaitAll({ transcript, loads, followers }: Stage, answers: number): Promise<void> {
  await until('each tenant is answered again', () =>
    loads.every(({ requests }) =>
      requests.some(({ outcome, sent }) => outcome === 'DONE' && sent > answers),
    ),
  )
  transcript.print(`each tenant is answered again after ${secondsOf(Date.now() - answers)}`)
  await until('each tenant has events again', () =>
    followers.every((follower) => follower.metSince(answers).count > 0),
  )
  transcript.print(`each tenant’s feed goes on after ${secondsOf(Date.now() - answers)}`)
}

type Outage = { since: number; answers: number; isLost: (at: number) => boolean }

/** The tenants of the other nodes were answered, and their due work done, all the time. */
function assertServed(stage: Stage, { since, answers, isLost }: Outage): void {
  const { transcript, loads, followers } = stage
  const served = followers.filter((_, at) => !isLost(at)).map((one) => one.metSince(since, answers))
  const waited = followers.filter((_, at) => isLost(at)).map((one) => one.metSince(since, answers))
  const sum = (all: typeof served) => all.reduce((of, { count }) => of + count, 0)
  const longest = Math.max(...served.map(({ longest_ms }) => longest_ms))
  transcript.print(
    `events meanwhile: ${sum(served)} of the ${served.length} tenants of other nodes, at most ` +
      `${secondsOf(longest)} without one; ${sum(waited)} of its ${waited.length} tenants`,
  )
  if (longest > LONGEST_MS) throw new DrillFault('due work of a tenant of another node has waited')
  for (const [at, load] of loads.entries()) {
    if (isLost(at)) continue
    const gap = longestGap(load, 'authorization', since)
    if (gap > LONGEST_MS) throw new DrillFault(`a tenant of another node waited ${secondsOf(gap)}`)
  }
}
