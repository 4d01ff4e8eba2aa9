/** The remedies of docs/doctor.md, applied as they are written: each ends its finding. */

import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import pg from 'pg'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import { isSpread } from '#test/support/cluster/forms.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { inOrder } from '#test/support/inspection/planted.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { limitedCards, linkLimit } from '#test/support/limits.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld({ settings: { pci_compliant: true } })
const issuer = await openIssuer(world)
const isCluster = await isSpread(world.url)
const owner = new pg.Client(world.url)
await owner.connect()
after(async () => {
  await owner.end()
  await world[Symbol.asyncDispose]()
})

/**
 * Runs statements in a transaction of the tenant, as docs/doctor.md says; each has to change rows.
 */
async function run(...statements: string[]): Promise<void> {
  await owner.query(`begin; set local bezant.tenant = '${world.tenant.id}'`)
  for (const statement of statements) {
    const { rowCount } = await owner.query(statement)
    assert.notEqual(rowCount, 0, statement)
  }
  await owner.query('commit')
}

async function call(method: string, path: string, body?: object) {
  const answer = await issuer.call(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function pay(request: TestMessage) {
  return world.engine.submit(world.tenant.id, { request })
}

const found = async () => inOrder(await auditAll(world.db))

const LIFETIME = { type: 'CUMULATIVE', max_amount: 100, period: 'LIFETIME' }

afterEach(async () => assert.deepEqual(await found(), []))

test('an anchor is inserted again, and one of no tenant is deleted', async () => {
  const { id } = world.tenant
  await run(`delete from tenant_anchors where tenant_id = '${id}'`)
  assert.deepEqual(await found(), [`I6 tenant ${id}`])
  await run(`insert into tenant_anchors values ('${id}')`)
  const left_over = newId()
  await run(`insert into tenant_anchors values ('${left_over}')`)
  assert.deepEqual(await found(), [`I6 tenant ${left_over}`])
  await run(`delete from tenant_anchors where tenant_id = '${left_over}'`)
})

test('a balance is corrected to what the transfers say, and payments go on', async () => {
  const card = await issuer.card(10)
  await pay(purchase(card, 100n))
  const of = `where id = '${card.account_id}'`
  await run(`update accounts set balance = balance + 5000, held = held + 7 ${of}`)
  assert.deepEqual(await found(), [
    'I1 currency AED',
    ...[`I2 account ${card.account_id}`, `I2 account ${card.account_id}`],
  ])
  await call('PUT', `/v1/accounts/${card.account_id}:statuschange`, { status: 'SUSPENDED' })
  await run(`update accounts set balance = balance - 5000, held = held - 7,
    version = version + 1 ${of}`)
  await call('PUT', `/v1/accounts/${card.account_id}:statuschange`, { status: 'ACTIVE' })
  assert.equal((await pay(purchase(card, 901n))).status_code, '1016')
  assert.equal((await pay(purchase(card, 900n))).status_code, '0000')
})

test('a cleared amount is corrected to what the ledger moved, and is cleared further', async () => {
  const card = await issuer.card(100)
  const bought = purchase(card, 3_000n)
  const { transaction_id } = await pay(bought)
  await pay(about(bought, { message_type: '0220', amount: 1_000n }))
  const cleared = (amount: number) =>
    `update transactions set cleared_amount = ${amount} where id = '${transaction_id}'`
  await run(cleared(1_007))
  assert.deepEqual(await found(), [`I4 transaction ${transaction_id}`])
  const raised = `update accounts set version = version + 1 where id = '${card.account_id}'`
  await run(cleared(1_000), raised)
  const rest = await pay(about(bought, { message_type: '0220', amount: 2_000n }))
  assert.equal(rest.status_code, '0000')
})

const COUNTER = new RegExp(
  '^limit \\S+ \\((l\\d+)\\)(?: of the chain of cards (\\S+))? has counted \\d+ in \\d+ transactions ' +
    'in (.*), the transactions have (\\d+) in (\\d+)$',
)

test('counters of an account are written anew from what is found, and count on', async () => {
  const card = await issuer.card(1_000)
  await linkLimit(issuer, 'velocitylimits', `accounts/${card.account_id}`, LIFETIME)
  await linkLimit(issuer, 'velocitylimits', `cards/${card.card_id}`, LIFETIME)
  await pay(purchase(card, 3_000n))
  await pay(purchase(card, 1_000n))
  const set = (counters: string) =>
    run(`update accounts set counters = ${counters}, version = version + 1
      where id = '${card.account_id}'`)
  const wrong = (text: string) => `replace(counters::text, '"4000 2 ', '"${text} ')::json`
  for (const planted of [...['4001 2', '3999 2', '4000 1', '4000 3'].map(wrong), 'null']) {
    await set(planted)
    const findings = await auditAll(world.db)
    const subject = `I4 counters of ${card.account_id}`
    assert.deepEqual(inOrder(findings), [subject, subject], planted)
    const groups = findings.map(({ detail }) => {
      const [, name = '', chain = '', window, amount, number] = COUNTER.exec(detail) ?? []
      return [chain, { [name]: `${amount} ${number} ${window}` }]
    })
    assert.deepEqual(groups.map(([chain]) => chain).sort(), ['', card.card_id])
    await set(`'${JSON.stringify(groups)}'`)
    assert.deepEqual(await found(), [])
  }
  assert.equal((await pay(purchase(card, 6_001n))).status_code, '1897')
  assert.equal((await pay(purchase(card, 6_000n))).status_code, '0000')
})

test('counters of many cards are written anew where they are read, and count on', async () => {
  const { cards, account_id } = await limitedCards(issuer, 10, LIFETIME)
  for (const card of cards) await pay(purchase(card, 2_000n))
  const [first = '', last = ''] = [cards[0]?.card_id, cards.at(-1)?.card_id]
  const subject = `I4 counters of ${account_id}`
  const raised = `update accounts set version = version + 1 where id = '${account_id}'`
  const ofLast = `account_id = '${account_id}' and chain_id = '${last}'`
  const foundOf = async (count: number) => {
    const findings = await auditAll(world.db)
    assert.deepEqual(inOrder(findings), Array(count).fill(subject))
    const [, name = '', , window, amount, number] =
      findings.map(({ detail }) => COUNTER.exec(detail)).find((one) => one) ?? []
    return JSON.stringify({ [name]: `${amount} ${number} ${window}` })
  }

  await run(`update chain_counters set counters = replace(counters::text, '"2000 ', '"1999 ')::json
    where ${ofLast}`)
  let counters = await foundOf(1)
  await run(`update chain_counters set counters = '${counters}' where ${ofLast}`, raised)
  assert.deepEqual(await found(), [])

  await run(`delete from chain_counters where ${ofLast}`)
  counters = await foundOf(1)
  const { id } = world.tenant
  const insert = (chain: string) =>
    `insert into chain_counters values ('${id}', '${account_id}', '${chain}', '${counters}')`
  await run(insert(last), raised)
  assert.deepEqual(await found(), [])

  // The rows of two cards are not read then.
  await run(`update accounts set counters = (select json_agg(g)
    from json_array_elements(counters) g where g ->> 0 <> '${first}') where id = '${account_id}'`)
  counters = await foundOf(3)
  const pair = `[["${first}", ${counters}]]`
  await run(`update accounts set counters = (counters::jsonb || '${pair}')::json,
    version = version + 1 where id = '${account_id}'`)
  assert.deepEqual(await found(), [])

  await run(insert(first))
  await foundOf(1)
  await run(`delete from chain_counters where chain_id = '${first}'`, raised)
  for (const card of [cards[0], cards.at(-1)]) {
    assert.equal((await pay(purchase(card, 8_001n))).status_code, '1897')
    assert.equal((await pay(purchase(card, 8_000n))).status_code, '0000')
  }
})

test('a status of a user that was set by hand goes back', async () => {
  const { user_id } = await issuer.card(10)
  const set = (status: string, reason: string) =>
    run(`update users set status = '${status}', status_reason_code = '${reason}'
      where id = '${user_id}'`)
  for (const [status, reason] of [
    ['SUSPENDED', 'S0'],
    ['ACTIVE', 'A6'],
  ] as const) {
    await set(status, reason)
    const [finding] = await auditAll(world.db)
    assert.equal(finding?.subject, `user ${user_id}`)
    assert.equal(finding.detail, `is ${status} ${reason} and was reported to be ACTIVE A0`)
    await set('ACTIVE', 'A0')
  }
})

const setCard = (id: string, set: string) => [
  `update cards set ${set} where id = '${id}'`,
  `update accounts set version = version + 1
    where id = (select account_id from cards where id = '${id}')`,
]

test('a status that was not reported goes back, and is changed by the API', async () => {
  const { card_id } = await issuer.card(10)
  const suspended = { status: 'SUSPENDED', status_reason_code: 'S0' }
  await run(`update cards set status = 'SUSPENDED', status_reason_code = 'S0'
    where id = '${card_id}'`)
  assert.deepEqual(await found(), [`I6 card ${card_id}`])
  await run(...setCard(card_id, `status = 'ACTIVE', status_reason_code = 'A0'`))
  assert.equal(
    (await call('PUT', `/v1/cards/${card_id}:statuschange`, suspended)).status,
    'SUSPENDED',
  )
  assert.deepEqual(await found(), [])
  await run(`update cards set status_reason_code = 'A0' where id = '${card_id}'`)
  assert.deepEqual(await found(), [`I4 card ${card_id}`])
  await run(...setCard(card_id, `status_reason_code = 'S0'`))
})

test('a missing limit is taken out and another linked, a missing list is replaced', async () => {
  const card = await issuer.card(1_000)
  const [card_path, lists] = [`/v1/cards/${card.card_id}`, '/v1/allowedmccs']
  const list = { name: 'L', mccs: ['7995'], allow: false }
  const link = () => linkLimit(issuer, 'velocitylimits', `cards/${card.card_id}`, LIFETIME)
  const missing = await link()
  const { id } = await call('POST', lists, list)
  await call('PUT', `${card_path}/authsettings`, { allowed_mccs_id: id })
  await run(
    `delete from limits where id = '${missing}'`,
    `delete from allowed_lists where id = '${id}'`,
  )
  const subject = `I4 card ${card.card_id}`
  assert.deepEqual(await found(), [subject, subject])
  const rest = `velocity_limit_ids = array_remove(velocity_limit_ids, '${missing}')`
  await run(...setCard(card.card_id, rest))
  await link()
  const another = await call('POST', lists, { ...list, name: 'M' })
  await call('PUT', `${card_path}/authsettings`, { allowed_mccs_id: another.id })
  assert.deepEqual(await found(), [])
  assert.equal((await pay(purchase(card, 10_001n))).status_code, '1897')
})

test('a token of a terminated card is deleted by the API', async () => {
  const { card_id } = await issuer.card(10)
  const { card_number, expiry_date, cvv2 } = await call('GET', `/v1/cards/${card_id}:reveal`)
  const data = { card_number, expiry_date, cvv2 }
  const { id } = await call('POST', '/v1/cards:provision', { ...data, wallet: 'APPLE' })
  const lost = { status: 'TERMINATED', status_reason_code: 'T1' }
  await call('PUT', `/v1/cards/${card_id}:statuschange`, lost)
  await run(`update tokens set status = 'ACTIVE' where id = '${id}'`)
  assert.deepEqual(await found(), [`I6 token ${id}`])
  await call('PUT', `/v1/tokens/${id}`, { status: 'DELETED' })
})

test('a delivery that is due never is sent again by the API', async () => {
  const webhook = { endpoint: 'http://127.0.0.1:9/', events: ['USER_CREATED'] }
  const { id } = await call('POST', '/v1/webhooks', webhook)
  const since = (await world.ctx()).now.toISOString()
  await call('POST', '/v1/users', { first_name: 'Layla', last_name: 'Khan' })
  await call('POST', `/v1/webhooks/${id}:recover`, { since })
  const rows = await world.db.selectFrom('deliveries').select('id').execute()
  assert.ok(rows.length > 0)
  await run('update deliveries set due = null')
  assert.deepEqual(await found(), rows.map((one) => `I6 delivery ${one.id}`).sort())
  for (const one of rows) await call('POST', `/v1/deliveries/${one.id}:resend`)
})

const onOneServer = { skip: isCluster && 'a cluster deletes no row by its place in the file' }

test('the primary key of answers is restored behind the later answer', onOneServer, async () => {
  const keep = `insert into idempotency_keys values ('${world.tenant.id}', 'k', '', 200,
    'application/json', '{}', '2030-01-01')`
  await run('alter table idempotency_keys drop constraint idempotency_keys_pkey', keep, keep)
  assert.deepEqual(await found(), ['I4 idempotency key k'])
  await run(
    `delete from idempotency_keys where ctid = (select max(ctid) from idempotency_keys
      where key = 'k')`,
    'alter table idempotency_keys add primary key (tenant_id, key)',
  )
})

test('a row of due work is inserted with the time that is found, or set to it', async () => {
  const { id } = world.tenant
  await run(`insert into backtests (tenant_id, id, status, starts, ends, counts_from, reached,
      after_id, proposal, plan, result, due, expires, created, modified)
    select '${id}', '${id}', 'COMPLETED', t, t + interval '1 day', t, t, '${id}', '{}', '{}', '{}',
      t, t, t, t from (select timestamptz '2030-01-01' as t) at`)
  const due = async () => {
    const [finding] = await auditAll(world.db)
    assert.equal(finding?.subject, 'due work backtests')
    return /^is due at (\S+), and no sweep looks/.exec(finding.detail)?.[1]
  }
  await run(`insert into due_work values ('${id}', 'backtests', '${await due()}')`)
  assert.deepEqual(await found(), [])
  await run(`update due_work set due = '2031-01-01Z' where kind = 'backtests'`)
  await run(`update due_work set due = '${await due()}' where kind = 'backtests'`)
})
