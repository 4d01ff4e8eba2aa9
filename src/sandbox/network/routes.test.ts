import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditLedger } from '#issuing/ledger/ledger.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { call } = issuer
const otherIssuer = await openIssuer(world, await world.otherTenant())
keep({ close: async () => assert.deepEqual(await auditLedger(world.db), []) })

const PATH = '/v1/simulate/authorizations'
const authorize = (body: object, options = {}) =>
  call('POST', PATH, { amount: 10, currency: 'AED', ...body }, options)
const refund = (body: object) =>
  call('POST', '/v1/simulate/refunds', { amount: 10, currency: 'AED', ...body })
const act = (id: string, action: 'increment' | 'reverse' | 'clear', body?: object, options = {}) =>
  call('POST', `${PATH}/${id}:${action}`, body, options)
const keyed = () => ({
  headers: { [`x-${world.config.operator_name}-idempotency-key`]: randomUUID() },
})
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path)
/** A card with 100.00 and 10.00 of them held. */
async function held() {
  const card = await issuer.card(100)
  const { body } = await authorize({ card_id: card.card_id })
  return { ...card, id: body.id as string }
}
const transactionsOf = async (card_id: string): Promise<unknown[]> =>
  (await call('GET', `/v1/transactions?card_id=${card_id}&limit=200`)).body.data

