/**
 * A rolling upgrade under load: two versions decide side by side on one database, the clients move
 * to the newer one, and back. Then a version beside which the older one cannot work.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from './fault.ts'
import type { Running } from './programs.ts'
import { compare, doneOf, printGaps, secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import { KINDS, Load } from './stage/load.ts'
import { makeNext, makeThird, type Version } from './stage/next_version.ts'
import * as platform from './stage/platform.ts'
import { makeServer, queryAt } from './stage/postgres.ts'
import { buyAt } from './stage/purchase.ts'
import { refuse } from './stage/refusal.ts'
import type { Transcript } from './transcript.ts'

const CARDS = 40
/** Four processes start under the load, each of which keeps a core busy for a second or two. */
const SLOWER = 2
/** Time of load in each state of the upgrade. */
const BETWEEN_MS = 4_000
/** A report or a dump that reads a table while it is to be changed. */
const READING_S = 6
const READING = `select pg_sleep(${READING_S}) from transactions limit 1`
const ROLES = ['api,network,worker', 'api,network']

const TRIED =
  'Before clients are sent to a process that is new, a purchase with each card is tried there.'

type Process = { ports: platform.Ports; running: Running }

type Stage = {
  transcript: Transcript
  stack: AsyncDisposableStack
  folder: string
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  tenant: platform.Tenant
  older: Process[]
  load: Load
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const stage = await openStage(stack, folderOf(stack, transcript), transcript)
  const next = makeNext(join(stage.folder, 'next'))
  await pause(BETWEEN_MS)
  assertCalm(stage.load)
  const newer = await upgrade(stage, next)
  await goBack(stage, newer)

  transcript.step('Every answer is in effect once')
  transcript.explain(
    'Each request was sent once: none was declined, none was answered by an error or not at all, ' +
      'and none had to be sent again.',
  )
  await stage.load.stop()
  await compare(transcript, stage.env.DATABASE_URL, stage.load.requests, { all: true })
  for (const [name, root] of [['the older version'], ['the newer version', next.root]] as const) {
    transcript.print(`${name}:`)
    await examine(transcript, stage.env, 'nothing', root)
  }
  await contract(stage, next)
}

async function openStage(
  stack: AsyncDisposableStack,
  folder: string,
  transcript: Transcript,
): Promise<Stage> {
  transcript.step('Two processes under load')
  transcript.explain(
    'One client issues cards, four load funds, and sixteen terminals authorize over ISO 8583, ' +
      'in turn at all processes that serve.',
  )
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const begun = { transcript, stack, folder, env }
  const older = await startBoth(begun)
  const [first] = older
  if (!first) throw new DrillFault('there is no process')
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenant = await platform.makeTenant(first.ports, operator, CARDS)
  const load = new Load(tenant, { slower: SLOWER })
  await load.go(portsOf(older))
  load.start()
  return { ...begun, tenant, older, load }
}

/** Both processes of a version, one behind the other; the present version has no root. */
async function startBoth(
  { transcript, stack, env }: Pick<Stage, 'transcript' | 'stack' | 'env'>,
  root?: string,
): Promise<Process[]> {
  const processes: Process[] = []
  for (const roles of ROLES) {
    const ports = await platform.freePorts()
    const running = stack.use(await platform.startProcess({ ...env, ROLES: roles }, ports, root))
    processes.push({ ports, running })
    transcript.print(`${/^.* is ready after .*$/m.exec(running.text())?.[0]} (ROLES=${roles})`)
  }
  return processes
}

/** A later failure has to be caused by the upgrade. */
function assertCalm({ requests }: Load): void {
  const failed = requests.filter(({ outcome, repeats }) => outcome !== 'DONE' || repeats.length > 0)
  if (failed.length === 0) return
  throw new DrillFault(
    `the machine is too busy: before the upgrade ${failed.length} requests failed`,
  )
}

