import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { auditTransactions } from '#issuing/transactions/transactions.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { auditDisputes } from './disputes.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

afterEach(async () => {
  for (const audit of [auditDisputes, auditLedger, auditTransactions]) {
    assert.deepEqual(await audit(world.db), [])
  }
})

const DISPUTES = '/v1/disputes'
const contested = { reason: 'NOT_RECEIVED', explanation: 'It never came.' }

/** A settled purchase of 100.00 by a card that has `left` afterwards. */
async function settled(left = 0, amount = 100, product: object = {}) {
  const card = await issuer.card(amount + left, product)
  const { id } = await issuer.pay(card.card_id, amount)
  const cleared = await call('POST', `/v1/simulate/authorizations/${id}:clear`, {})
  assert.equal(cleared.status, 200, cleared.text)
  return { ...card, transaction_id: String(id) }
}
const open = (transaction_id: string, fields: object = {}) =>
  call('POST', DISPUTES, { transaction_id, ...contested, ...fields })
async function made(transaction_id: string, fields: object = {}) {
  const { status, body, text } = await open(transaction_id, fields)
  assert.equal(status, 200, text)
  return body
}
const move = (id: string, verb: string, body: object = {}) =>
  call('POST', `${DISPUTES}/${id}:${verb}`, body)
async function moved(id: string, ...verbs: string[]) {
  let answered = { body: { status: 'none' } }
  for (const verb of verbs) {
    const path = verb.startsWith('~') ? `/v1/simulate/disputes/${id}:${verb.slice(1)}` : undefined
    const { status, body, text } = await call('POST', path ?? `${DISPUTES}/${id}:${verb}`, {})
    assert.equal(status, 200, text)
    answered = { body }
  }
  return answered.body
}
const record = (id: string, body: object) =>
  world.request('POST', `/v1/operator/disputes/${id}:record`, body, { key: world.operator_key })
const credit = (dispute_provisional_credit: string | null) =>
  call('PUT', '/v1/tenantsettings', { dispute_provisional_credit })
const balanceOf = async (id: string) => (await issuer.account(id)).balance

/** Balances of the program's accounts, as changes from when this was made. */
async function openBooks() {
  const read = async () => {
    const path = `/v1/operator/tenants/${world.tenant.id}/programaccounts`
    const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
    return new Map<string, number>(
      body.data.map((one: { kind: string; balance: number }) => [one.kind, one.balance]),
    )
  }
  const before = await read()
  return async (...kinds: string[]) => {
    const now = await read()
    return kinds.map((kind) => {
      return Math.round(((now.get(kind) ?? 0) - (before.get(kind) ?? 0)) * 100) / 100
    })
  }
}

