/** Two processes of one database: one asks, the other is polled and gets the answer (D-510). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { hearOthers } from '#kit/db/connections/announcements.ts'
import { openDatabase } from '#kit/db/database.ts'
import { masterKeyWrapper } from '#kit/keys/keyring.ts'
import { newId } from '#lib/id.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const MASTER_KEY = randomBytes(32)
const world = await openWorld({ wrapper: masterKeyWrapper(MASTER_KEY) })
const own = openDatabase(world.url, 1)
after(async () => {
  await own.close()
  await world[Symbol.asyncDispose]()
})

test('the answer that another process accepts is used at once', async () => {
  const heard = new Set<string>()
  hearOthers(own.listen, (channel, tenant_id) => {
    heard.add(channel)
    world.services.notify(channel, tenant_id)
  })
  await sql`insert into installation (mode) values ('sandbox')`.execute(world.db)
  const DATA_DIR = dataFolder()
  const env = { DATABASE_URL: world.url, DATA_DIR, MASTER_KEY: MASTER_KEY.toString('hex') }
  const other = launch(env)
  const bank = await openIssuer(world)
  const { card_id } = await bank.card(500)
  const responder = { listener: true, timeout_ms: 3000 }
  assert.equal((await bank.call('PUT', '/v1/tenantsettings', { responder })).status, 200)
  await other.ready
  await until('this process hears others', async () => {
    await sql`select pg_notify('bezant', ${`${newId()} ${bank.tenant.id} probe`})`.execute(own.db)
    return heard.has('probe')
  })
  const questions = `${sandboxIn(DATA_DIR).base_url}/v1/simulate/responderrequests`
  const headers = { apikey: bank.tenant.api_key, 'content-type': 'application/json' }

  for (const approved of [true, false]) {
    const listening = fetch(`${questions}?wait=20`, { headers })
    const body = { card_id, amount: 100, currency: 'AED' }
    const paying = bank.call('POST', '/v1/simulate/authorizations', body)
    const { data } = (await (await listening).json()) as { data: { id: string }[] }
    const id = data[0]?.id ?? 'none'
    const answer = { method: 'POST', headers, body: JSON.stringify({ approved }) }
    assert.equal((await fetch(`${questions}/${id}:answer`, answer)).status, 200)
    const paid = (await paying).body
    assert.deepEqual([paid.id, paid.status_code], [id, approved ? '0000' : '1851'])
    const { checks } = (await bank.call('GET', `/v1/transactions/${id}/trace`)).body
    const { detail } = checks.find(({ check }: { check: string }) => check === 'responder')
    // If no notification came, it would be found at the end of the 3000 ms.
    assert.ok(Number(/listener after (\d+) ms/.exec(detail)?.[1]) < 3000, detail)
  }
  other.kill('SIGTERM')
  assert.equal(await other.ended, 0)
})
