/**
 * `bezant doctor` on what other rows still say of a row that was changed, doubled or deleted:
 * transactions, movements by calls, and the times of messages. Each fault is planted in a database
 * in which much has happened, with the balances that go with it.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { auditAll } from '#src/audit/audits.ts'
import { about, purchase, type TestMessage } from '#test/support/desk.ts'
import { foundAfter, type Statement } from '#test/support/inspection/planted.ts'
import { type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { openBusyShop } from './busy_shop.ts'

const scene = await openBusyShop()
const { shop, card, other, counted_card, captured, open } = scene
after(() => shop[Symbol.asyncDispose]())

const VERIFICATION = { processing_code: '330000' } as const
let poor: MadeCard
let verified: string
let lowered: string
let pending: string
let partly: string

async function ask(request: TestMessage, code = '0000'): Promise<string> {
  const answer = await shop.engine.submit(shop.tenant.id, { request })
  assert.equal(answer.status_code, code)
  return answer.transaction_id
}

before(async () => {
  const issuer = await openIssuer(shop)
  poor = await issuer.card(5)
  const made = async (path: string, body: object, key?: string) => {
    const options = key === undefined ? {} : { headers: { 'idempotency-key': key } }
    const answer = await issuer.call('POST', path, body, options)
    assert.equal(answer.status, 200, answer.text)
  }
  await made(`/v1/accounts/${poor.account_id}:loadfunds`, { currency: 'AED', amount: 7 }, newId())
  await made(`/v1/accounts/${other.account_id}:unloadfunds`, { currency: 'AED', amount: 3 })
  await made('/v1/transfers', {
    sender_account_id: other.account_id,
    recipient_account_id: poor.account_id,
    currency: 'AED',
    amount: 4,
  })
  await made(`/v1/accounts/${other.account_id}:charge`, {
    amount: 6,
    currency: 'AED',
    description: 'Copy',
  })
  verified = await ask(purchase(other, 0n, { ...VERIFICATION, is_verification: true }), '0885')
  const raised = purchase(other, 900n)
  lowered = await ask(raised)
  await ask(about(raised, { message_type: '0400', remaining_amount: 500n }))
  await ask(about(raised, { message_type: '0100', amount: 200n }))
  const parts = purchase(other, 800n)
  partly = await ask(parts)
  await ask(about(parts, { message_type: '0220', amount: 300n }))
  pending = await ask(purchase(card, 600n))
})

test('what happened leaves nothing to find', async () => {
  assert.deepEqual(await auditAll(shop.db, true), [])
})

const declined = sql`(select id from transactions where status = 'DECLINED'
  and status_code = '1016' limit 1)`
const voided = sql`(select id from transactions where status = 'VOIDED' limit 1)`
const expired = sql`(select id from transactions where status = 'EXPIRED' limit 1)`

/** Accounts store the sums of their transfers again, after some were planted. */
const balance: Statement = () => sql`
  update accounts set
    balance = s.amount, floor = case kind when 'CARD' then least(s.amount - held, 0) else 0 end
  from (select account_id, sum(amount) as amount from entries group by account_id) s
  where accounts.id = s.account_id and balance is not null`

/** The row of a table again, under another id. */
const again =
  (table: string, id: RawBuilder<unknown>): Statement =>
  () =>
    sql`
  insert into ${sql.table(table)}
  select (jsonb_populate_record(r, ${JSON.stringify({ id: newId() })}::jsonb)).*
  from ${sql.table(table)} r where id = ${id}`

const set =
  (id: RawBuilder<unknown> | (() => RawBuilder<unknown>), fields: RawBuilder<unknown>): Statement =>
  () =>
    sql`update transactions set ${fields} where id = ${typeof id === 'function' ? id() : id}`
const ofPending = () => sql`${pending}`
const heldIn =
  (account_id: string, more: number): Statement =>
  () =>
    sql`update accounts set held = held + ${more}, floor = least(balance - held - ${more}, 0)
      where id = ${account_id}`
const remove =
  (table: string, id: () => RawBuilder<unknown>): Statement =>
  () =>
    sql`delete from ${sql.table(table)} where id = ${id()}`

type Fault = [name: string, found: RegExp, ...plants: Statement[]]

