/** Hostile clearing files, one test for each kind: nothing of them is posted that is wrong. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const card = await issuer.card(100)
const pan = await panOf(card)
const balance = async () => (await issuer.account(card.account_id)).balance

async function panOf({ card_id }: MadeCard, tenant: TestTenant = world.tenant): Promise<string> {
  const path = `/v1/cards/${card_id}:reveal`
  return String(
    (await world.request('GET', path, undefined, { key: tenant.api_key })).body.card_number,
  )
}

/** It is rejected whole. */
async function assertNothingOf(bytes: Buffer): Promise<void> {
  const before = await balance()
  const { status, body, text } = await clearer.upload(bytes)
  assert.deepEqual([status, body.state], [200, 'REJECTED'], text)
  await world.sweeper.runDueJobs(world.tenant.id)
  assert.equal(await balance(), before)
}

test('a file that is cut at a record, a length or a byte of it is rejected whole', async () => {
  const file = await clearingFile([presentment(pan, 100n)])
  for (const length of [4, 40, 200, file.length - 40, file.length - 5, file.length - 1]) {
    await assertNothingOf(file.subarray(0, length))
  }
})

test('a file with a bit of its header, a record or its trailer changed posts nothing wrong', async () => {
  const file = await clearingFile([presentment(pan, 100n)])
  for (const at of [0, 5, 30, file.length - 60, file.length - 30, file.length - 4]) {
    const bytes = Buffer.from(file)
    bytes[at] = (bytes[at] ?? 0) ^ 0x10
    await assertNothingOf(bytes)
  }
})

test('ten million records that are announced, and are not there, are a fault', async () => {
  const file = clearingFile([presentment(pan, 100n)], { trailer: { PDS0306: '10000000' } })
  await assertNothingOf(await file)
})

test('a record of 6,000 bytes is posted, with all of its subelements', async () => {
  const filler = Object.fromEntries(
    Array.from({ length: 5 }, (_, at) => [`PDS100${at}`, 'x'.repeat(980)]),
  )
  const long = presentment(pan, 100n, { DE72: 'y'.repeat(900), ...filler })
  const { records } = await clearer.clear(await clearingFile([long]))
  assert.equal(records[1].state, 'POSTED')
  assert.equal(records[1].content.PDS1004, filler['PDS1004'])
})

for (const [currency, exponent, amount, shown] of [
  ['392', '0', 1_500n, 1_500],
  ['048', '3', 1_250n, 1.25],
] as const) {
  test(`a currency with ${exponent} decimals is billed in that of the account`, async () => {
    const before = await balance()
    const foreign = presentment(pan, amount, {
      ...{ DE49: currency, DE6: '000000001200', DE51: '784' },
      PDS0148: `${currency}${exponent}7842`,
    })
    const { records } = await clearer.clear(await clearingFile([foreign]))
    assert.deepEqual([records[1].state, records[1].amount], ['POSTED', shown])
    assert.equal(await balance(), before - 12)
  })
}

test('a reversal before its presentment waits in suspense, and both come to zero', async () => {
  const before = await balance()
  const one = presentment(pan, 100n)
  const reversal = { ...one, PDS0025: 'R261127' }
  const { records } = await clearer.clear(await clearingFile([reversal, one]))
  assert.deepEqual(
    records.slice(1, 3).map(({ reason }: { reason: string }) => reason),
    ['NO_ORIGINAL', 'REVERSED_BEFORE'],
  )
  assert.equal(await balance(), before)
})

test('a presentment for a card of another tenant’s BIN is posted there, and nowhere else', async () => {
  const other = await world.otherTenant({ pci_compliant: true })
  const their = await openIssuer(world, other)
  const theirCard = await their.card(100)
  const before = await balance()
  const file = await clearingFile([presentment(await panOf(theirCard, other), 1_000n)])
  const { status, body } = await clearer.upload(file, world.tenant.id)
  assert.equal(status, 200)
  for (const { id } of [world.tenant, other]) await world.sweeper.runDueJobs(id)
  const { data } = (await clearer.ask('GET', `/${body.id}/records`)).body
  assert.deepEqual([data[1].tenant_id, data[1].state], [other.id, 'POSTED'])
  assert.equal((await their.account(theirCard.account_id)).balance, 90)
  assert.equal(await balance(), before)
})

test('the books are in order behind all of them', async () => {
  await assertSound(world.db)
})
