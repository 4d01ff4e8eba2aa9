import assert from 'node:assert/strict'
import { after, afterEach, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { auditDisputes } from './disputes.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
afterEach(async () => assert.deepEqual(await auditDisputes(world.db), []))
const ctx = await world.ctx()
const issuer = await openIssuer(world)
const { call } = issuer

async function disputed(amount: number, bin: string, fields: object = {}) {
  const card = await issuer.card(amount, { bin })
  const paid = await issuer.pay(card.card_id, amount)
  await call('POST', `/v1/simulate/authorizations/${paid.id}:clear`, {})
  const { body, text } = await call('POST', '/v1/disputes', {
    ...{ transaction_id: paid.id, reason: 'FRAUD', explanation: 'Not by me', ...fields },
  })
  assert.ok(body.id, text)
  return { ...card, id: String(body.id) }
}
const advance = async (duration: string) => {
  const { status, text } = await call('PUT', '/v1/simulate/clock', { advance: duration })
  assert.equal(status, 200, text)
}
const submit = (id: string) => call('POST', `/v1/disputes/${id}:submit`, {})
const find = async (id: string) => (await call('GET', `/v1/disputes/${id}`)).body
const statusOf = async (id: string) => (await find(id)).status
const nears = async (id: string) =>
  (await eventsOf(ctx, id)).filter((event) => event === 'DISPUTE_DEADLINE').length

type AuditRecord = { operation: string; actor: { kind: string }; members: string[] }
const shownRecord = ({ operation, actor, members }: AuditRecord) =>
  [operation, actor.kind, members.join(' ')] as const

describe('a deadline on the clock of the tenant', () => {
  test('of a draft is reported once five days ahead, and ends it; then none is opened', async () => {
    const { id, card_id } = await disputed(10, '431001')
    await advance('P114D')
    assert.deepEqual([await statusOf(id), await nears(id)], ['DRAFT', 0])
    await advance('P2D')
    assert.deepEqual([await statusOf(id), await nears(id)], ['DRAFT', 1])
    await advance('P5D')
    assert.deepEqual([await statusOf(id), await nears(id)], ['EXPIRED', 1])
    assert.equal((await submit(id)).body.code, 'dispute_move_refused')
    const { transaction_id } = await find(id)
    const again = { transaction_id, reason: 'FRAUD', explanation: 'Late' }
    assert.equal((await call('POST', '/v1/disputes', again)).body.code, 'dispute_too_late')
    assert.equal((await call('GET', `/v1/disputes?card_id=${card_id}`)).body.data.length, 1)
  })

  test('of the merchant’s side wins where the scheme says so', async () => {
    const { id, account_id } = await disputed(10, '431002')
    await submit(id)
    await advance('P1DT1H')
    assert.equal(await statusOf(id), 'CHARGED_BACK')
    await advance('P31D')
    assert.partialDeepStrictEqual(await find(id), { status: 'EXPIRED', outcome: 'WON' })
    assert.equal((await issuer.account(account_id)).balance, 10)
    assert.equal(await nears(id), 0)
    const { moves } = await find(id)
    const authors = moves.map((one: { author: { kind: string } }) => one.author.kind)
    assert.deepEqual(authors, ['client', 'client', 'network', 'system'])
    const { body } = await call('GET', `/v1/audit?object_id=${id}`)
    assert.deepEqual(body.data.map(shownRecord), [
      ['recordDisputeStep', 'system', 'step'],
      ['recordDisputeStep', 'network', 'step'],
      ['submitDispute', 'client', ''],
      ['openDispute', 'client', 'transaction_id reason explanation'],
    ])
  })

  test('of a card of no known scheme never comes for the merchant’s side', async () => {
    const { id } = await disputed(10, '631003')
    await submit(id)
    await advance('P2D')
    await advance('P400D')
    assert.equal(await statusOf(id), 'CHARGED_BACK')
  })

  test('of the issuer after a representment is reported, and loses', async () => {
    const { id, account_id } = await disputed(10, '531004')
    await submit(id)
    await call('POST', `/v1/simulate/disputes/${id}:represent`, {})
    await advance('P39D')
    assert.equal(await nears(id), 0)
    await advance('P2D')
    assert.equal(await nears(id), 1)
    await advance('P5D')
    assert.partialDeepStrictEqual(await find(id), { status: 'EXPIRED', outcome: 'LOST' })
    assert.equal((await issuer.account(account_id)).balance, 0)
  })
})

describe('the simulated scheme answers by the amount', () => {
  const rules: readonly (readonly [cents: number, ...after: string[]])[] = [
    [0.01, 'REPRESENTED', 'WON'],
    [0.02, 'REPRESENTED', 'LOST'],
    [0.03, 'WON', 'WON'],
    [0.05, 'REPRESENTED', 'LOST'],
    [0.1, 'CHARGED_BACK', 'CHARGED_BACK'],
  ]
  for (const [at, [cents, first, verdict]] of rules.entries()) {
    test(`…${cents.toFixed(2)}: ${first} in ten days, and ${verdict} ten days after an arbitration`, async () => {
      const amount = 10 + cents
      const { id } = await disputed(amount, `53201${at}`)
      await submit(id)
      await advance('P1DT1H')
      assert.equal(await statusOf(id), 'CHARGED_BACK')
      await advance('P10DT1H')
      assert.equal(await statusOf(id), first)
      if (first === 'REPRESENTED') {
        await call('POST', `/v1/disputes/${id}:arbitrate`, {})
        await advance('P1DT1H')
        await advance('P10DT1H')
      }
      const { status, credited_amount } = await find(id)
      assert.equal(status, verdict)
      const kept = cents === 0.05 ? 5.03 : 0
      assert.equal(credited_amount, verdict === 'WON' ? amount : kept)
    })
  }

  test('…0.04: the centre rejects the chargeback after a day', async () => {
    const { id } = await disputed(10.04, '532020')
    await submit(id)
    await advance('P1DT1H')
    const { status, moves } = await find(id)
    assert.equal(status, 'DRAFT')
    assert.match(moves.at(-1).note, /rejected/)
  })
})
