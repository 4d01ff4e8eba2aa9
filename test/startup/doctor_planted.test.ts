/**
 * `npm run doctor` on which way money went, at which account, for what, and when things are due:
 * each fault is planted in a database in which much has happened, and is found by its own check.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { addDays, formatDate } from '#lib/time.ts'
import { auditAll } from '#src/audit/audits.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { linkLimit } from '#test/support/limits.ts'
import { moveClockTo, moveClockToNoon } from '#test/support/time/moved_clock.ts'
import { keep } from '../e2e/kept.ts'
import { openShop } from '../e2e/shop.ts'

const fees = [{ currency: 'AED', percent: 2, fixed: 1, refund_fee: 0.5 }]
const shop = await openShop({ settings: { kept_cards: true, partial_captures: true, fees } })
after(() => shop[Symbol.asyncDispose]())
const issuer = await openIssuer(shop)
const CASH = { processing_code: '010000', message_type: '0200' } as const

async function ask(request: TestMessage, code = '0000'): Promise<string> {
  const answer = await shop.engine.submit(shop.tenant.id, { request })
  assert.equal(answer.status_code, code)
  return answer.transaction_id
}

async function setRates(...rates: object[]): Promise<void> {
  const options = { key: shop.operator_key }
  const answer = await shop.request('PUT', '/v1/operator/rates', { rates }, options)
  assert.equal(answer.status, 200, answer.text)
}

async function post(path: string, body?: object): Promise<void> {
  const answer = await shop.call('POST', path, body)
  assert.ok(answer.status < 300, answer.text)
}

/** Charged for cash, for other currencies and each month. */
let card: MadeCard
/** Of a user whose payments count against a limit. */
let counted_card: MadeCard
let other: MadeCard
let held: string
let cleared: string
let foreign: string
let cash: string
let counted: string
/** Orders: open, and captured since the last payout. */
let open: string
let captured: string
let kept: string
let date: string

before(async () => {
  await setRates(
    { from: 'USD', to: 'AED', rate: '3.6725' },
    { from: 'JPY', to: 'AED', rate: '0.0013' },
  )
  const charges = [
    { type: 'CASH_WITHDRAWAL', amount: 2 },
    { type: 'FOREIGN_CURRENCY', percent: '1' },
    { type: 'MONTHLY', amount: 3 },
  ]
  card = await issuer.card(10_000, { charges })
  other = await issuer.card(1_000, {})
  counted_card = await issuer.card(1_000)
  await linkLimit(issuer, 'velocitylimits', `users/${counted_card.user_id}`, {
    ...{ type: 'CUMULATIVE', max_amount: 900, frequency: 90, period: 'LIFETIME' },
  })
  // It has too little for this charge, which waits.
  await issuer.card(0, { charges: [{ type: 'ISSUING', amount: 50 }] })
  await payWithCards()
  await sellThings()
  // To a noon, so that all that follows is of one day.
  const noon = addDays(new Date(await moveClockToNoon(shop, shop.tenant)), 40)
  noon.setUTCHours(12)
  await moveClockTo(shop, shop.tenant, noon)
  date = formatDate(noon)
  await shop.signIn()
  held = await ask(purchase(card, 700n))
  counted = await ask(purchase(counted_card, 1_000n))
  await sellAfterPayout()
})

/** Raised, lowered, cleared, refunded, reversed, abroad, for cash, and against nothing (D-1037). */
async function payWithCards(): Promise<void> {
  const bought = purchase(card, 10_000n)
  cleared = await ask(bought)
  await ask(about(bought, { message_type: '0100', amount: 2_000n }))
  await ask(about(bought, { message_type: '0400', remaining_amount: 11_000n }))
  await ask(about(bought, { message_type: '0220', amount: 9_000n }))
  await ask(about(bought, { message_type: '0200', processing_code: '200000', amount: 3_000n }))
  const reversed = purchase(card, 500n)
  await ask(reversed)
  await ask(about(reversed, { message_type: '0400' }))
  await ask(about(reversed, { message_type: '0220', amount: 400n }), '1894')
  const poor = await issuer.card(1)
  const declined = purchase(poor, 300n)
  await ask(declined, '1016')
  await ask(about(declined, { message_type: '0220' }), '9115')
  const abroad = purchase(card, 9_999n, { currency: 'USD' })
  foreign = await ask(abroad)
  await ask(about(abroad, { message_type: '0220', amount: 9_999n }))
  cash = await ask(purchase(card, 5_000n, CASH))
}

/** An order that is captured, refunded in part, and paid out with the end of the day. */
async function sellThings(): Promise<void> {
  const customer = await shop.customer(100_000_000n)
  const sold = await shop.order(customer)
  await post(`/orders/${sold.reference}/capture/`, { final: true })
  await post(`/orders/${sold.reference}/refund/`, { total: '10', currency: 'AED' })
}