const transactions: Fault[] = [
  [
    'a declined transaction that was deleted',
    /^I6 transaction \S+ does not exist/,
    remove('transactions', () => declined),
  ],
  [
    'a reversed transaction that was deleted with its messages',
    /^I6 transaction \S+ does not exist/,
    () => sql`delete from network_messages where transaction_id = ${voided}`,
    remove('transactions', () => voided),
  ],
  [
    'a verification that was deleted',
    /^I6 transaction \S+ does not exist/,
    remove('transactions', () => sql`${verified}`),
  ],
  [
    'a reversed payment that is SETTLED',
    /^I4 transaction \S+ is SETTLED/,
    set(voided, sql`status = 'SETTLED'`),
  ],
  [
    'a reversed payment that is EXPIRED',
    /^I4 transaction \S+ is EXPIRED/,
    set(voided, sql`status = 'EXPIRED'`),
  ],
  [
    'an expired payment that is SETTLED',
    /^I4 transaction \S+ is SETTLED/,
    set(expired, sql`status = 'SETTLED'`),
  ],
  [
    'an expired payment that is VOIDED',
    /^I4 transaction \S+ is VOIDED/,
    set(expired, sql`status = 'VOIDED', withdrawn = true`),
  ],
  [
    'a declined payment that is SETTLED with an approval',
    /^I4 transaction \S+ is SETTLED/,
    set(declined, sql`status = 'SETTLED', status_code = '0000'`),
  ],
  [
    'a declined payment that is VOIDED',
    /^I4 transaction \S+ is VOIDED/,
    set(declined, sql`status = 'VOIDED', withdrawn = true`),
  ],
  [
    'a verification that is VOIDED',
    /^I4 transaction \S+ is VOIDED/,
    set(() => sql`${verified}`, sql`status = 'VOIDED', withdrawn = true`),
  ],
  ...['SETTLED', 'EXPIRED', 'VOIDED'].map(
    (status): Fault => [
      `an open payment that is ${status} and holds nothing`,
      new RegExp(`^I4 transaction \\S+ is ${status}`),
      set(
        ofPending,
        sql`status = ${status}, held = 0, hold_expires = null, withdrawn = ${status === 'VOIDED'}`,
      ),
      heldIn(card.account_id, -600),
    ],
  ),
  [
    'a payment that was reversed in part and is VOIDED',
    /^I4 transaction \S+ is VOIDED/,
    set(
      () => sql`${lowered}`,
      sql`status = 'VOIDED', held = 0, hold_expires = null, withdrawn = true`,
    ),
    heldIn(other.account_id, -700),
  ],
  [
    'a hold that was lowered',
    /^I4 transaction \S+ is PENDING and holds 100/,
    set(ofPending, sql`held = 100`),
    heldIn(card.account_id, -500),
  ],
  [
    'what is left of a clearing, and is not held any longer',
    /^I4 transaction \S+ is SETTLED and holds 0/,
    set(() => sql`${partly}`, sql`status = 'SETTLED', held = 0, hold_expires = null`),
    heldIn(other.account_id, -500),
  ],
  [
    'another amount of an open payment, which is held',
    /^I4 transaction \S+ is of/,
    set(
      ofPending,
      sql`amount = 700, held = 700,
        details = (details::jsonb || '{"billing_amount":"700"}')::json`,
    ),
    heldIn(card.account_id, 100),
  ],
  [
    'another amount of a payment that was raised, which is held',
    /^I4 transaction \S+ is of/,
    set(
      () => sql`${lowered}`,
      sql`amount = 800, held = 800,
        details = (details::jsonb || '{"billing_amount":"800"}')::json`,
    ),
    heldIn(other.account_id, 100),
  ],
]

const moved = (kind: string, account_id: string) => sql`(select id from transfers
  where kind = ${kind} and transaction_id is null
    and ${account_id} in (credit_account_id, debit_account_id) limit 1)`
const funded = sql`(select id from transfers where kind = 'PROGRAM_FUNDING'
  order by id desc limit 1)`
const loaded = () => sql`(select id from transfers where kind = 'LOAD'
  and credit_account_id = ${poor.account_id} and amount = 700)`

