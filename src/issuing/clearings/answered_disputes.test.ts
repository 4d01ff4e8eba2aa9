/** Second presentments and rejections of a file move the dispute that they are about (D-1063). */

import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { recordNetworkMove } from '#issuing/disputes/disputes.ts'
import { auditAll } from '#src/audit/audits.ts'
import { openClearer } from '#test/support/clearing/clearer.ts'
import {
  clearingFile,
  type Members,
  nextArd,
  presentment,
} from '#test/support/clearing/clearing_file.ts'
import { openDisputed } from '#test/support/clearing/disputed.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openSecondEngine } from '#test/support/processes/second_engine.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { postPortion } from './posting.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const disputed = openDisputed(issuer, clearer)
const second = keep(openSecondEngine(world))

afterEach(async () => {
  assert.deepEqual(await auditAll(world.db), [])
})

const again = (record: Members, members: Members = {}): Members => ({
  ...record,
  DE24: '205',
  ...members,
})
const rejection = ({ DE2 = '', DE31 = '' }: Members, members: Members = {}): Members => ({
  ...{ MTI: '1644', DE24: '691', DE2, DE31, DE25: '0691', DE72: 'WRONG DOCUMENTATION INDICATOR' },
  ...members,
})
const sent = async (id: string) => recordNetworkMove(await world.ctx(), id, { step: 'SENT' })
const shown = ({ state, reason }: { state: string; reason?: string }) =>
  [state, reason].filter(Boolean).join(' ')
const cleared = async (...records: Members[]) => {
  const { records: all } = await clearer.clear(await clearingFile(records))
  return all.slice(1, -1)
}
const disputeOf = async (id: string) => (await issuer.call('GET', `/v1/disputes/${id}`)).body

/** The amount that the scheme has taken since this was made, in major units. */
async function openSettlement() {
  const read = async () => {
    const path = `/v1/operator/tenants/${world.tenant.id}/programaccounts`
    const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
    const kept = body.data.filter(({ kind }: { kind: string }) => kind === 'SETTLEMENT')
    return kept.reduce((sum: number, one: { balance: number }) => sum + one.balance, 0)
  }
  const before = await read()
  return async () => Math.round(((await read()) - before) * 100) / 100
}

