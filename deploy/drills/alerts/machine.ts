/** Conditions of the database, the jobs and the processes, and what an exporter stands in for. */

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { firstIdAt } from '#lib/id.ts'
import { DrillFault } from '../fault.ts'
import { locate, run } from '../programs.ts'
import { openEndpoint } from './outside.ts'
import { buy, type Codes, type Platform, type Process, sumOf } from './platform.ts'
import type { Stage } from './stage.ts'

const HOUR_MS = 3_600_000
/** Then a purchase is given up and the next one made. */
const SOON_MS = 1_000
/** A card network has given up by then. */
const LATE_MS = 8_000

export async function freezeDatabase(stage: Stage): Promise<void> {
  const { transcript, database, platform, network, card } = stage
  transcript.step('The database stops for 8 s under traffic, then twice for 3 s')
  let isOver = false
  // There are so many that a batch is being written at any time.
  const buying = Array.from({ length: 64 }, async () => {
    const codes: Codes[] = []
    for (; !isOver; await pause(5)) codes.push(await buy(network, card, 1, SOON_MS))
    return codes
  })
  await pause(1_000)
  const frozen = database.freeze(8_000)
  const asked = Array.from({ length: 10 }, () => askFor(platform, 7_000))
  const statuses = (await Promise.all(asked)).flat()
  const kinds = [...new Set(statuses)].join(' and ')
  transcript.print(`${statuses.length} API requests were answered ${kinds}`)
  await frozen
  isOver = true
  const codes = sumOf((await Promise.all(buying)).flat())
  transcript.print(`Purchases meanwhile, 64 at any time: ${JSON.stringify(codes)}`)
  await stage.fire([
    ...['BezantDatabaseAway', 'BezantAuthorizationsFailing'],
    ...['BezantHttpErrors', 'BezantHttpSlow'],
  ])
  for (let time = 0; time < 2; time += 1) {
    await database.freeze(3_000)
    await pause(2_000)
  }
  await stage.fire(['BezantDatabaseUnsteady'])
}

export async function holdCommits(stage: Stage): Promise<void> {
  const { transcript, database, network, card } = stage
  transcript.step('Commits wait for 6 s for a synchronous replica that is not there')
  await database.query("alter system set synchronous_standby_names = 'missing'")
  await database.query('select pg_reload_conf()')
  await pause(500)
  const bought = buy(network, card, 20, LATE_MS)
  await pause(6_000)
  await database.query('alter system reset synchronous_standby_names')
  await database.query('select pg_reload_conf()')
  transcript.print(`20 purchases were answered ${JSON.stringify(await bought)}`)
  await stage.fire(['BezantAuthorizationsTooLate'])
}

/** One request after another, for so long; their statuses. */
async function askFor(platform: Platform, ms: number): Promise<number[]> {
  const statuses: number[] = []
  for (const end = performance.now() + ms; performance.now() < end; await pause(100)) {
    statuses.push((await platform.ask('GET', '/v1/users')).status)
  }
  return statuses
}

export async function takeConnections(stage: Stage): Promise<void> {
  const { transcript, database, platform } = stage
  transcript.step('More requests wait for a locked table than there are connections')
  const release = await database.hold('lock table users in access exclusive mode')
  const asked = Array.from({ length: 30 }, () => askFor(platform, 8_000))
  const refused = (await Promise.all(asked)).flat().filter((status) => status === 503)
  await release()
  transcript.print(`${refused.length} requests were answered 503`)
  await stage.fire(['BezantDatabaseConnectionsAwaited', 'BezantDatabaseConnectionsRefused'])
}

/** A due hold whose account another session keeps locked. Returns what ends the lock. */
export async function blockSweep(stage: Stage): Promise<() => Promise<void>> {
  const { transcript, database, platform, network } = stage
  transcript.step('Another session keeps an account locked whose hold has come to its end')
  const card = await platform.card()
  await buy(network, card, 1)
  const past = "hold_expires = now() - interval '1 hour'"
  await database.query(`update transactions set ${past} where card_id = $1`, [card.id])
  transcript.explain('What comes of it takes two minutes, and is awaited below.')
  return database.hold(`select from accounts where id = '${card.account_id}' for update`)
}

export async function awaitSweep(stage: Stage): Promise<void> {
  stage.transcript.step('The account is still locked')
  await stage.fire(['BezantSweepLate', 'BezantJobNotSucceeding'], 180_000)
}