const movements: Fault[] = [
  ...[
    ['LOAD', moved('LOAD', other.account_id)] as const,
    ['UNLOAD', moved('UNLOAD', other.account_id)] as const,
    ['TRANSFER', moved('TRANSFER', other.account_id)] as const,
    ['PROGRAM_FUNDING', funded] as const,
  ].flatMap(([kind, id]): Fault[] => [
    [
      `a ${kind} that was deleted`,
      new RegExp(`^I4 audit record \\S+ is of a ${kind}`),
      remove('transfers', () => id),
      balance,
    ],
    [
      `a ${kind} that was doubled`,
      new RegExp(`^I4 transfer \\S+ is a ${kind}`),
      again('transfers', id),
      balance,
    ],
    [
      `a ${kind} of another day`,
      new RegExp(`^I4 audit record \\S+ is of a ${kind}`),
      () => sql`update transfers set created = created + interval '1 day' where id = ${id}`,
    ],
  ]),
  [
    'a LOAD of another account',
    /^I4 audit record \S+ is of a LOAD/,
    () => sql`update transfers set credit_account_id = ${counted_card.account_id}
      where id = ${moved('LOAD', other.account_id)}`,
    balance,
  ],
  [
    'another amount of a LOAD whose answer is kept',
    /^I4 transfer \S+ is of 900 AED, its answer/,
    () => sql`update transfers set amount = 900 where id = ${loaded()}`,
    balance,
  ],
  [
    'another amount of a LOAD, on whose balance a payment was decided',
    /^I4 transaction \S+ was decided/,
    () => sql`update transfers set amount = amount + 1000
      where id = ${moved('LOAD', counted_card.account_id)}`,
    balance,
  ],
  [
    'a single charge that was deleted with its transfer',
    /^I4 audit record \S+ is of a charge/,
    () => sql`delete from transfers where id = (select transfer_id from charges
      where type = 'OTHER')`,
    () => sql`delete from charges where type = 'OTHER'`,
    balance,
  ],
]

const messages: Fault[] = [
  [
    'a message that is older than its authorization',
    /^I4 message \S+ came at/,
    () => sql`update network_messages set created = created - interval '2 hours'
      where transaction_id = ${lowered}`,
  ],
  [
    'a message that is to come',
    /^I4 message \S+ came at/,
    () => sql`update network_messages set created = created + interval '2 hours'
      where transaction_id = ${lowered}`,
  ],
  [
    'a capture that is older than its payment',
    /^I4 message \S+ is of .* and was sent about messages/,
    () => sql`update acquirer_messages set created = created - interval '2 hours'
      where id = (select message_id from order_operations where order_id = ${captured})`,
  ],
  [
    'a payment that is newer than its order',
    /^I4 order \S+ was made at/,
    () => sql`update acquirer_messages set created = created + interval '10 minutes'
      where id = (select authorization_id from orders where id = ${open})`,
  ],
]

const reports: Fault[] = [
  [
    'another amount of a charge, and of its transfer',
    /^I6 charge \S+ is of 900 AED/,
    () => sql`update transfers set amount = 900 where id = (select transfer_id from charges
      where type = 'OTHER')`,
    () => sql`update charges set amount = 900 where type = 'OTHER'`,
    balance,
  ],
  [
    'an account whose status was changed by hand',
    /^I6 account \S+ is SUSPENDED/,
    () => sql`update accounts set status = 'SUSPENDED' where id = ${other.account_id}`,
  ],
  [
    'a payout that nobody paid',
    /^I6 payout \S+ is PAID/,
    () => sql`update payouts set status = 'PAID', reference = 'by hand' where status = 'PENDING'`,
  ],
  [
    'a payout that was deleted',
    /^I6 payout \S+ does not exist/,
    () => sql`update order_operations set payout_id = null, payable =
      (date_trunc('day', booked at time zone 'UTC') + interval '1 day') at time zone 'UTC'
      where payout_id is not null`,
    () => sql`delete from payouts`,
  ],
]

for (const [part, faults] of Object.entries({ transactions, movements, messages, reports })) {
  describe(`each planted fault of the ${part} is found`, () => {
    for (const [name, expected, ...plants] of faults) {
      test(name, async () => {
        const findings = await foundAfter(shop, ...plants)
        const found = findings.map((one) => `${one.invariant} ${one.subject} ${one.detail}`)
        assert.ok(
          found.some((line) => expected.test(line)),
          `found: ${found.join('; ')}`,
        )
      })
    }
  })
}
