/** Doctor finds disputes whose money, status or transaction is not what their steps made (D-1062). */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { foundAfter, inOrder, type Statement } from '#test/support/inspection/planted.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld({ settings: { dispute_provisional_credit: 'AT_SUBMISSION' } })
after(() => world[Symbol.asyncDispose]())
const { call, ...issuer } = await openIssuer(world)

/** A dispute of a settled purchase of 10.00 AED, after these calls. */
async function disputed(...paths: string[]) {
  const card = await issuer.card(10)
  const paid = await issuer.pay(card.card_id, 10)
  await call('POST', `/v1/simulate/authorizations/${paid.id}:clear`, {})
  const input = { transaction_id: paid.id, reason: 'FRAUD', explanation: 'Not by me' }
  const { id } = (await call('POST', '/v1/disputes', input)).body
  for (const path of paths) {
    const { status, text } = await call('POST', `/v1/${path.replace('{id}', id)}`, {})
    assert.equal(status, 200, text)
  }
  return { id: String(id), transaction_id: String(paid.id) }
}
const SUBMIT = 'disputes/{id}:submit'
const represented = await disputed(SUBMIT, 'simulate/disputes/{id}:represent')
const won = await disputed(SUBMIT, 'simulate/disputes/{id}:win')
const lost = await disputed(SUBMIT, 'simulate/disputes/{id}:lose')
const draft = await disputed()

const own = sql`tenant_id = ${world.tenant.id}`
/** The stored balances of accounts after a transfer was planted. */
const balance: Statement = () => sql`
  update accounts set balance = coalesce((select sum(amount) from entries e
    where ${own} and e.account_id = accounts.id), 0) where ${own} and balance is not null`
const posted = ({ transaction_id }: typeof won, kind: string) =>
  sql`transaction_id = ${transaction_id} and kind = ${kind}`
const set = ({ id }: typeof won, members: ReturnType<typeof sql>): Statement => {
  return () => sql`update disputes set ${members} where id = ${id}`
}
const ofDispute = ({ id }: typeof won) => `I4 dispute ${id}`
const ofTransaction = ({ transaction_id }: typeof won) => `I4 transaction ${transaction_id}`

test('disputes in every stage leave nothing to find', async () => {
  assert.deepEqual(await foundAfter(world), [])
})

const faults: [name: string, expected: string[], ...plants: Statement[]][] = [
  [
    'a credit that the ledger did not make',
    [ofDispute(draft), ofTransaction(draft)],
    set(draft, sql`credited = 1`),
  ],
  [
    'money of the network that a lost dispute has kept',
    [ofDispute(lost), ofTransaction(lost), 'I4 account'],
    set(lost, sql`recovered = amount`),
  ],
  [
    'a credit of another amount',
    [ofTransaction(won), 'I4 account'],
    () => sql`update transfers set amount = 900 where ${posted(won, 'DISPUTE_CREDIT')}`,
    balance,
  ],
  [
    'a chargeback that was posted to the fees',
    ['I1 transfer'],
    () => sql`update transfers set
      debit_account_id = (select id from accounts
        where ${own} and kind = 'FEES' and currency = 'AED')
      where ${own} and ${posted(won, 'DISPUTE_CHARGEBACK')}`,
  ],
  [
    'money of disputes that no dispute has got',
    ['I4 account'],
    () => sql`update disputes set currency = 'USD' where id = ${represented.id}`,
  ],
  [
    'a status that was not reported',
    [ofDispute(represented), `I6 dispute ${represented.id}`],
    set(represented, sql`status = 'PRE_ARBITRATION', recovered = 0`),
  ],
  ['more than the transaction has cleared', [ofTransaction(draft)], set(draft, sql`amount = 1001`)],
  [
    'a deadline of a dispute that has ended',
    [ofDispute(won)],
    set(won, sql`deadline = now() + interval '9 days', due = now() + interval '9 days'`),
  ],
]

for (const [name, expected, ...plants] of faults) {
  test(`${name} is found`, async () => {
    const found = inOrder(await foundAfter(world, ...plants)).map((line) =>
      line.replace(/^(I1 transfer|I4 account) .*/, '$1'),
    )
    for (const line of expected) assert.ok(found.includes(line), `${line} in ${found.join('; ')}`)
  })
}