describe('POST /simulate/authorizations', () => {
  test('200 answers the transaction that the engine made', async () => {
    const { card_id, account_id, user_id } = await issuer.card(100)
    const merchant = { id: 'SHOP1', name: 'Shop', mcc: '5411', city: 'Dubai', country: 'ae' }
    const { status, body } = await authorize({ card_id, amount: '12.50', merchant })
    assert.equal(status, 200)
    const { id, approval_code, created, modified, hold_expires, events, ...rest } = body
    assert.deepEqual(rest, {
      card_id,
      account_id,
      user_id,
      message_type: '0100',
      transaction_type: 'PURCHASE',
      status: 'PENDING',
      status_code: '0000',
      status_description: 'Approved',
      amount: 12.5,
      currency: 'AED',
      billing_amount: 12.5,
      billing_currency: 'AED',
      cleared_amount: 0,
      refunded_amount: 0,
      merchant: { ...merchant, country: 'ARE' },
      pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE' },
    })
    assert.match(approval_code, /^\d{6}$/)
    assert.equal(new Date(hold_expires).getTime() - new Date(created).getTime(), 7 * 86_400_000)
    assert.equal(modified, created)
    assert.deepEqual(events, [
      { type: 'AUTHORIZED', message_type: '0100', status_code: '0000', amount: 12.5, created },
    ])
    assert.deepEqual(await issuer.account(account_id), {
      balance: 100,
      held: 12.5,
      available: 87.5,
    })
    assert.deepEqual(await eventsOf(await world.ctx(), id), ['TRANSACTION'])
  })

  test('200 also for a declined one: a decision is no error', async () => {
    const { card_id } = await issuer.card(1)
    const { status, body } = await authorize({ card_id })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { status: 'DECLINED', status_code: '1016' })
  })

  test('200 by card number, with expiry and CVV2 as the holder would type them', async () => {
    const { card_id } = await issuer.card(100)
    const { body: shown } = await call('GET', `/v1/cards/${card_id}:reveal`)
    const { card_number, expiry_date, cvv2 } = shown
    const right = await authorize({ card_number, expiry: expiry_date, cvv2 })
    assert.partialDeepStrictEqual(right.body, { status_code: '0000', card_id })
    const short = expiry_date.slice(2).replace('-', '')
    assert.equal((await authorize({ card_id, expiry: short, cvv2 })).body.status_code, '0000')
    const wrong = cvv2 === '000' ? '001' : '000'
    assert.equal((await authorize({ card_id, cvv2: wrong })).body.status_code, '1022')
    assert.equal((await authorize({ card_id, expiry: '2001-01' })).body.status_code, '1804')
  })

  test('200 with 1018 for the number of no card, and the transaction can be read', async () => {
    const { body } = await authorize({ card_number: '4999991234567890' })
    assert.partialDeepStrictEqual(body, { status: 'DECLINED', status_code: '1018' })
    assert.equal('card_id' in body, false)
    for (const [action, code] of [
      ['reverse', '9115'],
      ['clear', '1018'],
    ] as const) {
      assert.equal((await act(body.id, action)).body.status_code, code)
    }
    assert.equal((await act(body.id, 'increment', { amount: 1 })).body.status_code, '1018')
  })

  test('200 for an id in capital letters', async () => {
    const { card_id } = await issuer.card(100)
    const { body } = await authorize({ card_id: card_id.toUpperCase() })
    assert.equal(body.status_code, '0000')
    const cleared = await act(body.id.toUpperCase(), 'clear')
    assert.partialDeepStrictEqual(cleared.body, { id: body.id, status: 'SETTLED' })
    const back = { transaction_id: body.id.toUpperCase(), amount: 1 }
    assert.equal((await refund(back)).body.reference_transaction_id, body.id)
  })

  for (const [fields, expected] of [
    [{ transaction_type: 'WITHDRAWAL' }, { pos: { environment: 'ATM' }, status: 'PENDING' }],
    [{ entry_mode: 'CHIP' }, { pos: { entry_mode: 'CHIP', environment: 'POS' } }],
    [
      { transaction_type: 'VERIFICATION', amount: 0 },
      { status_code: '0885', status: 'SETTLED' },
    ],
    [{ transaction_type: 'VERIFICATION' }, { status_code: '1010', status: 'DECLINED' }],
    [{ transaction_type: 'BALANCE_INQUIRY', amount: 0 }, { status_code: '0000' }],
    [{ transaction_type: 'ORIGINAL_CREDIT' }, { status: 'SETTLED', cleared_amount: 10 }],
    [{ amount: 0 }, { status_code: '1010' }],
    [{ currency: 'USD' }, { status_code: '1888', currency: 'USD' }],
    [{ amount: 1e12 }, { status_code: '1016' }],
    [{ amount: '100.01', partial_approval: true }, { status_code: '1016' }],
  ] as const) {
    test(`200 ${JSON.stringify(fields)} → ${JSON.stringify(expected)}`, async () => {
      const { card_id } = await issuer.card(100)
      const { status, body } = await authorize({ card_id, ...fields })
      assert.equal(status, 200)
      assert.partialDeepStrictEqual(body, expected)
    })
  }

  for (const [chip, expected] of [
    [{}, '0000'],
    [{ version: 'VISA_CVN10' }, '0000'],
    [{ version: 'VISA_CVN18' }, '0000'],
    [{ version: 'MASTERCARD_CVN21', cryptogram: 'RIGHT' }, '0000'],
    [{ cryptogram: 'WRONG' }, '1810'],
    [{ cryptogram: 'ABSENT' }, '1810'],
    [{ atc: 0 }, '1810'],
  ] as const) {
    test(`200 of a chip ${JSON.stringify(chip)} → ${expected}`, async () => {
      const { card_id } = await issuer.card(100)
      const first = await authorize({ card_id, entry_mode: 'CONTACTLESS' })
      assert.equal(first.body.status_code, '0000')
      const { status, body } = await authorize({ card_id, entry_mode: 'CHIP', chip })
      assert.deepEqual([status, body.status_code], [200, expected], JSON.stringify(body))
    })
  }

  test('200 of many sales of one chip at once, each with a counter of its own', async () => {
    const { card_id } = await issuer.card(100)
    const sales = Array.from({ length: 9 }, () => authorize({ card_id, entry_mode: 'CHIP' }))
    const codes = (await Promise.all(sales)).map(({ body }) => body.status_code)
    assert.deepEqual(new Set(codes), new Set(['0000']))
    const { body: held } = await authorize({ card_id, entry_mode: 'CHIP', amount: 1 })
    assert.equal((await act(held.id, 'increment', { amount: 1 })).body.status, 'PENDING')
  })

  test('200 in part where the product allows it', async () => {
    const { card_id } = await issuer.card(7, { partial_approval: true })
    const { body } = await authorize({ card_id, partial_approval: true })
    assert.partialDeepStrictEqual(body, { status_code: '0002', amount: 7, status: 'PENDING' })
  })

  const card_id = randomUUID()
  for (const [what, body, path] of [
    ['a card that does not exist', { card_id }, 'card_id'],
    ['a card that is no id', { card_id: 'x' }, 'card_id'],
    ['no card at all', {}, 'card_id'],
    ['too many decimals', { card_id, amount: 1.001 }, 'amount'],
    ['a negative amount', { card_id, amount: -1 }, 'amount'],
    ['an amount past 15 digits', { card_id, amount: '12345678901234.56' }, 'amount'],
    ['an amount that is none', { card_id, amount: 'ten' }, 'amount'],
    ['a currency that is none', { card_id, currency: 'XXQ' }, 'currency'],
    ['a currency in small letters', { card_id, currency: 'aed' }, 'currency'],
    ['a country that is none', { card_id, merchant: { country: 'QQ' } }, 'merchant.country'],
    ['an MCC that is none', { card_id, merchant: { mcc: '54' } }, 'merchant.mcc'],
    ['chip data without a chip entry', { card_id, chip: {} }, 'chip'],
    ['an unknown entry mode', { card_id, entry_mode: 'UNKNOWN' }, 'entry_mode'],
    ['an unknown type', { card_id, transaction_type: 'GIFT' }, 'transaction_type'],
    ['a CVV2 that is none', { card_id, cvv2: '12a' }, 'cvv2'],
    ['an expiry that is none', { card_id, expiry: '2030-13' }, 'expiry'],
    ['an unknown member', { card_id, colour: 'red' }, 'colour'],
  ] as const) {
    test(`400 for ${what}`, async () => {
      // A card that exists, unless the card is what is wrong.
      const known = path === 'card_id' ? {} : { card_id: (await issuer.card()).card_id }
      const answer = await authorize({ ...body, ...known })
      assert.equal(answer.status, 400, answer.text)
      assert.deepEqual([...new Set(pathsOf(answer.body))], [path])
    })
  }

  test('400 for a card of another tenant, 403 with a key that may only read', async () => {
    const { card_id } = await otherIssuer.card(100)
    assert.equal((await authorize({ card_id })).status, 400)
    const path = `/v1/operator/tenants/${world.tenant.id}/keys`
    const made = await call('POST', path, { permissions: ['read'] }, { key: world.operator_key })
    const key = made.body.api_key ?? made.body.key
    assert.equal((await authorize({ card_id }, { key })).status, 403)
  })
})

