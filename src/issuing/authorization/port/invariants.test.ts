/** A decision that does not add up is 96 for its message alone, is kept nowhere, and is counted. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { openWorld } from '#test/support/world.ts'
import { createTenantFinder } from '../authorization.ts'
import { metrics } from '../metrics.ts'
import { createNetworkPort } from './port.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)

async function openPort() {
  const { engine, services, log } = world
  const network = keep(
    createNetworkPort({
      host: '127.0.0.1',
      port: 0,
      dialect: 'ascii',
      header: 'binary2',
      log,
      engine: { submit: engine.submit.bind(engine), tenantOfPan: createTenantFinder(services) },
    }),
  )
  const { port } = await network.listen()
  const acquirer = keep(await connectAcquirer({ port, dialect: 'ascii' }))
  await acquirer.signOn()
  return acquirer
}

/** Less than nothing was refunded. */
const FOREIGN = JSON.stringify({
  rate: '1',
  held: '0',
  cleared: '10000',
  refunded: '-100000',
  settled: '10000',
})

const counted = async () => {
  const { values } = await metrics.networkUndecided.get()
  return values.find(({ labels }) => labels.reason === 'invariant')?.value
}

test('a refund to a row that cannot be is 96, and the payments beside it are approved', async () => {
  const { card_id, account_id } = await issuer.card(100_000)
  const pan = await panOf(card_id)
  const acquirer = await openPort()
  const request = sale({ pan, amount: 10_000n, mti: '0200' })
  const rrn = request.fields[37] ?? ''
  assert.equal((await acquirer.send(request)).fields[39], '00')
  const { id: tenant_id } = world.tenant
  // In a column no constraint would let it pass.
  await sql`update transactions set details = jsonb_set(details::jsonb, '{foreign}', ${FOREIGN}::jsonb)::json
    where tenant_id = ${tenant_id} and card_id = ${card_id}`.execute(world.db)
  const state = async () => {
    const { rows } = await sql`
      select a.balance, a.held, (select count(*)::int from transactions t
        where t.tenant_id = a.tenant_id and t.account_id = a.id) as transactions
      from accounts a where a.tenant_id = ${tenant_id} and a.id = ${account_id}`.execute(world.db)
    return rows
  }
  const before = await state()
  const fields = { 3: '200000', 37: rrn }
  const refund = sale({ pan, amount: 1_000n, mti: '0200', fields })
  const other = await panOf((await issuer.card(100_000)).card_id)
  const [found, beside] = await Promise.all([
    acquirer.send(refund),
    acquirer.send(sale({ pan: other, amount: 1_000n })),
  ])
  assert.equal(found.fields[39], '96')
  assert.equal(beside.fields[39], '00')
  assert.deepEqual(await state(), before)
  assert.equal(await counted(), 1)
  assert.ok(world.logged.some((line) => line.includes('InvariantViolated')))
})

const panOf = async (card_id: string): Promise<string> =>
  (await issuer.call('GET', `/v1/cards/${card_id}:reveal`)).body.card_number
