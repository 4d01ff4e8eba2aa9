/**
 * Keys of cards move to a security module under load (D-1010): a program serves purchases by chip
 * and PIN while `keys move` runs beside it, is killed between two card products and run again. Each
 * purchase is approved, and at the end every key is in the module.
 */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { startSimulator } from '#sandbox/hsm/simulator.ts'
import { assertSound, faultsOfLog } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { type Acquirer, connectAcquirer } from '#test/support/network/acquirer.ts'
import { CHIP_KEYS, openChip, type TestChip } from '#test/support/network/chips.ts'
import { sale } from '#test/support/network/messages.ts'
import { format0, pinKeys } from '#test/support/network/pins.ts'
import { freePort, openKillable } from '#test/support/processes/killable.ts'
import { dataFolder, type Launched, launch } from '#test/support/processes/process.ts'
import { moduleSettings } from '#test/support/services/custody.ts'
import { until } from '#test/support/services/receiver.ts'

const PRODUCTS = 4
const CARDS_A_PRODUCT = 2
const PIN = '4831'
/** Purchases of each card in each part of the move. */
const MORE = 5

const keep = keeper()
const simulator = keep(await startSimulator({ port: 0, header: 4, delay_ms: 1 }))
const platform = keep(await openKillable())
const { tenant } = platform.sandbox
const hsm = moduleSettings(simulator.port)
const network_port = await freePort()

/** The longest deadline, since a busy machine is no wrong answer. */
function networkFile(): string {
  const folder = dataFolder()
  mkdirSync(folder, { recursive: true })
  const addresses = [`127.0.0.1:${network_port}`]
  const one = { name: 'scheme', role: 'listen', addresses, deadline_ms: 4_000 }
  const file = join(folder, 'networks.json')
  writeFileSync(file, JSON.stringify([one]))
  return file
}

async function ask(method: string, path: string, body?: object) {
  const headers = { apikey: tenant.api_key }
  const message = { method, url: `/v1/${path}`, headers, body: body && JSON.stringify(body) }
  const { status, text } = await platform.insist(message)
  assert.equal(status, 200, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}

type Card = { product: string; pan: string; chip: TestChip; codes: (string | undefined)[] }
const products: string[] = []
const cards: Card[] = []

before(async () => {
  const user = await ask('POST', 'users', { first_name: 'Layla' })
  for (let at = 0; at < PRODUCTS; at += 1) {
    const { id } = await ask('POST', 'cardproducts', {
      ...{ name: `Travel ${at}`, currency: 'AED', bin: `40012${at}` },
      initial_status_of_virtual_card: 'ACTIVE',
    })
    await ask('PUT', `simulate/cardproducts/${id}/keys`, { ...pinKeys, ...CHIP_KEYS })
    products.push(id)
    for (let card = 0; card < CARDS_A_PRODUCT; card += 1) cards.push(await issue(user.id, id))
  }
  products.sort()
})

async function issue(user_id: string, product: string): Promise<Card> {
  const issued = { user_id, card_product_id: product, card_type: 'VIRTUAL' }
  const { id, account_id } = await ask('POST', 'cards', issued)
  const { card_number: pan } = await ask('GET', `cards/${id}:reveal`)
  await ask('PUT', `cards/${id}:changepin`, { enc_pin: format0(PIN, pan) })
  await ask('POST', `accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 100_000 })
  return { product, pan, chip: openChip(pan), codes: [] }
}

async function buy(acquirer: Acquirer, { pan, chip }: Card, pin = PIN) {
  const proofs = { 22: '051', 25: '00', 52: format0(pin, pan), 55: chip.data() }
  return (await acquirer.send(sale({ pan, amount: 100n, fields: proofs }))).fields[39]
}

/** One purchase after another of each card, until it is stopped; those that fail count. */
async function openLoad() {
  const acquirer = await connectAcquirer({ port: Number(network_port) })
  await acquirer.signOn()
  let isStopping = false
  const shoppers = cards.map(async (card) => {
    while (!isStopping) card.codes.push(await buy(acquirer, card).catch(String))
  })
  const goesOn = async (which = cards) => {
    const before = new Map(which.map((card) => [card, card.codes.length]))
    await until('each card has paid some times more', () =>
      which.every((card) => card.codes.length >= (before.get(card) ?? 0) + MORE),
    )
  }
  const stop = async () => {
    isStopping = true
    await Promise.all(shoppers)
  }
  after(async () => {
    isStopping = true
    await acquirer.close()
  })
  return { acquirer, goesOn, stop }
}

const command = (): Launched =>
  launch({ ...platform.env, ...hsm }, ['apps/cli/bezant.mjs', 'keys', 'move', '--to', 'hsm'])

async function moved(said: RegExp): Promise<void> {
  const run = command()
  const code = await run.ended
  const output = `${run.output()}\n${run.errors().join('\n')}`
  assert.equal(code, 0, output)
  assert.match(output, said)
}

/** Kills the command where it waits for the keys of this product, once others have moved. */
async function killedAt(product: string): Promise<void> {
  const run = await platform.db.runTransaction(async (db) => {
    // Requests only read this row; the command writes it.
    await sql`select from vault.key_sets where card_product_id = ${product}
      for no key update`.execute(db)
    const started = command()
    await until('the command waits for the row', async () => {
      // A transaction that is idle for long is ended, and the command starts slowly here.
      await sql`select 1`.execute(db)
      const { rows } = await sql`select from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%key_sets%'`.execute(platform.db)
      return rows.length > 0
    })
    started.kill('SIGKILL')
    return started
  })
  assert.equal(await run.ended, null)
}

async function custodies(): Promise<Map<string, string>> {
  const rows = await platform.db
    .selectFrom('vault.key_sets')
    .select(['card_product_id', 'custody'])
    .execute()
  return new Map(rows.map(({ card_product_id, custody }) => [card_product_id, custody]))
}

describe(`${PRODUCTS * CARDS_A_PRODUCT} cards pay by chip and PIN while their keys move`, () => {
  test('a move that is killed and run again declines none', async (t) => {
    await moved(/Keys may be moved now/)
    await platform.stop()
    Object.assign(platform.env, hsm, { NETWORKS_FILE: networkFile() })
    await platform.start()

    const { acquirer, goesOn, stop } = await openLoad()
    await goesOn()
    const [first = '', , third = ''] = products
    await killedAt(third)
    const between = await custodies()
    assert.equal(between.get(first), 'MODULE')
    assert.equal(between.get(third), 'SOFTWARE')
    await goesOn()
    await moved(/The keys are in the security modules: [1-9][0-9]* card products were moved/)
    await goesOn()
    await stop()

    const codes = cards.flatMap((card) => card.codes)
    t.diagnostic(`${codes.length} purchases`)
    assert.deepEqual([...new Set(codes)], ['00'])
    assert.deepEqual(new Set((await custodies()).values()), new Set(['MODULE']))
    for (const card of cards) assert.equal(await buy(acquirer, card, '5924'), '55')
  })

  test('doctor finds nothing, and no error was logged', async () => {
    const { rows } = await sql<{ custody: string }>`select custody from installation`.execute(
      platform.db,
    )
    assert.deepEqual(rows, [{ custody: 'MODULE' }])
    await assertSound(platform.db)
    await platform.stop()
    assert.deepEqual(faultsOfLog(platform.lines()), [])
  })
})