describe('POST /simulate/authorizations/{id}:increment', () => {
  test('200 answers the same transaction with more held', async () => {
    const { id, account_id } = await held()
    const { status, body } = await act(id, 'increment', { amount: 5.25 })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { id, amount: 15.25, status: 'PENDING' })
    assert.equal((await issuer.account(account_id)).held, 15.25)
    assert.deepEqual(await eventsOf(await world.ctx(), id), ['TRANSACTION', 'TRANSACTION'])
  })

  test('200 answers the decline, and the hold remains', async () => {
    const { id, account_id } = await held()
    const { body } = await act(id, 'increment', { amount: 91 })
    assert.partialDeepStrictEqual(body, {
      status: 'DECLINED',
      status_code: '1016',
      reference_transaction_id: id,
    })
    assert.equal((await issuer.account(account_id)).held, 10)
  })
})

describe('POST /simulate/authorizations/{id}:reverse', () => {
  test('200 without a body releases all, with an amount a part', async () => {
    const { id, account_id } = await held()
    const part = await act(id, 'reverse', { amount: 4 })
    assert.partialDeepStrictEqual(part.body, { id, status: 'PENDING', amount: 6 })
    assert.equal((await issuer.account(account_id)).held, 6)
    const all = await act(id, 'reverse')
    assert.partialDeepStrictEqual(all.body, { id, status: 'VOIDED' })
    assert.equal((await issuer.account(account_id)).held, 0)
    const again = await act(id, 'reverse')
    assert.partialDeepStrictEqual(again.body, {
      status: 'DECLINED',
      status_code: '1894',
      reference_transaction_id: id,
    })
  })

  test('400 for an amount of nothing', async () => {
    const { id } = await held()
    const { status, body } = await act(id, 'reverse', { amount: 0 })
    assert.deepEqual([status, pathsOf(body)], [400, ['amount']])
  })

  test('200 releases an increment with the rest', async () => {
    const { id, account_id } = await held()
    await act(id, 'increment', { amount: 5 })
    assert.equal((await act(id, 'reverse')).body.status, 'VOIDED')
    assert.equal((await issuer.account(account_id)).held, 0)
  })
})