export async function leaveRows(stage: Stage): Promise<void> {
  const { transcript, database, platform, network, card } = stage
  transcript.step('Rows wait in the queues of the database')
  transcript.explain(
    'The feed of the tenant is locked, and an event is made 10 minutes older by SQL. An approval ' +
      'to be reversed that is tried tomorrow, a pending audit record and a mail, an hour old ' +
      'each, are written by SQL: nobody waits for so long here. So are three batches of cards ' +
      'of no product, two hours old.',
  )
  const { id } = platform.keys().tenant
  const release = await database.hold(`select from feeds where tenant_id = '${id}' for update`)
  await buy(network, card, 1)
  const older = "created = created - interval '10 minutes'"
  await database.query(`update events set ${older} where place is not null`)
  await database.query(
    `insert into unanswered_approvals (tenant_id, message_key, answer_number, transaction_id,
       processing_code, amount, due, created)
     values ($1, 'drill', 1, gen_random_uuid(), '000000', 1, now() + interval '1 day',
       now() - interval '1 hour')`,
    [id],
  )
  const record = firstIdAt(Date.now() - HOUR_MS)
  await database.query('insert into audit_pending (tenant_id, record_id) values ($1, $2)', [
    id,
    record,
  ])
  await database.query(
    `insert into mails (id, to_address, subject, sealed_content, created, due, expires)
     values (gen_random_uuid(), 'a@example.com', 'Drill', '', now() - interval '1 hour',
       now() + interval '1 day', now() + interval '2 days')`,
  )
  await leaveBatches(database, id)
  await stage.fire([
    ...['BezantFeedBehind', 'BezantReversalsOverdue'],
    ...['BezantAuditChainBehind', 'BezantMailsUndelivered'],
    ...['BezantCardOrdersFail', 'BezantCardOrdersWait'],
  ])
  await release()
}

/** Batches of cards of no product: no attempt at one succeeds. */
async function leaveBatches(database: Stage['database'], tenant_id: string): Promise<void> {
  await database.query(
    `insert into card_orders (tenant_id, id, card_product_id, state, bureau, file_name, count, due,
       created, modified)
     select $1, gen_random_uuid(), gen_random_uuid(), 'PREPARING', 'drill', 'drill-' || n, 1, now(),
       now() - interval '2 hours', now() from generate_series(1, 3) n`,
    [tenant_id],
  )
  await database.query(
    `insert into due_work (tenant_id, kind, due) values ($1, 'card orders', now())
     on conflict (tenant_id, kind) do update set due = now()`,
    [tenant_id],
  )
}

export async function breakProcess(stage: Stage): Promise<void> {
  const { transcript, platform, folder } = stage
  transcript.step('A process has a wrong clock, a certificate that ends, and no time')
  const certificate = makeCertificate(folder)
  const shift = ['--import', './test/support/processes/shifted_clock.ts']
  const env = { ...certificate, CLOCK_SHIFT_MS: '30000' }
  let process = await platform.start('network', { env, flags: shift })
  const { address } = process
  stage.also(address)
  transcript.print('Its clock is 30 s ahead, and the certificate of its port ends in 10 days.')
  await stage.fire(['BezantClockOff', 'BezantCertificateEnding'])
  transcript.print('It is stopped by signals for 0.7 s of each second, for 15 s.')
  await stutter(process)
  await stage.fire(['BezantEventLoopBlocked'])
  transcript.step('It is killed and started three times, then it stays away')
  const port = Number(address.split(':')[1])
  for (let time = 0; time < 3; time += 1) {
    await kill(process)
    process = await platform.start('network', { port })
    await pause(2_500)
  }
  await kill(process)
  await stage.fire(['BezantRestarting', 'BezantDown'])
}

async function stutter({ kill: signal }: Process): Promise<void> {
  for (let second = 0; second < 15; second += 1) {
    signal('SIGSTOP')
    await pause(700)
    signal('SIGCONT')
    await pause(300)
  }
}

async function kill(process: Process): Promise<void> {
  process.kill('SIGKILL')
  await process.ended
}

function makeCertificate(folder: string): Record<string, string> {
  const [cert, key] = [join(folder, 'port.pem'), join(folder, 'port.key')]
  const made = run(locate('openssl', 'openssl'), [
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '10', '-subj', '/CN=localhost'],
    ...['-keyout', key, '-out', cert],
  ])
  if (made.code !== 0) throw new DrillFault(made.output)
  return { NETWORK_TLS_CERT: cert, NETWORK_TLS_KEY: key }
}

export async function standIn(stage: Stage): Promise<void> {
  const { transcript } = stage
  transcript.step('An exporter of the drill shows what is not caused here')
  transcript.explain(
    'A process of an older version, one that has 900 of 1,000 file descriptors open, and ' +
      'exchanges that are not recorded: these three metrics are not those of the program.',
  )
  let scrapes = 0
  await using exporter = await openEndpoint(() => {
    scrapes += 1
    return { status: 200, body: `${SHOWN}bezant_wire_messages_dropped_total ${scrapes}\n` }
  })
  stage.also(exporter.address)
  await stage.fire([
    ...['BezantVersionsMixed', 'BezantFileDescriptorsNearLimit', 'BezantWireMessagesDropped'],
  ])
}

const SHOWN = `bezant_info{version="0.0.1",mode="sandbox",roles="api"} 1
bezant_process_open_fds 900
bezant_process_max_fds 1000
`
