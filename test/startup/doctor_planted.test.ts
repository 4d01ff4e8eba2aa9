/**
 * `bezant doctor` on which way money went, at which account, for what, and when things are due:
 * each fault is planted in a database in which much has happened, and is found by its own check.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import { begin, reconcile } from '#src/audit/reconciliation/reconciliation.ts'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { openBusyShop } from './busy_shop.ts'

const scene = await openBusyShop()
const { shop, date, card, counted_card, other, waiting } = scene
const { held, cleared, foreign, cash, counted, refund, open, captured, kept } = scene
after(() => shop[Symbol.asyncDispose]())

test('payments, charges, orders and payouts leave nothing to find', async () => {
  assert.deepEqual(await auditAll(shop.db, true), [])
  const { rows } = await sql`select from payouts`.execute(shop.db)
  assert.ok(rows.length > 0, 'a payout was made')
})

const account = (kind: string) =>
  sql`(select id from accounts where kind = ${kind} and currency = 'AED')`
const posted = (id: string, kind: string) =>
  sql`(select id from transfers where transaction_id = ${id} and kind = ${kind} limit 1)`

/** The stored balances of accounts after a transfer was planted. */
const balance: Statement = () => sql`
  update accounts set balance = coalesce((select sum(amount) from entries e
    where e.account_id = accounts.id), 0) where balance is not null`

/** The row of a table again, with other members. */
const again = (table: string, where: RawBuilder<unknown>, members: object) => sql`
  insert into ${sql.table(table)}
  select (jsonb_populate_record(r, ${JSON.stringify(members)}::jsonb)).*
  from ${sql.table(table)} r where ${where}`

const chargeOf = (id: string) => sql`(select id from charges where transaction_id = ${id})`
const authorized = () => sql`id = (select authorization_id from orders where id = ${open})`
const [charge, taken, checkout, message, reversal] = [newId(), newId(), newId(), newId(), newId()]

/** A plant, and the beginnings of the lines that doctor prints about it. */
type Fault = [name: string, expected: () => string[], ...plants: Statement[]]
const ofTransaction = (id: string) => `I4 transaction ${id}`

const books: Fault[] = [
  [
    'a clearing that credits',
    () => ['I1 transfer', ofTransaction(cleared)],
    () => sql`update transfers set debit_account_id = credit_account_id,
      credit_account_id = debit_account_id where id = ${posted(cleared, 'CLEARING')}`,
    balance,
  ],
  [
    'a clearing that debits another cardholder',
    () => [ofTransaction(cleared)],
    () => sql`update transfers set debit_account_id = ${other.account_id}
      where id = ${posted(cleared, 'CLEARING')}`,
    balance,
  ],
  [
    'a clearing to the funding in place of the settlement',
    () => ['I1 transfer', ofTransaction(cleared)],
    () => sql`update transfers set credit_account_id = ${account('FUNDING')}
      where id = ${posted(cleared, 'CLEARING')}`,
    balance,
  ],
  [
    'a load from outside in place of the funding',
    () => ['I1 transfer'],
    () => sql`update transfers set debit_account_id = ${account('EXTERNAL')}
      where kind = 'LOAD' and credit_account_id = ${other.account_id}`,
    balance,
  ],
  [
    'a hold on another account',
    () => [ofTransaction(held)],
    () => sql`update transactions set account_id = ${other.account_id} where id = ${held}`,
    () => sql`update accounts set held = held + case id when ${other.account_id}
      then 700 else -700 end where id in (${other.account_id}, ${card.account_id})`,
  ],
  [
    'a charge to the settlement in place of the fees',
    () => ['I1 transfer'],
    () => sql`update transfers set credit_account_id = ${account('SETTLEMENT')}
        where kind = 'CHARGE' and transaction_id = ${cash}`,
    balance,
  ],
  [
    'a refund at another account than its purchase',
    () => [ofTransaction(refund), ofTransaction(refund)],
    () => sql`update transfers set credit_account_id = ${other.account_id}
        where transaction_id = ${refund}`,
    () => sql`update transactions set account_id = ${other.account_id} where id = ${refund}`,
    balance,
  ],
  [
    'a floor that was lowered',
    () => [`I2 account ${other.account_id}`],
    () => sql`update accounts set floor = -1000 where id = ${other.account_id}`,
  ],
]