describe('POST /simulate/authorizations/{id}:clear', () => {
  test('200 without a body, of several at one time, claims all of it once', async () => {
    const { id } = await held()
    const answers = await Promise.all([1, 2, 3].map(() => act(id, 'clear')))
    assert.deepEqual(answers.map(({ body }) => body.status_code).sort(), ['0000', '1010', '1010'])
    const { body } = await issuer.call('GET', `/v1/transactions/${id}`)
    assert.partialDeepStrictEqual(body, { status: 'SETTLED', cleared_amount: 10 })
  })

  test('200 without a body claims what is not yet cleared, to the last fils', async () => {
    const card = await issuer.card(200)
    const { body: first } = await authorize({ card_id: card.card_id, amount: 100.1 })
    await act(first.id, 'clear', { amount: 33.37 })
    const { status, body } = await act(first.id, 'clear')
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { status: 'SETTLED', cleared_amount: 100.1 })
    assert.deepEqual(await issuer.account(card.account_id), {
      balance: 99.9,
      held: 0,
      available: 99.9,
    })
  })

  test('200 after a partial reversal claims what stays', async () => {
    const { id, account_id } = await held()
    await act(id, 'reverse', { amount: 4 })
    const { body } = await act(id, 'clear')
    assert.partialDeepStrictEqual(body, {
      status: 'SETTLED',
      status_code: '0000',
      cleared_amount: 6,
    })
    assert.equal((await issuer.account(account_id)).balance, 94)
  })

  test('200 with 1010 when nothing is left to claim, also after too much was', async () => {
    const { id } = await held()
    await act(id, 'clear', { amount: 12 })
    const { body } = await act(id, 'clear')
    assert.partialDeepStrictEqual(body, { status: 'DECLINED', status_code: '1010' })
  })

  test('200 above the hold: 1855, posted all the same', async () => {
    const { id, account_id } = await held()
    const { body } = await act(id, 'clear', { amount: 20 })
    assert.partialDeepStrictEqual(body, { status_code: '1855', cleared_amount: 20 })
    assert.equal((await issuer.account(account_id)).balance, 80)
  })
})

describe('each action on an authorization', () => {
  for (const action of ['increment', 'reverse', 'clear'] as const) {
    test(`404 ${action} of one that does not exist, or is another tenant’s`, async () => {
      const { card_id } = await otherIssuer.card(100)
      const money = { card_id, amount: 10, currency: 'AED' }
      const { body } = await otherIssuer.call('POST', PATH, money)
      for (const id of [randomUUID(), body.id]) {
        assert.equal((await act(id, action, { amount: 1 })).status, 404)
      }
      assert.equal((await act('x', action, { amount: 1 })).status, 400)
    })

    test(`400 ${action} with an amount that is none`, async () => {
      const { id } = await held()
      for (const amount of [-1, 1.001, 'one', null, true]) {
        const { status, body } = await act(id, action, { amount })
        assert.deepEqual([status, new Set(pathsOf(body))], [400, new Set(['amount'])])
      }
      assert.equal((await act(id, action, { amount: 1, currency: 'AED' })).status, 400)
    })
  }
})