describe('POST /disputes', () => {
  test('opens a draft of all that is settled, which moves no money', async () => {
    const { transaction_id, card_id, account_id, user_id } = await settled(7)
    const books = await openBooks()
    const dispute = await made(transaction_id, { evidence: { expected_date: '2026-11-01' } })
    assert.partialDeepStrictEqual(dispute, {
      ...{ transaction_id, card_id, account_id, user_id, ...contested },
      ...{ status: 'DRAFT', amount: 100, currency: 'AED', credited_amount: 0 },
      evidence: { expected_date: '2026-11-01' },
    })
    assert.deepEqual((await call('GET', `${DISPUTES}/${dispute.id}`)).body, dispute)
    assert.equal(await balanceOf(account_id), 7)
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [0, 0])
  })

  test('409 for what is held only, declined, or refunded in full', async () => {
    const { card_id } = await issuer.card(10)
    const held = await issuer.pay(card_id, 10)
    const declined = await issuer.pay(card_id, 10)
    const { transaction_id } = await settled()
    const refund = { transaction_id, currency: 'AED', amount: 100 }
    const refunded = (await call('POST', '/v1/simulate/refunds', refund)).body
    for (const id of [held.id, declined.id, transaction_id, refunded.id]) {
      assert.equal((await open(id)).body.code, 'nothing_to_dispute')
    }
  })

  test('never more than is left after refunds and other disputes', async () => {
    const { transaction_id } = await settled()
    await call('POST', '/v1/simulate/refunds', { transaction_id, currency: 'AED', amount: 30 })
    assert.equal(
      (await open(transaction_id, { amount: 70.01 })).body.code,
      'dispute_exceeds_amount',
    )
    const first = await made(transaction_id, { amount: 50 })
    assert.equal(
      (await open(transaction_id, { amount: 20.01 })).body.code,
      'dispute_exceeds_amount',
    )
    const second = await made(transaction_id)
    assert.equal(second.amount, 20)
    assert.equal((await open(transaction_id)).body.code, 'nothing_to_dispute')
    await moved(first.id, 'withdraw')
    assert.equal((await made(transaction_id)).amount, 50)
  })

  test('the code of the scheme follows the reason, or is one of those that it has', async () => {
    const scheme = async (bin: string, fields: object) => {
      const card = await issuer.card(10, { bin })
      const { id } = await issuer.pay(card.card_id, 10)
      await call('POST', `/v1/simulate/authorizations/${id}:clear`, {})
      const { status, body } = await open(id, fields)
      return status === 200 ? [body.scheme, body.reason_code] : body.errors[0].path
    }
    assert.deepEqual(await scheme('452101', {}), ['VISA', '13.1'])
    assert.deepEqual(await scheme('522101', { reason: 'DUPLICATE' }), ['MASTERCARD', '4834'])
    const chip = { reason: 'FRAUD', reason_code: '4870' }
    assert.deepEqual(await scheme('522102', chip), ['MASTERCARD', '4870'])
    assert.equal(await scheme('522103', { reason_code: '4870' }), 'reason_code')
  })

  test('400 for no transaction, and for one of another tenant; 409 for an id that exists', async () => {
    assert.equal((await open(randomUUID())).body.errors[0].path, 'transaction_id')
    const { transaction_id } = await settled()
    const { api_key } = await world.otherTenant()
    const body = { transaction_id, ...contested }
    const foreign = await call('POST', DISPUTES, body, { key: api_key })
    assert.equal(foreign.body.errors[0].path, 'transaction_id')
    const { id } = await made(transaction_id, { amount: 1 })
    assert.equal((await open(transaction_id, { id, amount: 1 })).body.code, 'id_taken')
  })

  test('a draft changes, and nothing after it', async () => {
    const { transaction_id } = await settled()
    const { id } = await made(transaction_id, { amount: 10 })
    const changes = { amount: 100, reason: 'OTHER', explanation: 'It broke.' }
    const { body } = await call('PUT', `${DISPUTES}/${id}`, changes)
    assert.partialDeepStrictEqual(body, { ...changes, status: 'DRAFT' })
    const more = await call('PUT', `${DISPUTES}/${id}`, { amount: 100.01 })
    assert.equal(more.body.code, 'dispute_exceeds_amount')
    await moved(id, 'submit')
    const late = await call('PUT', `${DISPUTES}/${id}`, { explanation: 'Late' })
    assert.equal(late.body.code, 'dispute_not_draft')
  })
})

