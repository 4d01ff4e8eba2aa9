/** Keys of a running installation move to a security module (D-1010). */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Engine } from '#issuing/authorization/authorization.ts'
import { openDatabase } from '#kit/db/database.ts'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { readConfig } from '#src/config/config.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { format4, oneNumber, preparePins } from '#test/support/network/pins.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { openWorld } from '#test/support/world.ts'
import { bindCustody, openCustody } from './modes/custody.ts'
import { moveKeys } from './moving_keys.ts'

const keep = keeper()
const simulator = keep(await startSimulator({ port: 0, header: 4, delay_ms: 0 }))
// Its keys are in software in every run of the tests: they are moved here.
const world = keep(await openWorld({ env: { HSM_ADDRESS: '' } }))
const issuer = await openIssuer(world)
const config = readConfig({ DATA_DIR: world.config.data_dir, ...moduleSettings(simulator.port) })
const database = openDatabase(world.url, 4)
after(() => database.close())
const { db, pool } = database
const { keys } = world.services
const move = () => moveKeys({ config, db, pool, keys, log: world.log, now: new Date() })
const saying = (words: RegExp) => (error: unknown) =>
  error instanceof StartError && words.test(error.message)

before(() => pool.query("insert into installation (mode) values ('sandbox')"))

async function pinned() {
  const { card_id } = await issuer.card(100_000, oneNumber)
  const number = await preparePins(world, card_id, issuer.tenant.api_key)
  const path = `/v1/cards/${card_id}:changepin`
  const { status } = await issuer.call('PUT', path, { enc_pin: format4('4831', number) })
  assert.equal(status, 200)
  return { card_id, number }
}

const keySets = () => db.forOperator().selectFrom('vault.key_sets').selectAll().execute()

test('key sets move while they are used, none is declined, and the custody is kept', async () => {
  const cards = [await pinned(), await pinned(), await pinned()]
  assert.equal(await bindCustody(pool, 'SOFTWARE'), 'SOFTWARE')
  await assert.rejects(bindCustody(pool, 'MODULE'), saying(/keys move --to hsm/))

  const [before] = await keySets()
  assert.ok(before)
  assert.deepEqual(await move(), { custody: 'MOVING', moved: 0 })
  await assert.rejects(bindCustody(pool, 'SOFTWARE'), saying(/being moved: set HSM_ADDRESS/))
  assert.equal(await bindCustody(pool, 'MODULE'), 'MOVING')

  const opened = await openCustody(config, world.log, new Date(), true)
  after(() => opened.close())
  const services = { ...world.services, custody: opened.custody, db: database.batches }
  const engine = new Engine(services)
  const pay = async ({ card_id, number }: { card_id: string; number: string }, pin = '4831') => {
    const request = purchase({ card_id }, 1n, {
      card: { pan: new Secret(number) },
      processing_code: '010000',
      pin_block: new Secret(format4(pin, number)),
    })
    return (await engine.submit(world.tenant.id, { request })).status_code
  }
  let isMoved = false
  const codes: string[] = []
  const load = Promise.all(
    cards.map(async (card) => {
      while (!isMoved) codes.push(await pay(card))
      for (let at = 0; at < 5; at++) codes.push(await pay(card))
    }),
  )
  const moved = await move().finally(() => {
    isMoved = true
  })
  await load
  assert.equal(moved.custody, 'MODULE')
  assert.ok(moved.moved >= cards.length)
  assert.deepEqual([...new Set(codes)], ['0000'])
  assert.deepEqual(await Promise.all(cards.map((card) => pay(card, '5924'))), [
    '1017',
    '1017',
    '1017',
  ])
  assert.deepEqual(await move(), { custody: 'MODULE', moved: 0 })

  await pool.query(
    "update vault.key_sets set version = $2, sealed = $3, custody = 'SOFTWARE' where card_product_id = $1",
    [before.card_product_id, before.version, before.sealed],
  )
  assert.deepEqual(await move(), { custody: 'MODULE', moved: 1 }, 'a key that came back moves')
  assert.ok((await keySets()).every(({ custody }) => custody === 'MODULE'))
  await assert.rejects(bindCustody(pool, 'SOFTWARE'), saying(/in a module: set HSM_ADDRESS/))
})

test('a start that finds the custody recorded writes nothing', async () => {
  const client = await pool.connect()
  try {
    await client.query('set default_transaction_read_only = on')
    assert.equal(await bindCustody(client, 'MODULE'), 'MODULE')
  } finally {
    client.release(true)
  }
})

test('processes that run without the module, and longer PINs, hold the move', async () => {
  await pool.query("update installation set custody = 'MOVING', custody_since = now()")
  await pool.query(
    `insert into processes (id, name, version, roles, started, seen, connections, jobs)
    values (gen_random_uuid(), 'api 0001', '1.0.0', '{api}', now() - interval '1 h', now(), 0, '[]')`,
  )
  await assert.rejects(move(), saying(/api 0001.* Restart them with HSM_ADDRESS/))
  const productOf = async (card_id: string): Promise<string> =>
    (await issuer.call('GET', `/v1/cards/${card_id}`)).body.card_product_id
  const of = (id: string) => saying(new RegExp(`more than four digits.*: ${id}`))
  const longer = await issuer.card(1, { ...oneNumber, pin: { length: 6, refuse_weak: false } })
  const product = await productOf(longer.card_id)
  await assert.rejects(move(), of(product))
  // A card keeps its PIN where its product takes up offsets.
  const number = await preparePins(world, longer.card_id, issuer.tenant.api_key)
  const change = (pin: string) =>
    issuer.call('PUT', `/v1/cards/${longer.card_id}:changepin`, { enc_pin: format4(pin, number) })
  assert.equal((await change('483159')).status, 200)
  const offsets = { pin: { verification: 'OFFSET' } }
  const path = `/v1/cardproducts/${product}`
  assert.equal((await issuer.call('PUT', path, offsets)).status, 200)
  await assert.rejects(move(), of(product))
  assert.equal((await change('592604')).status, 200)
  await assert.rejects(move(), saying(/api 0001/), 'offsets are no hindrance')
})
