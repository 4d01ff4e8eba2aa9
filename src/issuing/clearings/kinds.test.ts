/** Every kind of record has its effect, or a row in suspense (D-1042, D-1043). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClearer } from '#test/support/clearing/clearer.ts'
import {
  clearingFile,
  type Members,
  nextArd,
  presentment,
} from '#test/support/clearing/clearing_file.ts'
import { purchase } from '#test/support/desk.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)

async function cardWith(balance: number) {
  const card = await issuer.card(balance)
  const { body } = await issuer.call('GET', `/v1/cards/${card.card_id}:reveal`)
  return { ...card, pan: String(body.card_number) }
}

/** The states of the records between header and trailer, and the balance after them. */
async function clear(account_id: string, records: readonly Members[]) {
  const cleared = await clearer.clear(await clearingFile(records))
  const between: { state: string; reason?: string }[] = cleared.records.slice(1, -1)
  return {
    ...cleared,
    states: between.map(({ state, reason }) => [state, reason].filter(Boolean).join(' ')),
    balance: (await issuer.account(account_id)).balance,
  }
}

describe('a first presentment', () => {
  for (const [name, code, type, balance] of [
    ['of cash', '010000', 'WITHDRAWAL', 90],
    ['of a purchase with cash back', '090000', 'CASH_BACK', 90],
    ['of a refund', '200000', 'REFUND', 110],
    ['of a payment to the card', '280000', 'PAYMENT', 110],
  ] as const) {
    test(`${name} is posted as that, and is taken back by its reversal (PDS 0025)`, async () => {
      const card = await cardWith(100)
      const cash = code === '010000' ? { DE26: '6011' } : {}
      const record = presentment(card.pan, 1_000n, { DE3: code, DE31: nextArd(), ...cash })
      const first = await clear(card.account_id, [record])
      assert.deepEqual(first.states, ['POSTED'])
      assert.equal(first.balance, balance)
      const path = `/v1/transactions/${first.records[1].transaction_id}`
      const { body } = await issuer.call('GET', path)
      assert.equal(body.transaction_type, type)
      const after = await clear(card.account_id, [{ ...record, PDS0025: 'R261128' }])
      assert.deepEqual([after.states, after.balance], [['POSTED'], 100])
    })
  }

  test('claims the authorization of its trace id (DE63), whatever else it says', async () => {
    const card = await cardWith(100)
    const trace_id = 'TRACE0000000063'
    const asked = { ...purchase({ card_id: card.card_id }, 1_200n), trace_id }
    const { transaction_id } = await world.engine.submit(world.tenant.id, { request: asked })
    const record = presentment(card.pan, 1_200n, { DE63: ` ${trace_id}`, DE37: 'OTHER0000001' })
    const { records, balance } = await clear(card.account_id, [record])
    assert.deepEqual([records[1].transaction_id, balance], [transaction_id, 88])
  })
})

describe('fees, addenda and totals', () => {
  const feeOf = (DE3: string, members: Members = {}): Members => ({
    ...{ MTI: '1740', DE24: '700', DE3, DE4: '000000000500', DE33: '12345678901', DE49: '784' },
    ...{ PDS0137: '00000000000000000001', ...members },
  })

  test('are collected, paid, in suspense, or shown, and the file balances', async () => {
    const card = await cardWith(100)
    const addendum = { MTI: '1644', DE24: '696', DE33: '12345678901', DE72: 'folio 12' }
    const totals = { MTI: '1644', DE24: '685', DE4: '000000004500', DE49: '784' }
    const { id, states, balance, file } = await clear(card.account_id, [
      ...[presentment(card.pan, 2_500n), addendum],
      ...[feeOf('190000'), feeOf('290000', { DE24: '783' }), feeOf('000000'), feeOf('190000')],
      totals,
    ])
    assert.deepEqual(states, [
      ...['POSTED', 'SHOWN', 'BOOKED', 'BOOKED', 'SUSPENDED UNKNOWN_MESSAGE', 'BOOKED', 'SHOWN'],
    ])
    assert.equal(balance, 75)
    const sums: { currency?: string; amount: number }[] = file.sums
    const moved = sums.filter(({ currency }) => currency === 'AED')
    assert.equal(
      moved.reduce((all, { amount }) => all + amount, 0),
      45,
    )
    const done = await clearer.resolve(id, 6, { action: 'RETURN', note: 'of nobody' })
    assert.equal(done.body.resolution, 'RETURNED')
  })
})

test('a second presentment of no dispute waits in suspense, and is resolved once', async () => {
  const card = await cardWith(100)
  const second = presentment(card.pan, 800n, { DE24: '205' })
  const { id, states, balance } = await clear(card.account_id, [second, second])
  assert.deepEqual([states, balance], [['SUSPENDED DISPUTE', 'SUSPENDED DISPUTE'], 100])
  for (const [number, action, resolution] of [
    [2, 'RETURN', 'RETURNED'],
    [3, 'WRITE_OFF', 'WRITTEN_OFF'],
  ] as const) {
    const done = await clearer.resolve(id, number, { action, note: 'no dispute of ours' })
    assert.deepEqual([done.body.state, done.body.resolution], ['RESOLVED', resolution])
    const again = await clearer.resolve(id, number, { action, note: 'again' })
    assert.equal(again.body.code, 'record_not_suspended')
  }
})

test('the books of all of these are in order', async () => {
  await assertSound(world.db)
})
