/** The connections of networks as the operator sees them, of all processes (D-1310). */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { keeper } from '#test/support/keeper.ts'
import { NETWORK } from '#test/support/network/networks.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'
import { deleteLines, deleteOldLines, type NetworkState, upsertLines } from './networks.ts'

const keep = keeper()
const world = keep(await openWorld())
const OTHER = { ...NETWORK, name: 'other', mac: null, zmk_file: null, bins: ['400000'] }
world.setNetworks([NETWORK, OTHER])
beforeEach(() => world.db.deleteFrom('network_lines').execute())

const line = { address: '192.0.2.1:9100', signed_on: true, open_ms: 60_000, silent_ms: 2_000 }
const state: NetworkState = { name: NETWORK.name, lines: [line], mac_failures: 1, refused: 3 }

async function read(name = NETWORK.name) {
  const { body } = await world.request('GET', '/v1/operator/networks', undefined, {
    key: world.operator_key,
  })
  return body.data.find((one: { name: string }) => one.name === name)
}
const age = (id: string, by: string) =>
  sql`
  update network_lines set seen = now() - ${by}::interval where process_id = ${id}`.execute(
    world.db,
  )

test('a network has the connections of all processes, and the sums of their counts', async () => {
  const [one, other] = [newId(), newId()]
  await upsertLines(world.db, one, [state, { ...state, name: 'other', lines: [] }])
  const silent = { ...line, signed_on: false, silent_ms: null }
  await upsertLines(world.db, other, [{ ...state, lines: [silent] }])
  const { connections, mac_failures, messages_refused } = await read()
  assert.deepEqual([mac_failures, messages_refused, connections.length], [2, 6, 2])
  const [first, second] = connections
  assert.deepEqual([first.process_id, first.signed_on], [one, true])
  assert.equal(Date.parse(first.last_message) - Date.parse(first.opened), 58_000)
  assert.deepEqual([second.process_id, second.signed_on], [other, false])
  assert.ok(!('last_message' in second))
  assert.deepEqual((await read('other')).connections, [])
})

test('a process that writes again, stops or is gone does not leave connections behind', async () => {
  const id = newId()
  await upsertLines(world.db, id, [state])
  await upsertLines(world.db, id, [{ ...state, lines: [], mac_failures: 2 }])
  assert.partialDeepStrictEqual(await read(), { connections: [], mac_failures: 2 })
  await deleteLines(world.db, id)
  assert.equal((await read()).mac_failures, 0)
  const killed = newId()
  await upsertLines(world.db, killed, [state])
  await age(killed, '61 seconds')
  assert.partialDeepStrictEqual(await read(), { connections: [], mac_failures: 0 })
  await deleteOldLines(world.db)
  const rows = () => world.db.selectFrom('network_lines').select('process_id').execute()
  assert.equal((await rows()).length, 1)
  await age(killed, '25 hours')
  await deleteOldLines(world.db)
  assert.deepEqual(await rows(), [])
})

test('a network shows its settings, and none of its keys', async () => {
  assert.partialDeepStrictEqual(await read(), {
    ...{ role: 'connect', addresses: ['scheme.example:9100'], dialect: 'bcd', header: 'binary2' },
    ...{ envelope: 'none', sign_on: 'us', echo_seconds: 30, deadline_ms: 1_500 },
    ...{ codes: 'generic', billing: 'own', mac_algorithm: 'iso9797_3', mac_required: true },
    has_keys: true,
  })
  const { bins, has_keys, mac_algorithm } = await read('other')
  assert.deepEqual([bins, has_keys, mac_algorithm], [['400000'], false, undefined])
})

test('networks are for the operator and its team', async () => {
  const ask = (key: string) => world.request('GET', '/v1/operator/networks', undefined, { key })
  assert.equal((await ask(world.tenant.api_key)).status, 403)
  const { browser } = await memberWith(world, 'operator_support', null)
  assert.equal((await browser.ask('GET', '/v1/operator/networks')).status, 200)
})