async function upgrade(stage: Stage, next: Version): Promise<Process[]> {
  const { transcript, env } = stage
  transcript.step('The newer version starts beside the older one, and migrates')
  transcript.explain(
    'Its migrations add a column to four large tables, among them that of transactions, a table ' +
      `and an index. The load goes on at the older version, and a report reads the transactions ` +
      `for ${READING_S} seconds.`,
  )
  const since = Date.now()
  const reading = queryAt(env.DATABASE_URL, READING)
  const newer = await startBoth(stage, next.root)
  await reading
  for (const name of next.migrations) transcript.print(`applied: ${name}`)
  report(stage, since)

  transcript.step('Both versions decide side by side')
  transcript.explain(TRIED)
  await tryOut(stage, newer)
  await serve(stage, [...stage.older, ...newer])

  transcript.step('The clients move to the newer version, and the older one is stopped')
  await replace(stage, { by: newer, leaving: stage.older })
  return newer
}

async function goBack(stage: Stage, newer: Process[]): Promise<void> {
  const { transcript } = stage
  transcript.step('The way back: the older version starts beside the newer schema')
  transcript.explain('Nothing is restored: the migrations have left what the older version needs.')
  const since = Date.now()
  stage.older = await startBoth(stage)
  report(stage, since)
  await tryOut(stage, stage.older)
  await serve(stage, [...newer, ...stage.older])
  await replace(stage, { by: stage.older, leaving: newer })
}

async function contract(stage: Stage, next: Version): Promise<void> {
  const { transcript, env, older } = stage
  transcript.step('A version beside which the older one cannot work')
  transcript.explain(
    'Its migration takes away what the older version needs, so it names no older program. A ' +
      'process that runs is not ready any more, and none is started.',
  )
  const third = makeThird(next)
  const newest = await startBoth(stage, third.root)
  for (const name of third.migrations) transcript.print(`applied: ${name}`)
  for (const { ports } of older) {
    const reply = await fetch(`http://127.0.0.1:${ports.http}/readyz`)
    transcript.print(`GET /readyz of the older version: ${reply.status} ${await reply.text()}`)
    if (reply.status !== 503) throw new DrillFault('the older version is ready')
  }
  await stopAll(stage, older)
  await refuse(transcript, env, 'the older version')
  await stopAll(stage, newest)
}

const portsOf = (processes: readonly Process[]) => processes.map(({ ports }) => ports)

/** A purchase with each card at each process, before clients go there. */
async function tryOut({ transcript, tenant }: Stage, processes: readonly Process[]): Promise<void> {
  for (const { ports } of processes) {
    for (const { pan } of tenant.cards) await buyAt(ports.network, pan)
    transcript.print(`${tenant.cards.length} purchases are approved by the process that is new`)
  }
}

/** Lets these processes share the load for a while. */
async function serve(stage: Stage, processes: readonly Process[]): Promise<void> {
  const since = Date.now()
  await stage.load.go(portsOf(processes))
  await pause(BETWEEN_MS)
  report(stage, since)
}

type Change = { by: readonly Process[]; leaving: readonly Process[] }

async function replace(stage: Stage, { by, leaving }: Change): Promise<void> {
  const since = Date.now()
  await stage.load.go(portsOf(by))
  await stopAll(stage, leaving)
  await pause(BETWEEN_MS)
  report(stage, since)
}

async function stopAll(
  { transcript }: Pick<Stage, 'transcript'>,
  processes: readonly Process[],
): Promise<void> {
  for (const { running } of processes) {
    running.kill('SIGTERM')
    const code = await running.ended
    transcript.print(`SIGTERM: a process has stopped with ${code}`)
    if (code !== 0) throw new DrillFault(running.text())
  }
}

/** Requests sent and answered since, the slowest answer, and the longest time without any. */
function report({ transcript, load }: Stage, since: number): void {
  const seconds = (Date.now() - since) / 1000
  const done = KINDS.map((kind) => ({
    kind,
    waits: doneOf(load, kind).flatMap(({ sent, answered = sent }) =>
      sent >= since ? [answered - sent] : [],
    ),
  }))
  const counts = done.map(({ kind, waits }) => `${Math.round(waits.length / seconds)} ${kind}s`)
  transcript.print(`answered each second of ${secondsOf(seconds * 1000)}: ${counts.join(', ')}`)
  const slowest = done.map(({ kind, waits }) => `${kind} ${secondsOf(Math.max(0, ...waits))}`)
  transcript.print(`the slowest answers: ${slowest.join(', ')}`)
  printGaps(transcript, load, since)
}