const charging: Fault[] = [
  [
    'a PENDING charge that is never due',
    () => ['I4 charge'],
    () => sql`update charges set due = null where status = 'PENDING'`,
  ],
  [
    'a charge that was not taken',
    () => [ofTransaction(cash)],
    () => sql`delete from transfers where transaction_id = ${cash} and kind = 'CHARGE'`,
    () => sql`delete from charges where transaction_id = ${cash}`,
    balance,
  ],
  [
    'a percentage that was not taken',
    () => [ofTransaction(foreign)],
    () => sql`delete from transfers where transaction_id = ${foreign} and kind = 'CHARGE'`,
    () => sql`delete from charges where transaction_id = ${foreign}`,
    balance,
  ],
  [
    'a charge that was taken twice',
    () => [ofTransaction(cash)],
    () => again('transfers', sql`id = ${posted(cash, 'CHARGE')}`, { id: taken }),
    () => again('charges', sql`id = ${chargeOf(cash)}`, { id: charge, transfer_id: taken }),
    balance,
  ],
  [
    'a PENDING charge that is due in 2099',
    () => ['I4 charge'],
    () => sql`update charges set due = '2099-01-01' where status = 'PENDING'`,
  ],
  [
    'a PENDING charge that was lost',
    () => [`I4 card ${waiting.card_id}`],
    () => sql`delete from charges where status = 'PENDING'`,
  ],
  [
    'a charge that was taken at another time',
    () => ['I4 charge'],
    () => sql`update charges set applied = applied + interval '1 day'
        where transaction_id = ${cash}`,
  ],
  [
    'a month of a card that was not taken',
    () => [`I4 card ${card.card_id}`],
    () => sql`delete from transfers where id in (select transfer_id from charges
        where month is not null and card_id = ${card.card_id})`,
    () => sql`delete from charges where month is not null and card_id = ${card.card_id}`,
    balance,
  ],
  [
    'months that end before the card does',
    () => [`I4 card ${card.card_id}`],
    () => sql`update monthly_charges set ends = due where card_id = ${card.card_id}`,
  ],
  [
    'months of a card that were deleted',
    () => [`I4 card ${card.card_id}`],
    () => sql`delete from monthly_charges where card_id = ${card.card_id}`,
  ],
  [
    'a month that is a year ahead',
    () => [`I4 card ${card.card_id}`],
    () => sql`update monthly_charges set due = due + interval '1 year'
      where card_id = ${card.card_id}`,
  ],
  [
    'months that are counted a year ahead',
    () => [`I4 card ${card.card_id}`],
    () => sql`update monthly_charges set due = due + interval '1 year', month = month + 12
      where card_id = ${card.card_id}`,
  ],
]

