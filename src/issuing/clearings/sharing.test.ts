/** Two processes post one file, and one of them goes away: each record takes effect once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { openWorld } from '#test/support/world.ts'
import { postPortion } from './posting.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const second = keep(openSecondEngine(world))
const RECORDS = 600
const CARDS = 12

async function newCard() {
  const card = await issuer.card(10_000)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  return { ...card, pan: String(body.card_number) }
}
const cards: Awaited<ReturnType<typeof newCard>>[] = []
// One after the other: a machine with other work has no room for so many at once.
for (let made = 0; made < CARDS; made += 1) cards.push(await newCard())

const newFile = () =>
  clearingFile(
    Array.from({ length: RECORDS }, (_, at) =>
      presentment(cards[at % CARDS]?.pan ?? '', 100n, { DE37: `R${String(at).padStart(11, '0')}` }),
    ),
  )

async function postAll(...engines: (typeof world.engine)[]): Promise<void> {
  const ctx = await world.ctx()
  await Promise.all(
    engines.map(async (engine) => {
      for (let more = true; more; ) more = (await postPortion(ctx, engine)).more
    }),
  )
}

const balances = () =>
  Promise.all(cards.map(async ({ account_id }) => (await issuer.account(account_id)).balance))

test('records that two processes post at one time take effect once', async () => {
  assert.equal((await clearer.upload(await newFile())).status, 200)
  await postAll(world.engine, second.engine)
  assert.deepEqual(new Set(await balances()), new Set([10_000 - RECORDS / CARDS]))
  await assertSound(world.db)
})

test('a refund waits for the purchase before it, which another process has in hand', async () => {
  const card = await newCard()
  const rrn = { DE37: 'REFUND000001' }
  const refund = presentment(card.pan, 4_000n, { ...rrn, DE3: '200000' })
  const file = await clearingFile([
    presentment(card.pan, 10_000n, rrn),
    refund,
    presentment(card.pan, 4_000n, { ...rrn, DE3: '200000' }),
  ])
  const { body } = await clearer.upload(file)
  const statesOf = async () => {
    const { body: records } = await clearer.ask('GET', `/${body.id}/records`)
    return records.data.map(({ state }: { state: string }) => state)
  }
  await sql`update clearing_records set claimed = now() + interval '1 minute'
    where file_id = ${body.id} and number = 2`.execute(world.db)
  await postAll(world.engine)
  assert.deepEqual(await statesOf(), ['SHOWN', 'WAITING', 'WAITING', 'WAITING', 'SHOWN'])
  await sql`update clearing_records set claimed = now() - interval '1 second'
    where state = 'WAITING'`.execute(world.db)
  await postAll(world.engine)
  assert.deepEqual(await statesOf(), ['SHOWN', 'POSTED', 'POSTED', 'POSTED', 'SHOWN'])
  assert.equal((await issuer.account(card.account_id)).balance, 9_980)
})

test('records whose process has gone away are posted once by another one', async () => {
  const { body } = await clearer.upload(await newFile())
  // The first process is still at work when its lease is over.
  const ctx = await world.ctx()
  const first = postPortion(ctx, second.engine)
  const expire = () =>
    sql`update clearing_records set claimed = now() - interval '1 second'`.execute(world.db)
  await expire()
  await Promise.all([first, postAll(world.engine)])
  await expire()
  await postAll(world.engine)
  const { body: file } = await clearer.ask('GET', `/${body.id}`)
  assert.equal(file.state, 'POSTED')
  assert.deepEqual(new Set(await balances()), new Set([10_000 - (2 * RECORDS) / CARDS]))
  await assertSound(world.db)
})
