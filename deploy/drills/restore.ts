/**
 * Backup, and restore to a moment: a base backup and the archived log of a server under load, a
 * disaster, and the platform as it was before it.
 */

import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from './fault.ts'
import type { Running } from './programs.ts'
import { makeFolderOfAccount } from './stage/account.ts'
import { openForWriting, restoreTo, takeBackup } from './stage/backup.ts'
import { examine } from './stage/doctor.ts'
import { effectsOf, timesOf } from './stage/effects.ts'
import { folderOf } from './stage/folder.ts'
import { KINDS, Load, type Request } from './stage/load.ts'
import * as platform from './stage/platform.ts'
import { makeServer, queryAt, runProgram, type Server } from './stage/postgres.ts'
import { buyAt } from './stage/purchase.ts'
import { refuse } from './stage/refusal.ts'
import type { Transcript } from './transcript.ts'

const CARDS = 40
/** The load before the backup, from it to the moment, and from the moment to the disaster. */
const BETWEEN_MS = 4_000
/** More than were issued after the moment. */
const SKIPPED_NUMBERS = 1_000
const DISASTER = 'truncate accounts cascade'

type Stage = {
  transcript: Transcript
  folder: string
  ports: platform.Ports
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  server: Server
  program: Running
  tenant: platform.Tenant
  load: Load
}

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const folder = folderOf(stack, transcript)
  const stage = await openStage(stack, folder, transcript)
  const { server, load } = stage

  transcript.step('A base backup while it works')
  const backup = takeBackup(server, folder, transcript)
  reportLoad(transcript, 'answered until its end', load)
  await pause(BETWEEN_MS)

  transcript.step('A moment, and what came after it')
  transcript.explain(
    'The work goes on after the moment that is noted; then the owner of the database empties the ' +
      'accounts by mistake.',
  )
  const moment = await momentOf(server)
  transcript.print(`the moment: ${moment.text}`)
  await pause(BETWEEN_MS)
  const lost = await suffer(stage, moment.ms)

  transcript.step('Restored to the moment')
  transcript.explain(
    'A copy of the base backup gets the settings of `deploy/postgresql/restore.conf`. What was ' +
      'answered before the moment has to be there, what was sent after it must not; what was on ' +
      'its way may be either.',
  )
  const restored = await restoreTo(backup, { folder, moment: moment.text, transcript })
  stack.defer(() => restored.kill())
  const env = { ...stage.env, DATABASE_URL: restored.url() }
  await examine(transcript, env, 'nothing')
  await openForWriting(restored, transcript)
  await compare(transcript, restored, { requests: load.requests, moment: moment.ms })

  await startAgain({ ...stage, env }, lost)
}

async function openStage(
  stack: AsyncDisposableStack,
  folder: string,
  transcript: Transcript,
): Promise<Stage> {
  transcript.step('A server that archives its log, and the program under load')
  transcript.explain(
    'The server has the settings of `deploy/postgresql/archive.conf`. One client issues cards, ' +
      'four load funds, and sixteen terminals authorize over ISO 8583, until the disaster.',
  )
  makeFolderOfAccount(join(folder, 'archive'))
  const server = await makeServer(join(folder, 'server'), ['archive.conf'])
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  const ports = await platform.freePorts()
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const program = stack.use(await platform.startProcess(env, ports))
  const tenant = await platform.makeTenant(ports, platform.operatorKey(env.DATA_DIR), CARDS)
  const load = new Load(tenant)
  await load.go([ports])
  load.start()
  await pause(BETWEEN_MS)
  return { transcript, folder, ports, env, server, program, tenant, load }
}

type Moment = { text: string; ms: number }

/** The moment by the server's clock, which is this machine's. */
async function momentOf(server: Server): Promise<Moment> {
  const [row] = await server.query<Moment>(
    `with t as (select clock_timestamp() as now)
    select now::text as text, extract(epoch from now)::float8 * 1000 as ms from t`,
  )
  if (!row) throw new DrillFault('the server has no clock')
  return row
}

/**
 * Empties a table as its owner, and ends everything. Returns the numbers of the cards that were
 * issued after the moment.
 */
