/** A process that is killed in the middle of an import of a clearing file (D-1330). */

import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { sql } from 'kysely'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { form } from '#test/support/files.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { until } from '#test/support/services/receiver.ts'

/** An import stores a thousand at a time. */
const RECORDS = 1_500
const FUNDS = 10_000

const keep = keeper()
const platform = keep(await openKillable())
const crowd = await gatherCrowd(platform, { cards: 1, own_cards: 0, orders: 0 })
const [card] = crowd.stock.cards
const { card_number } = await crowd.made('GET', `/v1/cards/${card?.id}:reveal`)
const file = await clearingFile(
  Array.from({ length: RECORDS }, (_, at) =>
    presentment(String(card_number), 100n, { DE37: `K${String(at).padStart(11, '0')}` }),
  ),
)
const { headers, payload } = form({ name: 'file', value: file, file_name: 'T112.bin' })
const apikey = platform.sandbox.operator_key

/** Sends all of the file but its last bytes, and waits. */
function sendMost(): void {
  const { env } = platform
  const options = { port: env['PORT'], path: '/v1/operator/clearings', method: 'POST' }
  const sent = request({ host: '127.0.0.1', ...options, headers: { ...headers, apikey } })
  sent.on('error', () => {})
  sent.write(payload.subarray(0, -1_000))
}

async function counts(): Promise<{ files: number; checking: number; staged: number }> {
  const { rows } = await sql<{ files: number; checking: number; staged: number }>`
    select (select count(*)::int from clearing_files) as files,
      (select count(*)::int from clearing_files where state = 'CHECKING') as checking,
      (select count(*)::int from clearing_records) as staged`.execute(platform.db)
  const [row] = rows
  assert.ok(row)
  return row
}

test('the process is killed, and records of the file are stored', async () => {
  sendMost()
  await until('records are stored', async () => (await counts()).staged >= 1_000)
  await platform.kill()
  await platform.start()
  assert.equal((await counts()).checking, 1)
})

test('the same file works at once, and is posted once', async () => {
  const message = { method: 'POST', url: '/v1/operator/clearings', body: payload }
  const { status, text } = await platform.insist({ ...message, headers: { ...headers, apikey } })
  assert.equal(status, 200, text)
  assert.equal(JSON.parse(text).known, false)
  await until('all is posted', async () => {
    const { balance } = await crowd.made('GET', `/v1/accounts/${card?.account_id}`)
    return balance === FUNDS - RECORDS
  })
})

test('the import that was killed is cleared away, and doctor finds nothing', async () => {
  await sql`update clearing_files set checked = checked - interval '1 hour'
    where state = 'CHECKING'`.execute(platform.db)
  await until('no file is checked', async () => (await counts()).checking === 0)
  assert.deepEqual(await counts(), { files: 1, checking: 0, staged: RECORDS + 2 })
  await assertSound(platform.db)
  await platform.stop()
  assert.deepEqual(faultsOfLog(platform.lines()), [])
})