describe('a second presentment of a file', () => {
  test('moves the dispute of its reference data, and books its money once', async () => {
    const { id, record, transaction_id } = await disputed.submitted(100)
    await sent(id)
    const settlement = await openSettlement()
    const [found] = await cleared(again(record))
    assert.partialDeepStrictEqual(found, { state: 'POSTED', transaction_id, dispute_id: id })
    assert.equal(found.booked_amount, undefined)
    const after = await disputeOf(id)
    assert.partialDeepStrictEqual(after, { status: 'REPRESENTED', represented_amount: 100 })
    assert.match(after.moves.at(-1).note, /record 2 of clearing file/)
    assert.equal(after.moves.at(-1).author.kind, 'network')
    const audited = (await issuer.call('GET', `/v1/audit?object_id=${id}`)).body.data
    assert.partialDeepStrictEqual(audited[0], {
      ...{ operation: 'recordDisputeStep', actor: { kind: 'network', id: 'clearing' } },
      ...{ address: '', object_ids: [id], members: ['step', 'note', 'amount'] },
    })
    assert.equal(await settlement(), 100)
  })

  test('of a part takes back that part', async () => {
    const { id, record } = await disputed.submitted(100)
    await sent(id)
    const [found] = await cleared(again(record, { DE24: '282', DE4: '000000004050' }))
    assert.equal(shown(found), 'POSTED')
    assert.partialDeepStrictEqual(await disputeOf(id), {
      status: 'REPRESENTED',
      represented_amount: 40.5,
    })
  })

  test('in the currency of the payment moves it by its share, where the network bills none', async () => {
    const rates = [{ from: 'USD', to: 'AED', rate: '3.6725' }]
    const body = { tenant_id: world.tenant.id, rates }
    const set = await world.request('PUT', '/v1/operator/rates', body, { key: world.operator_key })
    assert.equal(set.status, 200, set.text)
    const { card_id } = await issuer.card(10_000)
    const pan = String((await issuer.call('GET', `/v1/cards/${card_id}:reveal`)).body.card_number)
    const paid = async (fields: object = {}) => {
      const record = presentment(pan, 10_000n, { DE49: '840', PDS0148: '8402' })
      const [found] = await cleared(record)
      const made = await disputed.submit(found.transaction_id, fields)
      await sent(made.id)
      return { ...made, record }
    }
    const [whole, half, part, more] = [
      await paid(),
      await paid(),
      await paid({ amount: 100 }),
      await paid(),
    ]
    const settlement = await openSettlement()
    // The third is disputed for 100.00 of 367.25 AED, which are 27.23 of 100.00 USD.
    const found = await cleared(
      again(whole.record),
      again(half.record, { DE24: '282', DE4: '000000005000' }),
      again(part.record, { DE24: '282', DE4: '000000002723' }),
    )
    assert.deepEqual(found.map(shown), ['POSTED', 'POSTED', 'POSTED'])
    assert.equal(await settlement(), 650.88)
    const [above] = await cleared(again(more.record, { DE4: '000000010001' }))
    assert.equal(shown(above), 'SUSPENDED DISPUTE')
    const amounts = await Promise.all([whole, half, part, more].map(({ id }) => disputeOf(id)))
    assert.deepEqual(
      amounts.map(({ status, represented_amount }) => [status, represented_amount]),
      [
        ['REPRESENTED', 367.25],
        ['REPRESENTED', 183.63],
        ['REPRESENTED', 100],
        ['CHARGED_BACK', 0],
      ],
    )
  })

  test('behind a reversal of the presentment takes back what the chargeback got', async () => {
    const settlement = await openSettlement()
    const { id, record } = await disputed.submitted(100)
    await sent(id)
    assert.deepEqual((await cleared({ ...record, PDS0025: 'R261129' })).map(shown), ['POSTED'])
    assert.equal(await settlement(), -100)
    assert.deepEqual((await cleared(again(record))).map(shown), ['POSTED'])
    assert.equal((await disputeOf(id)).status, 'REPRESENTED')
    assert.equal(await settlement(), 0)
  })

  test('that comes twice, or before the chargeback has left, waits in suspense', async () => {
    const { id, record } = await disputed.submitted(100)
    assert.deepEqual((await cleared(again(record))).map(shown), ['SUSPENDED DISPUTE'])
    await sent(id)
    const both = await cleared(again(record), again(record))
    assert.deepEqual(both.map(shown), ['POSTED', 'SUSPENDED DISPUTE'])
    assert.deepEqual((await cleared(again(record))).map(shown), ['SUSPENDED DISPUTE'])
    assert.equal((await disputeOf(id)).status, 'REPRESENTED')
  })

  test('of another amount, currency, card, reference or direction waits in suspense', async () => {
    const { id, record } = await disputed.submitted(100)
    const other = await disputed.submitted(100)
    await sent(id)
    const records = await cleared(
      again(record, { DE4: '000000010001' }),
      again(record, { DE49: '840', PDS0148: '8402' }),
      again(record, { DE2: other.record['DE2'] ?? '' }),
      again(record, { DE31: nextArd() }),
      again(record, { PDS0025: 'R261128' }),
      again(record, { DE3: '200000' }),
      { ...again(record), MTI: '1442', DE24: '450' },
    )
    assert.deepEqual(new Set(records.map(shown)), new Set(['SUSPENDED DISPUTE']))
    assert.equal((await disputeOf(id)).status, 'CHARGED_BACK')
  })

  test('that fits two disputes waits in suspense', async () => {
    const first = await disputed.submitted(100, { amount: 60 })
    const { id } = await disputed.submit(first.transaction_id, { amount: 40 })
    await sent(first.id)
    await sent(id)
    const [found] = await cleared(again(first.record, { DE24: '282', DE4: '000000001000' }))
    assert.equal(shown(found), 'SUSPENDED DISPUTE')
  })

  test('that names one of two disputes by its reference (DE95) moves that one', async () => {
    const first = await disputed.submitted(100, { amount: 60 })
    const { id } = await disputed.submit(first.transaction_id, { amount: 40 })
    await sent(first.id)
    await sent(id)
    const DE95 = id.replaceAll('-', '').slice(-10).toUpperCase()
    const [found] = await cleared(again(first.record, { DE4: '000000004000', DE95 }))
    assert.deepEqual([shown(found), found.dispute_id], ['POSTED', id])
    assert.equal((await disputeOf(first.id)).status, 'CHARGED_BACK')
  })

  test('with the reference of a dispute of another tenant waits in suspense', async () => {
    const { id, record } = await disputed.submitted(100)
    await sent(id)
    const tenant = await world.otherTenant({ pci_compliant: true })
    const other = await openIssuer(world, tenant)
    const { card_id } = await other.card(100, {})
    const { body } = await other.call('GET', `/v1/cards/${card_id}:reveal`)
    const DE2 = String(body.card_number)
    const file = await clearingFile([again(record, { DE2 })])
    const { records } = await clearer.clear(file, [tenant.id])
    assert.equal(records[1].tenant_id, tenant.id)
    assert.equal(shown(records[1]), 'SUSPENDED DISPUTE')
    assert.equal((await disputeOf(id)).status, 'CHARGED_BACK')
  })

  test('moves its dispute once at two processes', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => disputed.submitted(10)))
    for (const { id } of made) await sent(id)
    const settlement = await openSettlement()
    const file = await clearingFile(made.map(({ record }) => again(record)))
    const { body } = await clearer.upload(file)
    const ctx = await world.ctx()
    await Promise.all(
      [world.engine, second.engine, world.engine].map((engine) => postPortion(ctx, engine)),
    )
    // A record that found the database busy is tried again two seconds later.
    await until('the file is posted', async () => {
      await world.sweeper.runDueJobs(world.tenant.id)
      return (await clearer.ask('GET', `/${body.id}`)).body.state === 'POSTED'
    })
    for (const { id } of made) assert.equal((await disputeOf(id)).status, 'REPRESENTED')
    assert.equal(await settlement(), 60)
  })
})

describe('a rejection of a file', () => {
  test('returns the dispute to DRAFT with its reason, once', async () => {
    const { id, record } = await disputed.submitted(100)
    await sent(id)
    const settlement = await openSettlement()
    const records = await cleared(rejection(record), rejection(record))
    assert.deepEqual(records.map(shown), ['POSTED', 'SHOWN'])
    assert.equal(records[0].dispute_id, id)
    const after = await disputeOf(id)
    assert.equal(after.status, 'DRAFT')
    assert.match(after.moves.at(-1).note, /0691.*WRONG DOCUMENTATION INDICATOR/)
    assert.equal(await settlement(), 100)
  })

  test('of another card or of no dispute is shown', async () => {
    const { id, record } = await disputed.submitted(100)
    const other = await disputed.submitted(100)
    await sent(id)
    const records = await cleared(
      rejection(record, { DE2: other.record['DE2'] ?? '' }),
      rejection(record, { DE31: nextArd() }),
      rejection(record, { DE24: '685' }),
    )
    assert.deepEqual(records.map(shown), ['SHOWN', 'SHOWN', 'SHOWN'])
    assert.equal((await disputeOf(id)).status, 'CHARGED_BACK')
  })
})
