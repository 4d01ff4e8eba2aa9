/** `bezant doctor` on cards and what they refer to, on charges, and on the places of the feed. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { numberEvents } from '#issuing/webhooks/expansion.ts'
import { addDays } from '#lib/time.ts'
import { auditAll } from '#src/audit/audits.ts'
import { about, purchase } from '#test/support/desk.ts'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { moveClockTo } from '#test/support/time/moved_clock.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)

async function made(method: string, path: string, body?: object) {
  const answer = await issuer.call(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

let old: MadeCard
let replacing: string
let voided: string

before(async () => {
  const charges = [
    { type: 'MONTHLY', amount: 2 },
    { type: 'CASH_WITHDRAWAL', amount: 3 },
  ]
  old = await issuer.card(100, { charges })
  await linkLimit(issuer, 'balancelimits', `accounts/${old.account_id}`, {
    type: 'PER_ACCOUNT',
    max_amount: 1_000,
  })
  const list = await made('POST', '/v1/allowedmccs', { name: 'L', mccs: ['5411'], allow: false })
  await made('PUT', `/v1/cards/${old.card_id}/authsettings`, { allowed_mccs_id: list.id })
  const drawn = purchase(old, 2_000n, { processing_code: '010000', message_type: '0200' })
  for (const request of [drawn, about(drawn, { message_type: '0420' })]) {
    const answer = await world.engine.submit(world.tenant.id, { request })
    assert.equal(answer.status_code, '0000')
    voided = answer.transaction_id
  }
  await moveClockTo(world, world.tenant, addDays((await world.ctx()).now, 70))
  const end = { status: 'TERMINATED', status_reason_code: 'T1' }
  await made('PUT', `/v1/cards/${old.card_id}:statuschange`, end)
  const { card_product_id } = await made('GET', `/v1/cards/${old.card_id}`)
  const card = { card_product_id, card_type: 'VIRTUAL', reference_card_id: old.card_id }
  replacing = (await made('POST', '/v1/cards', { ...card, user_id: old.user_id })).id
  while ((await numberEvents(await world.ctx())).more);
})

test('cards that were charged, replaced and numbered leave nothing to find', async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

const ofOld = () => `I4 card ${old.card_id}`
const ofNew = () => `I4 card ${replacing}`
const setCard = (id: () => string, change: string): Statement => {
  return () => sql`update cards set ${sql.raw(change)} where id = ${id()}`
}
const faults: [name: string, expected: () => string[], plant: Statement][] = [
  [
    'a card that is not replaced by the one that replaces it',
    () => [ofNew()],
    setCard(() => old.card_id, 'replaced_by_card_id = null'),
  ],
  [
    'a card that is replaced by one that does not replace it',
    () => [ofOld(), ofNew()].sort(),
    setCard(() => old.card_id, `replaced_by_card_id = '${randomUUID()}'`),
  ],
  ['a chain of its own', () => [ofNew()], setCard(() => replacing, 'chain_id = id')],
  [
    'a reason of another status',
    () => [ofNew()],
    setCard(() => replacing, "status_reason_code = 'S0'"),
  ],
  [
    'a list that does not exist',
    () => [ofOld(), ofNew()].sort(),
    () => sql`delete from allowed_lists`,
  ],
  [
    'a limit that does not exist',
    () => [`I4 account ${old.account_id}`],
    () => sql`delete from limits`,
  ],
  [
    'an account of another user',
    () => [ofOld(), ofNew()].sort(),
    () => sql`update accounts set user_id = ${randomUUID()} where id = ${old.account_id}`,
  ],
  [
    'a card without a number',
    () => [ofNew()],
    () => sql`delete from vault.pans where card_id = ${replacing}`,
  ],
  [
    'a number without a card',
    () => [ofNew(), `I4 number of ${old.user_id}`].sort(),
    () => sql`update vault.pans set card_id = ${old.user_id} where card_id = ${replacing}`,
  ],
  [
    'a PIN without a card',
    () => [`I4 PIN of ${old.user_id}`],
    (tx) =>
      sql`insert into vault.pins values (${tx.tenant_id}, ${old.user_id}, '', 0, '2030-01-01')`,
  ],
  [
    'a charge of a reversed transaction that no process gives back',
    () => [`I4 account ${old.account_id}`, 'I4 charge'],
    () => sql`update charges set status = 'PENDING', transfer_id = null, due = '2030-01-01'
      where transaction_id = ${voided}`,
  ],
  [
    'a month that is charged again',
    () => ['I4 charge', 'I4 charge'],
    () => sql`update monthly_charges set month = 1 where card_id = ${old.card_id}`,
  ],
  [
    'a place of the feed that no event has',
    () => ['I6 feed'],
    () => sql`with moved as (update feeds set last = last + 1 returning last)
      update events set number = (select last from moved) where number = 2`,
  ],
  ['a feed that ends early', () => ['I6 feed'], () => sql`update feeds set last = last - 1`],
]
for (const [name, expected, plant] of faults) {
  test(`${name} is found`, async () => {
    const found = inOrder(await foundAfter(world, plant))
    const own = found.filter((line) => !/^I4 transfer/.test(line))
    assert.deepEqual(
      own.map((line) => line.replace(/^(I4 charge) .*/, '$1')),
      expected(),
    )
  })
}