describe('POST /simulate/refunds', () => {
  test('200 of a purchase is credited and counted there', async () => {
    const { id, account_id, card_id } = await held()
    await act(id, 'clear')
    const { status, body } = await refund({ transaction_id: id, amount: 4 })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, {
      transaction_type: 'REFUND',
      status: 'SETTLED',
      amount: 4,
      card_id,
      reference_transaction_id: id,
    })
    assert.equal((await issuer.account(account_id)).balance, 94)
    const purchase = await call('GET', `/v1/transactions/${id}`)
    assert.equal(purchase.body.refunded_amount, 4)
    await act(body.id, 'reverse')
    assert.equal((await issuer.account(account_id)).balance, 90)
    assert.equal((await call('GET', `/v1/transactions/${id}`)).body.refunded_amount, 0)
  })

  test('200 of a card alone is a credit of its own', async () => {
    const { card_id, account_id } = await issuer.card(1)
    const { body } = await refund({ card_id, merchant: { id: 'SHOP1' } })
    assert.partialDeepStrictEqual(body, { status: 'SETTLED', merchant: { id: 'SHOP1' } })
    assert.equal('reference_transaction_id' in body, false)
    assert.equal((await issuer.account(account_id)).balance, 11)
  })

  test('200 on a card that is closed since: the money is the cardholder’s', async () => {
    const { card_id } = await issuer.card(1)
    const closed = { status: 'TERMINATED', status_reason_code: 'T0' }
    await call('PUT', `/v1/cards/${card_id}:statuschange`, closed)
    assert.equal((await authorize({ card_id })).body.status_code, '1809')
    assert.equal((await refund({ card_id })).body.status_code, '0000')
  })

  test('400 for a transaction or card that does not exist, and for neither', async () => {
    for (const [body, path] of [
      [{ transaction_id: randomUUID() }, 'transaction_id'],
      [{ card_id: randomUUID() }, 'card_id'],
      [{}, 'card_id'],
      [{ card_id: (await issuer.card()).card_id, currency: 'XXQ' }, 'currency'],
    ] as const) {
      const answer = await refund(body)
      assert.deepEqual([answer.status, pathsOf(answer.body)], [400, [path]])
    }
  })
})

describe('an idempotency key', () => {
  test('answers the same bytes again and does nothing more, for each route', async () => {
    const { id, card_id } = await held()
    const simulations: (() => [path: string, body: object])[] = [
      () => [PATH, { card_id, amount: 1, currency: 'AED' }],
      () => [`${PATH}/${id}:increment`, { amount: 1 }],
      () => [`${PATH}/${id}:clear`, { amount: 2 }],
      () => [`${PATH}/${id}:reverse`, { amount: 1 }],
      () => ['/v1/simulate/refunds', { card_id, amount: 1, currency: 'AED' }],
      () => [PATH, { card_id, amount: 1_000, currency: 'AED' }],
    ]
    for (const simulation of simulations) {
      const [path, body] = simulation()
      const key = keyed()
      const first = await call('POST', path, body, key)
      const state = JSON.stringify(await transactionsOf(card_id))
      const again = await call('POST', path, body, key)
      assert.deepEqual([again.status, again.text], [first.status, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
      assert.equal(JSON.stringify(await transactionsOf(card_id)), state)
      const other = await call('POST', path, { ...body, amount: 3 }, key)
      assert.deepEqual([other.status, other.body.code], [409, 'idempotency_key_reused'])
    }
  })

  test('is not used up by a request that was not valid, but by one that found nothing', async () => {
    const { card_id } = await issuer.card(100)
    const key = keyed()
    assert.equal((await authorize({ card_id, amount: 1.001 }, key)).status, 400)
    assert.equal((await authorize({ card_id, amount: 1 }, key)).status, 200)
    const absent = keyed()
    const id = randomUUID()
    const first = await act(id, 'clear', { amount: 1 }, absent)
    assert.equal(first.status, 404)
    assert.equal((await act(id, 'clear', { amount: 1 }, absent)).text, first.text)
  })

  test('makes 16 simultaneous requests one effect', async () => {
    for (let round = 0; round < 5; round++) {
      const { card_id, account_id } = await issuer.card(100)
      const key = keyed()
      const answers = await Promise.all(
        Array.from({ length: 16 }, () => authorize({ card_id }, key)),
      )
      const full = answers.filter(({ status }) => status === 200)
      assert.ok(full.length >= 1)
      assert.equal(new Set(full.map(({ text }) => text)).size, 1)
      for (const { status, body } of answers) {
        if (status !== 200) assert.deepEqual([status, body.code], [409, 'idempotency_key_in_use'])
      }
      assert.equal((await issuer.account(account_id)).held, 10)
      assert.equal((await transactionsOf(card_id)).length, 1)
      assert.equal((await authorize({ card_id }, key)).text, full[0]?.text)
    }
  })
})

test('simulations exist in sandbox only', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  const live = await openWorld({ env: { MODE: 'live', MASTER_KEY } })
  try {
    const body = { card_id: randomUUID(), amount: 1, currency: 'AED' }
    assert.equal((await live.request('POST', PATH, body)).status, 404)
  } finally {
    await live[Symbol.asyncDispose]()
  }
})