const payments: Fault[] = [
  [
    'a hold that ends in 2099',
    () => [ofTransaction(held)],
    () => sql`update transactions set hold_expires = '2099-01-01' where id = ${held}`,
  ],
  [
    'a transaction that counted nowhere',
    () => [ofTransaction(counted)],
    () => sql`delete from user_counters where user_id = ${counted_card.user_id}`,
    () => sql`update transactions set details = (details::jsonb - 'counted')::json
      where id = ${counted}`,
  ],
  [
    'another rate of a foreign transaction',
    () => [ofTransaction(foreign)],
    () => sql`update transactions
      set details = jsonb_set(details::jsonb, '{foreign,rate}', '"3.6"')::json
      where id = ${foreign}`,
  ],
  [
    'a foreign transaction without a rate',
    () => [ofTransaction(foreign)],
    () => sql`update transactions set details = (details::jsonb #- '{foreign,rate}')::json
        where id = ${foreign}`,
  ],
  [
    'another rate of a clearing',
    () => [ofTransaction(foreign)],
    () => sql`update transactions
        set details = jsonb_set(details::jsonb, '{foreign,clearing_rate}', '"3.6"')::json
        where id = ${foreign}`,
  ],
  [
    'a transaction of another user than its card',
    () => [ofTransaction(held)],
    () => sql`update transactions
        set details = jsonb_set(details::jsonb, '{user_id}', ${JSON.stringify(other.user_id)})::json
        where id = ${held}`,
  ],
  [
    'a hold that ended before it was made',
    () => [ofTransaction(held)],
    () => sql`update transactions set hold_expires = '2020-01-01' where id = ${held}`,
  ],
  [
    'a card that is valid for longer than it says',
    () => [`I4 card ${other.card_id}`],
    () => sql`update cards set valid_until = valid_until + interval '1 year'
        where id = ${other.card_id}`,
  ],
  [
    'a card of another product than its account',
    () => [`I4 card ${other.card_id}`],
    () => sql`update cards set card_product_id = (select card_product_id from cards
      where id = ${counted_card.card_id}) where id = ${other.card_id}`,
  ],
]

const sales: Fault[] = [
  [
    'an open order that is never due',
    () => [`I4 order ${open}`],
    () => sql`update orders set due = null where id = ${open}`,
  ],
  [
    'a capture that is paid out from 2099 on',
    () => ['I4 operation'],
    () => sql`update order_operations set payable = '2099-01-01'
      where order_id = ${captured}`,
  ],
  [
    'an open order that is due in 2099',
    () => [`I4 order ${open}`],
    () => sql`update orders set due = '2099-01-01' where id = ${open}`,
  ],
  [
    'an open order whose deadline is in 2099',
    () => [`I4 order ${open}`],
    () => sql`update orders set capture_expiration = '2099-01-01' where id = ${open}`,
  ],
  [
    'an order of another amount than its payment',
    () => [`I4 order ${open}`],
    () => sql`update orders set authorized = authorized + 100, total = total + 10000
        where id = ${open}`,
  ],
  [
    'another fee of a refund that was paid out, and in its payout',
    () => ['I4 operation'],
    () => sql`update order_operations set fee = fee + 1
        where type = 'REFUND' and payout_id is not null`,
    () => sql`update payouts set fees = fees + 1, amount = amount - 1`,
  ],
  [
    'another fee of a capture',
    () => ['I4 operation'],
    () => sql`update order_operations set fee = fee + 1 where order_id = ${captured}`,
  ],
  [
    'another fee of a capture that was paid out, and in its payout',
    () => ['I4 operation'],
    () => sql`update order_operations set fee = fee + 1
      where type = 'CAPTURE' and payout_id is not null`,
    () => sql`update payouts set fees = fees + 1, amount = amount - 1`,
  ],
  [
    'a kept card of another customer',
    () => [`I4 kept card ${kept}`],
    () => sql`update merchant_kept_cards set customer = 'layla' where id = ${kept}`,
  ],
  [
    'a payment that is in doubt for two days',
    () => [`I4 checkout ${checkout}`],
    () =>
      again('acquirer_messages', authorized(), {
        id: message,
        authorization_id: message,
        status: 'REVERSING',
        created: '2026-01-01',
      }),
    () =>
      again('acquirer_messages', authorized(), {
        id: reversal,
        authorization_id: message,
        reverses: message,
        mti: '0420',
        status: 'PENDING',
        due: '2026-01-01',
      }),
    () =>
      again(
        'checkouts',
        sql`status = 'PAID' and reference = (select reference
      from orders where id = ${open})`,
        {
          id: checkout,
          page_key: 'stuck',
          reference: 'stuck',
          status: 'PAYING',
          message_id: message,
          in_doubt: true,
          due: null,
        },
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

test('reconcile finds nothing where a part is 0 in the currency of the account', async () => {
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