describe('GET /disputes', () => {
  test('filters by transaction, account, card, status, reason and deadline', async () => {
    const { transaction_id, card_id, account_id } = await settled()
    const one = await made(transaction_id, { amount: 10 })
    const other = await made(transaction_id, { amount: 10, reason: 'FRAUD' })
    await moved(other.id, 'submit')
    const list = async (query: string) =>
      (await call('GET', `${DISPUTES}?card_id=${card_id}&${query}`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    assert.deepEqual(await list(''), [other.id, one.id])
    assert.deepEqual(await list(`transaction_id=${transaction_id}`), [other.id, one.id])
    assert.deepEqual(await list(`account_id=${account_id}&status=DRAFT`), [one.id])
    assert.deepEqual(await list('reason=FRAUD'), [other.id])
    assert.deepEqual(await list('deadline_before=2999-01-01T00:00:00Z'), [one.id])
    assert.deepEqual(await list(`transaction_id=${randomUUID()}`), [])
  })

  test('sorted by deadline has those that have one, the next first, page by page', async () => {
    const { transaction_id, card_id } = await settled(0, 100, { bin: '522104' })
    const of = async (reason: string) => (await made(transaction_id, { amount: 1, reason })).id
    // 120 and 90 days.
    const far = await of('FRAUD')
    const near = await of('DUPLICATE')
    const near2 = await of('DUPLICATE')
    const done = await of('FRAUD')
    await moved(done, 'withdraw')
    const found: string[] = []
    let after = ''
    do {
      const query = `card_id=${card_id}&sort_by=deadline&limit=1${after}`
      const { body } = await call('GET', `${DISPUTES}?${query}`)
      found.push(...body.data.map(({ id }: { id: string }) => id))
      after = body.has_more ? `&after=${body.after}` : ''
    } while (after !== '')
    assert.deepEqual(found, [near, near2, far])
    const { body } = await call('GET', `${DISPUTES}?card_id=${card_id}&limit=1`)
    const mixed = await call('GET', `${DISPUTES}?sort_by=deadline&after=${body.after}`)
    assert.equal(mixed.body.code, 'cursor_invalid')
  })
})

describe('the life of a dispute', () => {
  test('submitted, charged back, represented, arbitrated and won, without a provisional credit', async () => {
    const { transaction_id, account_id } = await settled()
    const books = await openBooks()
    const { id } = await made(transaction_id)
    const submitted = await moved(id, 'submit')
    assert.partialDeepStrictEqual(submitted, { status: 'SUBMITTED', outgoing: 'CHARGEBACK' })
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [0, 0])
    const sent = await record(id, { step: 'SENT' })
    assert.equal(sent.body.status, 'CHARGED_BACK', sent.text)
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [-100, 100])
    assert.equal((await record(id, { step: 'REPRESENT', amount: 40 })).body.status, 'REPRESENTED')
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [-60, 60])
    assert.equal((await moved(id, 'arbitrate')).status, 'PRE_ARBITRATION')
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [-100, 100])
    const won = await record(id, { step: 'WIN', note: 'The merchant did not answer' })
    assert.partialDeepStrictEqual(won.body, { status: 'WON', outcome: 'WON', credited_amount: 100 })
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [-100, 0])
    assert.equal(await balanceOf(account_id), 100)
    const steps = won.body.moves.map((one: { step: string }) => one.step)
    assert.deepEqual(steps, ['OPEN', 'SUBMIT', 'CHARGEBACK', 'REPRESENT', 'ARBITRATE', 'WIN'])
    const authors = won.body.moves.map((one: { author: { kind: string } }) => one.author.kind)
    assert.deepEqual(authors.slice(0, 3), ['client', 'client', 'operator'])
  })

  test('each move is an event in its order, and is in the audit log', async () => {
    const { transaction_id } = await settled()
    const { id } = await made(transaction_id)
    await moved(id, 'submit')
    await moved(id, 'withdraw')
    const { rows } = await sql<{ change: object }>`
      select payload -> 'dispute_status_change' as change from events
      where tenant_id = ${world.tenant.id} and object_id = ${id} order by sequence`.execute(
      world.db,
    )
    const changes = rows.map(({ change }) => change)
    assert.deepEqual(changes, [
      { dispute_id: id, new_status: 'DRAFT' },
      { dispute_id: id, old_status: 'DRAFT', new_status: 'SUBMITTED' },
      { dispute_id: id, old_status: 'SUBMITTED', new_status: 'WITHDRAWN' },
    ])
    const records = (await call('GET', `/v1/audit?object_id=${id}`)).body.data
    const operations = records.map(({ operation }: { operation: string }) => operation)
    assert.deepEqual(operations, ['withdrawDispute', 'submitDispute', 'openDispute'])
  })

  for (const [setting, after] of [
    ['AT_SUBMISSION', [100, 100]],
    ['AT_CHARGEBACK', [0, 100]],
  ] as const) {
    test(`a credit ${setting} is given then, and taken back when the dispute is lost`, async () => {
      await credit(setting)
      const { transaction_id, account_id } = await settled()
      await credit(null)
      const { id } = await made(transaction_id)
      await credit(setting)
      await moved(id, 'submit')
      await credit(null)
      assert.equal(await balanceOf(account_id), after[0])
      await record(id, { step: 'SENT' })
      assert.equal(await balanceOf(account_id), after[1])
      const lost = await moved(id, '~represent', 'accept')
      assert.partialDeepStrictEqual(lost, { status: 'ACCEPTED', outcome: 'LOST' })
      assert.equal(await balanceOf(account_id), 0)
      const { body } = await call('GET', `/v1/accounts/${account_id}/transactions`)
      const types = body.data.map(({ type }: { type: string }) => type)
      assert.deepEqual(types.slice(0, 2), ['DISPUTE_CREDIT_REVERSAL', 'DISPUTE_CREDIT'])
    })
  }

  test('what the account lacks of a credit that is taken back is a charge', async () => {
    await credit('AT_SUBMISSION')
    const { transaction_id, account_id, card_id } = await settled()
    const books = await openBooks()
    const { id } = await made(transaction_id)
    await moved(id, 'submit')
    await issuer.pay(card_id, 70)
    await moved(id, '~lose')
    await credit(null)
    assert.deepEqual(await issuer.account(account_id), { balance: 70, held: 70, available: 0 })
    assert.deepEqual(await books('DISPUTES', 'FEES'), [0, -70])
    const listed = async () =>
      (await call('GET', `/v1/accounts/${account_id}/charges`)).body.data.map(
        (one: { type: string; status: string; amount: number }) => [
          one.type,
          one.status,
          one.amount,
        ],
      )
    assert.deepEqual(await listed(), [['DISPUTE', 'PENDING', 70]])
    await call('POST', `/v1/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 90 })
    await call('PUT', '/v1/simulate/clock', { advance: 'PT2H' })
    assert.deepEqual(await listed(), [['DISPUTE', 'APPLIED', 70]])
    assert.deepEqual(await books('DISPUTES', 'FEES'), [0, 0])
  })

  test('what the centre rejects is a draft again, without the money, and may be submitted again', async () => {
    await credit('AT_CHARGEBACK')
    const { transaction_id, account_id } = await settled()
    const books = await openBooks()
    const { id } = await made(transaction_id)
    await moved(id, 'submit')
    await record(id, { step: 'SENT' })
    const note = '0691: the documentation indicator is wrong'
    const { body } = await record(id, { step: 'REJECT', note })
    await credit(null)
    assert.equal(body.status, 'DRAFT')
    assert.equal(body.moves.at(-1).note, note)
    assert.equal(await balanceOf(account_id), 0)
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [0, 0])
    assert.equal((await moved(id, 'submit')).status, 'SUBMITTED')
  })

  test('a chargeback that a refund has come before does not leave', async () => {
    const { transaction_id } = await settled()
    const { id } = await made(transaction_id)
    await moved(id, 'submit')
    await call('POST', '/v1/simulate/refunds', { transaction_id, currency: 'AED', amount: 1 })
    const { body } = await record(id, { step: 'SENT' })
    assert.equal(body.status, 'DRAFT')
    assert.equal((await move(id, 'submit')).body.code, 'dispute_exceeds_amount')
  })

  test('a representment that a refund has come behind cannot be arbitrated, but accepted', async () => {
    const { transaction_id, account_id } = await settled()
    const { id } = await made(transaction_id)
    await moved(id, 'submit', '~represent')
    await call('POST', '/v1/simulate/refunds', { transaction_id, currency: 'AED', amount: 1 })
    assert.equal((await move(id, 'arbitrate')).body.code, 'dispute_exceeds_amount')
    for (const verb of ['arbitrate', 'win', 'lose']) {
      const { body } = await call('POST', `/v1/simulate/disputes/${id}:${verb}`, {})
      assert.equal(body.code, 'dispute_exceeds_amount', verb)
    }
    assert.equal((await moved(id, 'accept')).status, 'ACCEPTED')
    assert.equal(await balanceOf(account_id), 1)
  })

  test('of an account that is suspended meanwhile ends, and its money is where its state says', async () => {
    for (const setting of ['NONE', 'AT_SUBMISSION'] as const) {
      await credit(setting)
      for (const end of ['win', 'lose'] as const) {
        const { transaction_id, account_id } = await settled()
        const { id } = await made(transaction_id)
        await moved(id, 'submit')
        const path = `/v1/accounts/${account_id}:statuschange`
        const { status, text } = await call('PUT', path, { status: 'SUSPENDED' })
        assert.equal(status, 200, text)
        const ended = await moved(id, `~${end}`)
        assert.equal(ended.status, end === 'win' ? 'WON' : 'LOST', setting)
      }
    }
    await credit(null)
  })

  test('409 for each step that the table does not have', async () => {
    const { transaction_id } = await settled()
    const { id } = await made(transaction_id)
    for (const verb of ['accept', 'arbitrate']) {
      const { status, body } = await move(id, verb)
      assert.deepEqual([status, body.code], [409, 'dispute_move_refused'])
    }
    assert.equal((await record(id, { step: 'WIN' })).body.code, 'dispute_move_refused')
    for (const verb of ['represent', 'win', 'lose', 'arbitrate']) {
      const { body } = await call('POST', `/v1/simulate/disputes/${id}:${verb}`, {})
      const problem = { status: 409, code: 'dispute_move_refused', dispute_status: 'DRAFT' }
      assert.partialDeepStrictEqual(body, problem)
    }
    await moved(id, 'withdraw')
    assert.equal((await move(id, 'submit')).body.code, 'dispute_move_refused')
    const part = await record(id, { step: 'WIN', amount: 1 })
    assert.equal(part.body.errors[0].path, 'amount')
  })

  test('a withdrawal after the chargeback gives the money back, and has to leave', async () => {
    const { transaction_id } = await settled()
    const books = await openBooks()
    const { id } = await made(transaction_id)
    await moved(id, 'submit')
    await record(id, { step: 'SENT' })
    assert.equal((await moved(id, 'withdraw')).status, 'WITHDRAWN')
    assert.deepEqual(await books('SETTLEMENT', 'DISPUTES'), [0, 0])
    const path = `/v1/operator/disputes?tenant_id=${world.tenant.id}`
    const leaving = async () => {
      const { body } = await world.request('GET', path, undefined, { key: world.operator_key })
      return body.data.filter((one: { id: string }) => one.id === id)
    }
    assert.equal((await leaving())[0].outgoing, 'REVERSAL')
    await record(id, { step: 'SENT' })
    assert.deepEqual(await leaving(), [])
  })
})