async function sellAfterPayout(): Promise<void> {
  const customer = await shop.customer(100_000_000n)
  const sold = await shop.order(customer)
  await post(`/orders/${sold.reference}/capture/`, { final: true })
  captured = sold.order_id
  open = (await shop.order(customer)).order_id
  kept = (await keep(shop, customer, 'omar')).id
  // 3 JPY are 0.0039 AED, so the first two parts move nothing at the account.
  const small = await shop.order(customer, { total: '1000', currency: 'JPY' })
  for (const total of ['3', '3', '994']) {
    await post(`/orders/${small.reference}/capture/`, { total, final: total === '994' })
  }
}

test('payments, presentments against nothing, charges, orders and payouts leave nothing to find', async () => {
  assert.deepEqual(await auditAll(shop.db, true), [])
  const { rows } = await sql`select from payouts`.execute(shop.db)
  assert.ok(rows.length > 0, 'a payout was made')
})

const account = (kind: string) =>
  sql`(select id from accounts where kind = ${kind} and currency = 'AED')`
const posted = (id: string, kind: string) =>
  sql`(select id from transfers where transaction_id = ${id} and kind = ${kind} limit 1)`

/** What accounts store after a transfer was planted. */
const balance: Statement = () => sql`
  update accounts set balance = coalesce((select sum(amount) from entries e
    where e.account_id = accounts.id), 0) where balance is not null`

const plant =
  (statement: () => RawBuilder<unknown>): Statement =>
  () =>
    statement()

/** The row of a table again, with other members. */
const again = (table: string, where: RawBuilder<unknown>, members: object) => sql`
  insert into ${sql.table(table)} select (jsonb_populate_record(r, ${JSON.stringify(members)}::jsonb)).*
  from ${sql.table(table)} r where ${where}`

const chargeOf = (id: string) => sql`(select id from charges where transaction_id = ${id})`
const authorized = () => sql`id = (select authorization_id from orders where id = ${open})`
const [charge, taken, checkout, message, reversal] = [newId(), newId(), newId(), newId(), newId()]

/** What doctor finds, by the start of each line. */
type Fault = [name: string, expected: () => string[], ...plants: Statement[]]
const ofTransaction = (id: string) => `I4 transaction ${id}`

const books: Fault[] = [
  [
    'a clearing that credits',
    () => ['I1 transfer', ofTransaction(cleared)],
    plant(
      () => sql`update transfers set debit_account_id = credit_account_id,
      credit_account_id = debit_account_id where id = ${posted(cleared, 'CLEARING')}`,
    ),
    balance,
  ],
  [
    'a clearing that debits another cardholder',
    () => [ofTransaction(cleared)],
    plant(
      () => sql`update transfers set debit_account_id = ${other.account_id}
      where id = ${posted(cleared, 'CLEARING')}`,
    ),
    balance,
  ],
  [
    'a clearing to the funding in place of the settlement',
    () => ['I1 transfer', ofTransaction(cleared)],
    plant(
      () => sql`update transfers set credit_account_id = ${account('FUNDING')}
      where id = ${posted(cleared, 'CLEARING')}`,
    ),
    balance,
  ],
  [
    'a load from outside in place of the funding',
    () => ['I1 transfer'],
    plant(
      () => sql`update transfers set debit_account_id = ${account('EXTERNAL')}
      where kind = 'LOAD' and credit_account_id = ${other.account_id}`,
    ),
    balance,
  ],
  [
    'a hold on another account',
    () => [ofTransaction(held)],
    plant(() => sql`update transactions set account_id = ${other.account_id} where id = ${held}`),
    plant(
      () => sql`update accounts set held = held + case id when ${other.account_id}
      then 700 else -700 end where id in (${other.account_id}, ${card.account_id})`,
    ),
  ],
  [
    'a floor that was lowered',
    () => [`I2 account ${other.account_id}`],
    plant(() => sql`update accounts set floor = -1000 where id = ${other.account_id}`),
  ],
]

const charging: Fault[] = [
  [
    'a PENDING charge that is never due',
    () => ['I4 charge'],
    plant(() => sql`update charges set due = null where status = 'PENDING'`),
  ],
  [
    'a charge that was not taken',
    () => [ofTransaction(cash)],
    plant(() => sql`delete from transfers where transaction_id = ${cash} and kind = 'CHARGE'`),
    plant(() => sql`delete from charges where transaction_id = ${cash}`),
    balance,
  ],
  [
    'a percentage that was not taken',
    () => [ofTransaction(foreign)],
    plant(() => sql`delete from transfers where transaction_id = ${foreign} and kind = 'CHARGE'`),
    plant(() => sql`delete from charges where transaction_id = ${foreign}`),
    balance,
  ],
  [
    'a charge that was taken twice',
    () => [ofTransaction(cash)],
    plant(() => again('transfers', sql`id = ${posted(cash, 'CHARGE')}`, { id: taken })),
    plant(() => again('charges', sql`id = ${chargeOf(cash)}`, { id: charge, transfer_id: taken })),
    balance,
  ],
  [
    'months of a card that were deleted',
    () => [`I4 card ${card.card_id}`],
    plant(() => sql`delete from monthly_charges where card_id = ${card.card_id}`),
  ],
  [
    'a month that is a year ahead',
    () => [`I4 card ${card.card_id}`],
    plant(
      () => sql`update monthly_charges set due = due + interval '1 year'
      where card_id = ${card.card_id}`,
    ),
  ],
  [
    'months that are counted a year ahead',
    () => [`I4 card ${card.card_id}`],
    plant(
      () => sql`update monthly_charges set due = due + interval '1 year', month = month + 12
      where card_id = ${card.card_id}`,
    ),
  ],
]

