/**
 * A clearing file that appears in a watched folder, while each of two processes and the database
 * are killed at every portion of it: each record is posted once, and the file balances.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { freePort, openKillable } from '#test/support/processes/killable.ts'
import { type Launched, launch } from '#test/support/processes/process.ts'
import { openStoppable } from '#test/support/processes/stoppable.ts'
import { until } from '#test/support/services/receiver.ts'

const deep = process.env['TEST_DEEP'] === '1'
/** Records that a process claims at once. */
const PORTION = 256
const PORTIONS = deep ? 40 : 3
const RECORDS = PORTION * PORTIONS
const CARDS = 8
const FUNDS = 10_000

const keep = keeper()
const server = await openStoppable()
// It drops the server.
const platform = keep(await openKillable(server))
const crowd = await gatherCrowd(platform, { cards: CARDS, own_cards: 0, orders: 0 })
const pans = await Promise.all(
  crowd.stock.cards.map(async ({ id }) => {
    const { card_number } = await crowd.made('GET', `/v1/cards/${id}:reveal`)
    return String(card_number)
  }),
)

const folder = mkdtempSync(join(tmpdir(), 'bezant-clearing-'))
const networks = join(folder, 'networks.json')
const place = mkdtempSync(join(folder, 'place-'))
writeFileSync(
  networks,
  JSON.stringify([
    {
      ...{ name: 'scheme', role: 'listen', addresses: [`127.0.0.1:${await freePort()}`] },
      clearing: { folder: place, look_s: 1 },
    },
  ]),
)
Object.assign(platform.env, { NETWORKS_FILE: networks })

let second: Launched | undefined
const launched: Launched[] = []
async function startSecond(): Promise<void> {
  const own = { ROLES: 'worker', PORT: await freePort(), NETWORK_PORT: await freePort() }
  second = launch({ ...platform.env, ...own })
  launched.push(second)
  await second.ready
}
async function killSecond(): Promise<void> {
  second?.kill('SIGKILL')
  await second?.ended
}
after(async () => {
  await killSecond()
  rmSync(folder, { recursive: true, force: true })
})

type Victim = 'first' | 'second' | 'database' | 'both'

async function kill(victim: Victim): Promise<void> {
  if (victim === 'database') {
    await server.end('SIGKILL')
    await server.start()
    return
  }
  if (victim !== 'second') await platform.kill()
  if (victim !== 'first') await killSecond()
  if (victim !== 'second') await platform.start()
  if (victim !== 'first') await startSecond()
}

/** The database may be away for a moment. */
async function holds(condition: RawBuilder<unknown>): Promise<boolean> {
  const asked = sql<{ holds: boolean }>`select ${condition} as holds`.execute(platform.db)
  return (await asked.catch(() => undefined))?.rows[0]?.holds === true
}

/** The time of what a killed process had in hand is over. */
async function endLeases(): Promise<void> {
  const ended = (text: RawBuilder<unknown>) => text.execute(platform.db).catch(() => undefined)
  await ended(sql`update clearing_places set due = now() where due > now() + interval '2 seconds'`)
  await ended(sql`
    update clearing_records set claimed = now() - interval '1 second'
    where claimed > now()`)
}

const isStaged = sql`exists (select from clearing_records)`
const hasPosted = (count: number) =>
  sql`(select count(*) from clearing_records where state = 'POSTED') >= ${count}`

const moments: [what: string, victim: Victim, hasCome: RawBuilder<unknown>][] = [
  ['records are read', 'both', isStaged],
  ...Array.from({ length: PORTIONS }, (_, at): [string, Victim, RawBuilder<unknown>] => {
    const victim = (['first', 'database', 'second'] as const)[at % 3] ?? 'both'
    return [`portion ${at + 1} is posted`, victim, hasPosted(at * PORTION + 1)]
  }),
]

describe(`${RECORDS} records of ${CARDS} cards`, () => {
  test('the file appears', async () => {
    await platform.kill()
    await platform.start()
    await startSecond()
    const records = Array.from({ length: RECORDS }, (_, at) =>
      presentment(pans[at % CARDS] ?? '', 100n, { DE37: `K${String(at).padStart(11, '0')}` }),
    )
    writeFileSync(join(place, '.T112'), await clearingFile(records))
    renameSync(join(place, '.T112'), join(place, 'T112'))
  })

  for (const [what, victim, hasCome] of moments) {
    test(`${what}: ${victim} killed, and back`, async () => {
      await until(what, () => holds(hasCome))
      await kill(victim)
      await endLeases()
    })
  }

  test('each record is posted once, and the file balances', async (t) => {
    await until('all is posted', async () => {
      await endLeases()
      return holds(hasPosted(RECORDS))
    })
    await until('the file is put away', async () => {
      await endLeases()
      return readdirSync(place).includes('T112.done')
    })
    const { rows } = await sql<{ files: number; records: number; transactions: number }>`
      select (select count(*)::int from clearing_files where state = 'ACCEPTED') as files,
        (select count(*)::int from clearing_records r join clearing_files f on f.id = r.file_id
          where f.state = 'ACCEPTED') as records,
        (select count(*)::int from transactions, json_array_elements(details -> 'events') e
          where e ->> 'by_file' = 'true') as transactions`.execute(platform.db)
    const expected = { files: 1, records: RECORDS + 2, transactions: RECORDS }
    assert.deepEqual(rows[0], expected)
    for (const { account_id } of crowd.stock.cards) {
      const { balance } = await crowd.made('GET', `/v1/accounts/${account_id}`)
      assert.equal(balance, FUNDS - RECORDS / CARDS)
    }
    await assertSound(platform.db)
    t.diagnostic(`${moments.length} kills`)
  })

  test('no process met an error that it did not expect', async () => {
    second?.kill('SIGTERM')
    assert.equal(await second?.ended, 0)
    await platform.stop()
    const lines = launched.flatMap((one) => [...one.output().split('\n'), ...one.errors()])
    assert.deepEqual(faultsOfLog([...platform.lines(), ...lines]), [])
  })
})