async function suffer(stage: Stage, moment: number): Promise<string[]> {
  const { transcript, server, program, load, tenant, env, ports } = stage
  const cards = load.requests.filter(({ kind, sent }) => kind === 'card' && sent > moment)
  const numbers: string[] = []
  for (const { mark } of cards) {
    numbers.push(await platform.numberOf(ports, tenant.api_key, mark))
  }
  reportLoad(transcript, 'answered until the disaster', load)
  await queryAt(env.DATABASE_URL, DISASTER)
  transcript.print(`$ psql -c '${DISASTER}'`)
  await load.stop()
  program.kill('SIGTERM')
  await program.ended
  await examine(transcript, env, 'damage')
  const [archiver] = await server.query<{ line: string }>(
    `select archived_count || ' files archived, ' || failed_count || ' failures' as line
    from pg_stat_archiver`,
  )
  transcript.print(`$ psql -c 'select * from pg_stat_archiver'\n${archiver?.line}`)
  await server.stop()
  const unarchived = readdirSync(join(server.folder, 'pg_wal/archive_status')).filter((name) =>
    name.endsWith('.ready'),
  )
  if (unarchived.length > 0) throw new DrillFault(`not archived: ${unarchived.join(', ')}`)
  transcript.print('the server is stopped, and has archived all of its log')
  return numbers
}

function reportLoad(transcript: Transcript, what: string, { requests }: Load): void {
  const done = requests.filter(({ outcome }) => outcome === 'DONE')
  const counts = KINDS.map((kind) => `${done.filter((one) => one.kind === kind).length} ${kind}s`)
  transcript.print(`${what}: ${counts.join(', ')}`)
}

/** Every request answered before the moment is in effect once; none that was sent after it is. */
async function compare(
  transcript: Transcript,
  restored: Server,
  { requests, moment }: { requests: readonly Request[]; moment: number },
): Promise<void> {
  const effects = await effectsOf(restored.url(), requests)
  const faults: Request[] = []
  for (const kind of KINDS) {
    const done = requests.filter((one) => one.kind === kind && one.outcome === 'DONE')
    const before = done.filter(({ answered = Infinity }) => answered < Math.floor(moment))
    const after = done.filter(({ sent }) => sent > moment)
    const between = done.length - before.length - after.length
    const there = (some: readonly Request[]) => some.filter((one) => timesOf(effects, one) === 1)
    transcript.print(
      `${kind.padEnd(13)} answered before the moment ${before.length}, there ` +
        `${there(before).length}; sent after it ${after.length}, there ` +
        `${after.filter((one) => timesOf(effects, one) > 0).length}; on their way ${between}`,
    )
    faults.push(...before.filter((one) => timesOf(effects, one) !== 1))
    faults.push(...after.filter((one) => timesOf(effects, one) > 0))
  }
  if (faults.length > 0) throw new DrillFault(`${faults.length} are not as they should be`)
}

async function startAgain(stage: Stage, lost: readonly string[]): Promise<void> {
  const { transcript, env, ports, tenant } = stage
  transcript.step('The program does not start without the master key of that time')
  await refuse(transcript, { ...env, MASTER_KEY: '' }, 'without MASTER_KEY')
  const another = randomBytes(32).toString('hex')
  await refuse(transcript, { ...env, MASTER_KEY: another }, 'with another MASTER_KEY')

  transcript.step('With it, the platform is whole')
  transcript.explain(
    'Before the first start the numbers of the cards that were issued after the moment are ' +
      'passed over, so that no one else gets them.',
  )
  passOverNumbers(stage, env.DATABASE_URL)
  await using program = await platform.startProcess(env, ports)
  transcript.print(program.text().split('\n')[0] ?? '')
  await examine(transcript, env, 'nothing')
  await goOn(transcript, { ports, tenant, lost })
  program.kill('SIGTERM')
  transcript.print(`it has stopped with ${await program.ended}`)
}

/** The cards that were issued after the moment have numbers that people know. */
function passOverNumbers({ transcript, folder }: Stage, url: string): void {
  const numbers = `numbers=${SKIPPED_NUMBERS}`
  const file = join(folder, 'scripts', 'after_restore.sql')
  transcript.print(`$ psql $DATABASE_URL -v ${numbers} -f ${file}`)
  transcript.print(runProgram('psql', [url, '-v', numbers, '-f', file]))
}

type Whole = { ports: platform.Ports; tenant: platform.Tenant; lost: readonly string[] }

/** A number of before is read, a card is issued with a new number, and a purchase is approved. */
async function goOn(transcript: Transcript, { ports, tenant, lost }: Whole): Promise<void> {
  const { api_key, cards, card } = tenant
  const [first] = cards
  if (!first || (await platform.numberOf(ports, api_key, first.id)) !== first.pan) {
    throw new DrillFault('a card has another number than before')
  }
  transcript.print('the number of a card from before the moment is read, and is the same')
  const { id } = await platform.made(ports, api_key, ['POST', '/cards'], card)
  if (lost.includes(await platform.numberOf(ports, api_key, id))) {
    throw new DrillFault('a new card has the number of one that is lost')
  }
  transcript.print('a new card has a number that none of the cards after the moment had')
  transcript.print(`a purchase over ISO 8583 is answered ${await buyAt(ports.network, first.pan)}`)
}