const payments: Fault[] = [
  [
    'a hold that ends in 2099',
    () => [ofTransaction(held)],
    plant(() => sql`update transactions set hold_expires = '2099-01-01' where id = ${held}`),
  ],
  [
    'a transaction that counted nowhere',
    () => [ofTransaction(counted)],
    plant(() => sql`delete from user_counters where user_id = ${counted_card.user_id}`),
    plant(
      () => sql`update transactions set details = (details::jsonb - 'counted')::json
      where id = ${counted}`,
    ),
  ],
  [
    'another rate of a foreign transaction',
    () => [ofTransaction(foreign)],
    plant(
      () => sql`update transactions
      set details = jsonb_set(details::jsonb, '{foreign,rate}', '"3.6"')::json
      where id = ${foreign}`,
    ),
  ],
  [
    'a card of another product than its account',
    () => [`I4 card ${other.card_id}`],
    plant(
      () => sql`update cards set card_product_id = (select card_product_id from cards
      where id = ${counted_card.card_id}) where id = ${other.card_id}`,
    ),
  ],
]

const sales: Fault[] = [
  [
    'an open order that is never due',
    () => [`I4 order ${open}`],
    plant(() => sql`update orders set due = null where id = ${open}`),
  ],
  [
    'a capture that is paid out from 2099 on',
    () => ['I4 operation'],
    plant(
      () => sql`update order_operations set payable = '2099-01-01'
      where order_id = ${captured}`,
    ),
  ],
  [
    'another fee of a capture',
    () => ['I4 operation'],
    plant(() => sql`update order_operations set fee = fee + 1 where order_id = ${captured}`),
  ],
  [
    'another fee of a capture that was paid out, and in its payout',
    () => ['I4 operation'],
    plant(
      () => sql`update order_operations set fee = fee + 1
      where type = 'CAPTURE' and payout_id is not null`,
    ),
    plant(() => sql`update payouts set fees = fees + 1, amount = amount - 1`),
  ],
  [
    'a kept card of another customer',
    () => [`I4 kept card ${kept}`],
    plant(() => sql`update merchant_kept_cards set customer = 'layla' where id = ${kept}`),
  ],
  [
    'a payment that is in doubt for two days',
    () => [`I4 checkout ${checkout}`],
    plant(() =>
      again('acquirer_messages', authorized(), {
        ...{ id: message, authorization_id: message, status: 'REVERSING', created: '2026-01-01' },
      }),
    ),
    plant(() =>
      again('acquirer_messages', authorized(), {
        ...{ id: reversal, authorization_id: message, reverses: message, mti: '0420' },
        ...{ status: 'PENDING', due: '2026-01-01' },
      }),
    ),
    plant(() =>
      again(
        'checkouts',
        sql`status = 'PAID' and reference = (select reference
      from orders where id = ${open})`,
        {
          ...{ id: checkout, page_key: 'stuck', reference: 'stuck', status: 'PAYING' },
          ...{ message_id: message, in_doubt: true, due: null },
        },
      ),
    ),
    (tx) => sql`insert into due_work (tenant_id, kind, due)
      values (${tx.tenant_id}, 'acquirer advices', '2026-01-01')
      on conflict (tenant_id, kind) do update set due = excluded.due`,
  ],
]

const all = { books, charging, payments, sales }
for (const [part, faults] of Object.entries(all)) {
  describe(`each planted fault of the ${part} is found by its own check`, () => {
    for (const [name, expected, ...plants] of faults) {
      test(name, async () => {
        const found = inOrder(await foundAfter(shop, ...plants))
        const nameless = /^(I1 transfer|I4 charge|I4 operation) .*/
        assert.deepEqual(
          found.map((line) => line.replace(nameless, '$1')),
          expected().sort(),
        )
      })
    }
  })
}

test('reconcile finds nothing where a part comes to nothing in the currency of the account', async () => {
  const { rows } = await sql<{ parts: bigint; transfers: bigint }>`
    select (select count(*) from order_operations where currency = 'JPY') as parts,
      (select count(*) from transfers where kind = 'CLEARING' and transaction_id in (
        select id from transactions where currency = 'JPY')) as transfers`.execute(shop.db)
  assert.deepEqual(
    rows.map(({ parts, transfers }) => [Number(parts), Number(transfers)]),
    [[3, 1]],
  )
  const asked = { date, own_issuer: true }
  const progress = await begin(shop.db, asked)
  const found: string[] = []
  for await (const { differences } of reconcile(shop.db, asked, progress)) {
    found.push(...differences.map(({ kind, detail }) => `${kind} ${detail}`))
  }
  assert.deepEqual(found, [])
})
