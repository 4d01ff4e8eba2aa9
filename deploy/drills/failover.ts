/**
 * Failover under load: a primary whose commits wait for a standby is killed, the standby is
 * promoted, and the program goes on there by itself. Then the other server is made the standby, and
 * it happens again.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Running } from './programs.ts'
import { compare, doneOf, printGaps, secondsOf } from './stage/answers.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import { freePort } from './stage/free_port.ts'
import { KINDS, Load } from './stage/load.ts'
import * as platform from './stage/platform.ts'
import { makeServer, type Server } from './stage/postgres.ts'
import { makeStandby, promote, waitForStandby } from './stage/standby.ts'
import { until } from './stage/until.ts'
import type { Transcript } from './transcript.ts'

const CARDS = 40
/** How the primary is lost, each time. */
const LOSSES = [
  {
    title: 'The primary is killed',
    text:
      'All processes of the primary are killed at once, and the standby is promoted. Nothing is ' +
      'done to the program: it finds the other host of `DATABASE_URL`.',
    lose: (primary: Server) => primary.kill(),
  },
  {
    title: 'The new primary is killed',
    text: 'The servers have changed places.',
    lose: (primary: Server) => primary.kill(),
  },
  {
    title: 'And once more',
    text: 'The first one is the primary again.',
    lose: (primary: Server) => primary.kill(),
  },
  {
    title: 'The primary falls silent',
    text:
      'As a machine that is cut off: all of its processes are stopped, so that connections to it ' +
      'stay open, and new ones are accepted, without an answer.',
    lose: async (primary: Server) => primary.freeze(),
  },
] as const
/** Time of load before each loss of a primary. */
const BETWEEN_MS = 4_000

type Stage = {
  transcript: Transcript
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  primary: Server
  standby: Server
  program: Running
  load: Load
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const stage = await openStage(stack, folderOf(stack, transcript), transcript)
  for (const { title, text, lose } of LOSSES) {
    transcript.step(title)
    transcript.explain(text)
    await pause(BETWEEN_MS)
    await failOver(stage, lose)
    await bringBack(stage)
  }

  transcript.step('Everything that was answered is there')
  transcript.explain(
    'A request over HTTP is sent again under its key until it is answered. An authorization is ' +
      'sent once; where the answer is 91, or none comes, the network reverses it, and it may be ' +
      'either.',
  )
  await stage.load.stop()
  await compare(transcript, stage.primary.url(), stage.load.requests)
  await examine(transcript, stage.env, 'nothing')
  stage.program.kill('SIGTERM')
  transcript.print(
    `the program, which was started once, has stopped with ${await stage.program.ended}`,
  )
}

async function openStage(
  stack: AsyncDisposableStack,
  folder: string,
  transcript: Transcript,
): Promise<Stage> {
  transcript.step('A primary and its standby, and the program under load')
  transcript.explain(
    'Both servers have the settings of `deploy/postgresql/replication.conf`. One client issues ' +
      'cards, four load funds, and sixteen terminals authorize over ISO 8583, until the end.',
  )
  const primary = await makeServer(join(folder, 'one'), ['replication.conf'])
  const place = { folder: join(folder, 'two'), port: await freePort() }
  transcript.print(await primary.version())
  const standby = await makeStandby(primary, { ...place, transcript })
  await waitForStandby(primary, transcript)
  const DATABASE_URL = addressOf(primary, standby)
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL, DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const ports = await platform.freePorts()
  const program = await platform.startProcess(env, ports)
  const load = new Load(await platform.makeTenant(ports, platform.operatorKey(env.DATA_DIR), CARDS))
  const stage = { transcript, env, primary, standby, program, load }
  stack.defer(() => Promise.all([stage.primary.kill(), stage.standby.kill()]).then(() => {}))
  stack.use(program)
  await load.go([ports])
  load.start()
  return stage
}

/** The URL as an operator writes it: both servers, in any order. */
function addressOf(one: Server, two: Server): string {
  const url = new URL(one.url())
  return one.url().replace(url.host, `${url.host},127.0.0.1:${two.port}`)
}

/** Loses the primary, and promotes the standby, which is the primary from then on. */
async function failOver(stage: Stage, lose: (of: Server) => Promise<void>): Promise<void> {
  const { transcript, primary, standby, load } = stage
  const lost = Date.now()
  await lose(primary)
  transcript.print('the primary is lost')
  await promote(standby, transcript)
  const promoted = Date.now()
  stage.primary = standby
  stage.standby = primary
  await until('each kind of request is answered by the promoted server', () =>
    KINDS.every((kind) => doneOf(load, kind).some(({ sent }) => sent > promoted)),
  )
  transcript.print(`the standby takes writes ${secondsOf(promoted - lost)} later`)
  printGaps(transcript, load, lost)
}

/** The lost server becomes the standby of the promoted one, while that one works. */
async function bringBack(stage: Stage): Promise<void> {
  const { transcript, primary, standby: lost } = stage
  await lost.kill()
  stage.standby = await makeStandby(primary, { ...lost, transcript })
  await waitForStandby(primary, transcript)
}
