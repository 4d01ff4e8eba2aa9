/** Disputes of one transaction at two processes, beside refunds and other movements (D-1062). */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { ApiError } from '#lib/result.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { auditDisputes, listDisputes, moveDispute, openDispute } from './disputes.ts'

const world = await openWorld({ settings: { dispute_provisional_credit: 'AT_SUBMISSION' } })
const second = openDatabase(world.url, 4, { role: USUAL_ROLE })
after(async () => {
  await second.close()
  await world[Symbol.asyncDispose]()
})
const issuer = await openIssuer(world)
const { call } = issuer

/** The contexts of two processes, in turn. */
async function processes() {
  const ctx = await world.ctx()
  return [ctx, { ...ctx, db: second.db.forTenant(ctx.tenant_id) }] as const
}

async function settled() {
  const card = await issuer.card(100)
  const { id } = await issuer.pay(card.card_id, 100)
  await call('POST', `/v1/simulate/authorizations/${id}:clear`, {})
  return { ...card, transaction_id: String(id) }
}

/** Undefined where it failed by a rule; any other error fails the test. */
async function unless<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'not_found') return undefined
    throw error
  }
}

const allHold = async () => {
  for (const audit of [auditDisputes, auditLedger, auditTransactions]) {
    assert.deepEqual(await audit(world.db), [])
  }
}
const contested = { reason: 'DUPLICATE', explanation: 'Paid twice' } as const

describe('disputes and refunds of one transaction at two processes', () => {
  test('together never take more than was settled', async () => {
    const { transaction_id } = await settled()
    const both = await processes()
    const opened = Array.from({ length: 12 }, (_, at) =>
      unless(openDispute(both[at % 2] ?? both[0], { transaction_id, amount: 30, ...contested })),
    )
    const refunds = Array.from({ length: 3 }, () =>
      call('POST', '/v1/simulate/refunds', { transaction_id, currency: 'AED', amount: 10 }),
    )
    const [disputes] = await Promise.all([Promise.all(opened), Promise.all(refunds)])
    const { body } = await call('GET', `/v1/transactions/${transaction_id}`)
    const disputed = disputes.reduce((sum, one) => sum + (one?.amount ?? 0), 0)
    assert.ok(disputed > 0 && disputed <= 100, String(disputed))
    // A refund that came behind a dispute may leave less; then the dispute is not submitted.
    const submitted = await Promise.all(
      disputes.map((one, at) =>
        one
          ? unless(moveDispute(both[at % 2] ?? both[0], one.id, { step: 'SUBMIT' }))
          : Promise.resolve(undefined),
      ),
    )
    const taken = submitted.reduce((sum, one) => sum + (one?.amount ?? 0), 0)
    const left = disputes.reduce(
      (sum, one, at) => sum + (one && !submitted[at] ? one.amount : 0),
      0,
    )
    assert.ok(left > 0 || taken + body.refunded_amount <= 100, `${taken} ${left}`)
    await allHold()
  })

  test('of all moves of a state at one time one is made, and its money once', async () => {
    const { transaction_id, account_id } = await settled()
    const both = await processes()
    const { id } = await openDispute(both[0], { transaction_id, ...contested })
    for (const [step, balance] of [
      ['SUBMIT', 100],
      ['CHARGEBACK', 100],
      ['REPRESENT', 100],
      ['ACCEPT', 0],
    ] as const) {
      const tries = Array.from({ length: 6 }, (_, at) =>
        unless(moveDispute(both[at % 2] ?? both[0], id, { step })),
      )
      const made = (await Promise.all(tries)).filter((one) => one !== undefined)
      assert.equal(made.length, 1, step)
      assert.equal((await issuer.account(account_id)).balance, balance, step)
    }
    await allHold()
  })

  test('a credit that is taken back beside payments leaves no money unaccounted for', async () => {
    const { transaction_id, card_id, account_id } = await settled()
    const both = await processes()
    const { id } = await openDispute(both[0], { transaction_id, ...contested })
    for (const step of ['SUBMIT', 'CHARGEBACK', 'REPRESENT'] as const) {
      await moveDispute(both[1], id, { step })
    }
    const payments = Array.from({ length: 8 }, () => issuer.pay(card_id, 15))
    const [, ...paid] = await Promise.all([
      moveDispute(both[1], id, { step: 'ACCEPT' }),
      ...payments,
    ])
    const held = paid.filter(({ status_code }) => status_code === '0000').length * 15
    const { body } = await call('GET', `/v1/accounts/${account_id}/charges`)
    const owed = body.data.reduce((sum: number, one: { amount: number }) => sum + one.amount, 0)
    const account = await issuer.account(account_id)
    assert.equal(account.held, held)
    assert.equal(account.balance, owed)
    await allHold()
    const page = await listDisputes(await world.ctx(), { transaction_id })
    assert.equal(page.data[0]?.status, 'ACCEPTED')
  })
})
