/** Fees, statement and payouts of a shop. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { auditPayouts } from '#merchant/payouts/payouts.ts'
import { payoutSweeps } from '#merchant/payouts/sweeps.ts'
import { asAnother, openShop } from './shop.ts'

const fees = [{ currency: 'AED', percent: 2, fixed: 1, refund_fee: 0.5 }]
const shop = await openShop({ settings: { fees } })
after(() => shop[Symbol.asyncDispose]())

const card = await shop.customer(100_000_000n)
const operator = { key: shop.operator_key }
const PAYOUTS = '/v1/operator/payouts'

const call = async (method: string, path: string, body?: object) => {
  const answer = await shop.call(method, path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const capture = async (total: string) => {
  const { reference } = await shop.order(card, { total })
  await call('POST', `/orders/${reference}/capture`)
  return reference
}
const refund = (reference: string, total: string) =>
  call('POST', `/orders/${reference}/refund`, { total, currency: 'AED' })
const nextDay = async () => {
  await shop.request('PUT', '/v1/simulate/clock', { advance: 'P1D' })
  await shop.signIn()
}
const newest = async () => (await call('GET', '/payouts?limit=1')).data[0]
const mark = (id: string, verb: string, body: object = { reference: 'T-1' }, as = operator) =>
  shop.request('POST', `${PAYOUTS}/${id}:${verb}`, body, as)
const amountsOf = ({ captured, refunded, fees, carried, amount }: Record<string, string>) =>
  [captured, refunded, fees, carried, amount].map(Number)

describe('a payout', () => {
  test('is made of a day once it is over, with the fees of that time', async () => {
    assert.deepEqual(await call('GET', '/payouts'), { data: [], has_more: false })
    const first = await capture('100')
    await shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, { fees: [] }, operator)
    await refund(first, '10')
    await shop.request('PUT', `/v1/operator/merchants/${shop.merchant.id}`, { fees }, operator)
    await capture('50.25')
    assert.deepEqual(await call('GET', '/payouts'), { data: [], has_more: false })
    await nextDay()
    const { data } = await call('GET', '/payouts')
    assert.equal(data.length, 1)
    const { payout_id, day, created_at, updated_at, ...shown } = data[0]
    // 2 per cent of 50.25 is 1.005, which is rounded to the even fils.
    assert.deepEqual(shown, {
      status: 'PENDING',
      currency: 'AED',
      number: 1,
      captures: 2,
      captured: '150.2500',
      refunds: 1,
      refunded: '10.0000',
      fees: '5.0000',
      carried: '0.0000',
      amount: '135.2500',
    })
    assert.ok(day < created_at.slice(0, 10) && created_at === updated_at)
    assert.deepEqual(await call('GET', `/payouts/${payout_id}`), data[0])
  })

  test('lists its captures and refunds, each of which is in one', async () => {
    const { payout_id } = await newest()
    const captures = await call('GET', `/captures?payout_id=${payout_id}`)
    const refunds = await call('GET', `/refunds?payout_id=${payout_id}`)
    assert.deepEqual(
      [...captures.data, ...refunds.data].map(({ amount, fee }) => [amount, fee]),
      [
        ['50.2500', '2.0000'],
        ['100.0000', '3.0000'],
        ['10.0000', '0.0000'],
      ],
    )
    await capture('1')
    assert.equal((await call('GET', `/captures?payout_id=${randomUUID()}`)).data.length, 0)
    assert.equal('payout_id' in (await call('GET', '/captures?limit=1')).data[0], false)
  })

  test('below zero is carried over to the next one', async () => {
    const first = await capture('100')
    await nextDay()
    assert.deepEqual(amountsOf(await newest()), [101, 0, 4.02, 0, 96.98])
    await refund(first, '90')
    await nextDay()
    const carried = await newest()
    assert.deepEqual([carried.status, ...amountsOf(carried)], ['CARRIED', 0, 90, 0.5, 0, -90.5])
    await capture('200')
    await nextDay()
    const next = await newest()
    assert.deepEqual([next.status, ...amountsOf(next)], ['PENDING', 200, 0, 5, -90.5, 104.5])
  })

  test('is made for each currency and day, also after a jump over several days', async () => {
    const rates = [{ from: 'KWD', to: 'AED', rate: '12' }]
    const body = { tenant_id: shop.tenant.id, rates }
    await shop.request('PUT', '/v1/operator/rates', body, operator)
    await capture('10')
    const { reference } = await shop.order(card, { total: '1.005', currency: 'KWD' })
    await call('POST', `/orders/${reference}/capture`)
    await shop.request('PUT', '/v1/simulate/clock', { advance: 'P3D' })
    await shop.signIn()
    const { data } = await call('GET', '/payouts?limit=2')
    assert.deepEqual(
      data.map((one: Record<string, string>) => [one['currency'], one['amount']]).sort(),
      [
        ['AED', '8.8000'],
        ['KWD', '1.0050'],
      ],
    )
    const [kuwait] = (await call('GET', '/payouts?currency=KWD')).data
    assert.deepEqual([kuwait.number, kuwait.captured], [1, '1.0050'])
  })

  test('is made once by several processes at a time', async () => {
    await Promise.all(['1', '2', '3', '4'].map(capture))
    await sql`update order_operations set payable = date_trunc('day', booked at time zone 'UTC') at time zone 'UTC'
      where tenant_id = ${shop.tenant.id} and payable is not null`.execute(shop.db)
    const [sweep] = payoutSweeps
    assert.ok(sweep)
    const ctx = await shop.ctx()
    await Promise.all(Array.from({ length: 20 }, () => sweep.run(ctx)))
    const { rows } = await sql<{ left: bigint; parts: bigint }>`
      select count(*) filter (where payable is not null) as left,
        count(*) filter (where payout_id is not null) as parts
      from order_operations where tenant_id = ${shop.tenant.id} and status = 'SUCCESS'
    `.execute(shop.db)
    const sums = await sql<{ parts: bigint }>`
      select sum(captures + refunds) as parts from payouts
      where tenant_id = ${shop.tenant.id}`.execute(shop.db)
    assert.deepEqual([rows[0]?.left, rows[0]?.parts], [0n, sums.rows[0]?.parts])
  })

  test('leaves nothing for doctor to find', async () => {
    assert.deepEqual(await auditPayouts(shop.db), [])
  })
})

describe('GET /payouts', () => {
  test('200 newest first, by pages, by status, currency and time', async () => {
    const { data } = await call('GET', '/payouts')
    const first = await call('GET', '/payouts?limit=2')
    const rest = await call('GET', `/payouts?after=${first.after}`)
    assert.deepEqual([...first.data, ...rest.data], data)
    const carried = await call('GET', '/payouts?status=CARRIED')
    assert.deepEqual([carried.data.length, carried.data[0].status], [1, 'CARRIED'])
    const from = encodeURIComponent(data[0].created_at)
    assert.equal((await call('GET', `/payouts?to=${from}`)).data.length, data.length - 1)
    assert.ok((await call('GET', `/payouts?from=${from}`)).data.length >= 1)
  })

  test('400 for filters that are none', async () => {
    for (const query of ['status=DUE', 'currency=aed', 'after=x', 'from=now']) {
      assert.equal((await shop.call('GET', `/payouts?${query}`)).status, 400, query)
    }
  })

  test('200 without those of another merchant of the tenant, and 404 for one of them', async () => {
    assert.deepEqual(await asAnother(shop, '/payouts'), { data: [], has_more: false })
    const { payout_id } = await newest()
    assert.deepEqual(Object.keys(await asAnother(shop, `/payouts/${payout_id}`)), ['detail'])
    assert.equal((await shop.call('GET', `/payouts/${randomUUID()}`)).status, 404)
    assert.equal((await shop.call('GET', '/payouts/x')).status, 400)
  })
})

describe('GET /statement', () => {
  test('200 what was captured, refunded and paid in fees, by currency and day', async () => {
    const { from, to, data } = await call('GET', '/statement')
    assert.equal((Date.parse(to) - Date.parse(from)) / 86_400_000, 29)
    assert.deepEqual(
      data.map(({ currency }: { currency: string }) => currency),
      ['AED', 'KWD'],
    )
    const [aed] = data
    const { days, payout_due, currency, ...sums } = aed
    const total = (name: string) =>
      days.reduce((sum: number, day: Record<string, string>) => sum + Number(day[name]), 0)
    for (const [name, sum] of Object.entries(sums)) {
      assert.equal(total(name).toFixed(4), Number(sum).toFixed(4), name)
    }
    const days_in_order = days.map(({ day }: { day: string }) => day)
    assert.deepEqual(days_in_order, days_in_order.toSorted())
    const unpaid = (await call('GET', `/payouts?currency=${currency}&status=PENDING`)).data
    const owed = unpaid.reduce((sum: number, { amount }: { amount: string }) => {
      return sum + Number(amount)
    }, 0)
    assert.equal(Number(payout_due).toFixed(2), owed.toFixed(2))
  })

  test('200 payout_due contains what is in no payout yet, and what is carried', async () => {
    const due = async () => Number((await call('GET', '/statement')).data[0].payout_due)
    const before = await due()
    const reference = await capture('100')
    assert.equal((await due()).toFixed(2), (before + 97).toFixed(2))
    await nextDay()
    assert.equal((await due()).toFixed(2), (before + 97).toFixed(2))
    await refund(reference, '100')
    await nextDay()
    assert.equal((await newest()).status, 'CARRIED')
    assert.equal((await due()).toFixed(2), (before + 97 - 100.5).toFixed(2))
  })

  test('200 one day, and a day without anything', async () => {
    const { data } = await call('GET', '/payouts?currency=KWD')
    const { day } = data[0]
    const one = await call('GET', `/statement?from=${day}&to=${day}`)
    const kwd = one.data.find(({ currency }: { currency: string }) => currency === 'KWD')
    assert.deepEqual(kwd.days, [
      {
        day,
        captures: 1,
        captured: '1.0050',
        refunds: 0,
        refunded: '0.0000',
        fees: '0.0000',
        net: '1.0050',
      },
    ])
    const none = await call('GET', '/statement?from=2020-01-01&to=2020-01-02')
    assert.deepEqual(
      none.data.map(({ days, net }: { days: object[]; net: string }) => [days.length, net]),
      [
        [0, '0.0000'],
        [0, '0.0000'],
      ],
    )
  })

  test('400 for a period that is none or too long', async () => {
    for (const query of [
      'from=2026-01-02&to=2026-01-01',
      'from=2024-01-01&to=2025-06-01',
      'from=yesterday',
      'to=2026-02-30',
    ]) {
      assert.equal((await shop.call('GET', `/statement?${query}`)).status, 400, query)
    }
  })

  test('200 for a merchant that has sold nothing', async () => {
    assert.deepEqual((await asAnother(shop, '/statement')).data, [])
  })
})

describe('/operator/payouts', () => {
  const list = async (query: string) => {
    const { status, body, text } = await shop.request('GET', PAYOUTS + query, undefined, operator)
    assert.equal(status, 200, text)
    return body
  }

  test('GET 200 those of all tenants, newest first, by tenant, merchant, currency and status', async () => {
    const { data } = await list(`?tenant_id=${shop.tenant.id}`)
    const own = (await call('GET', '/payouts')).data
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      own.map(({ payout_id }: { payout_id: string }) => payout_id),
    )
    const { merchant_id, tenant_id, amount } = data[0]
    assert.deepEqual([merchant_id, tenant_id], [shop.merchant.id, shop.tenant.id])
    assert.equal(amount, Number(own[0].amount))
    assert.equal((await list(`?merchant_id=${shop.merchant.id}&limit=1`)).data.length, 1)
    assert.deepEqual((await list(`?merchant_id=${randomUUID()}`)).data, [])
    assert.equal((await list('?currency=KWD&status=PENDING')).data.length, 1)
    const page = await list('?limit=1')
    assert.notDeepEqual((await list(`?limit=1&after=${page.after}`)).data, page.data)
  })

  test('GET 400 for filters that are none, and 403 for a tenant’s key', async () => {
    const wrong = await shop.request('GET', `${PAYOUTS}?status=DUE`, undefined, operator)
    assert.equal(wrong.status, 400)
    assert.equal((await shop.request('GET', PAYOUTS)).status, 403)
  })

  test('POST 200 marks one as failed, then as paid; 409 for what does not follow', async () => {
    const [{ id, modified }] = (await list('?status=PENDING&currency=AED&limit=1')).data
    const failed = await mark(id, 'markFailed', { reference: 'no such account' })
    assert.deepEqual(
      [failed.status, failed.body.status, failed.body.reference],
      [200, 'FAILED', 'no such account'],
    )
    assert.ok(failed.body.modified >= modified)
    const again = await mark(id, 'markFailed')
    assert.deepEqual([again.status, again.body.code], [409, 'payout_status_refused'])
    const paid = await mark(id, 'markPaid', { reference: 'T-2' })
    assert.deepEqual([paid.body.status, paid.body.reference], ['PAID', 'T-2'])
    assert.equal((await mark(id, 'markPaid')).status, 409)
    assert.equal((await mark(id, 'markFailed')).status, 409)
    const shown = await call('GET', `/payouts/${id}`)
    assert.deepEqual([shown.status, shown.reference], ['PAID', 'T-2'])
    const [carried] = (await list('?status=CARRIED')).data
    assert.equal((await mark(carried.id, 'markPaid')).status, 409)
  })

  test('POST of two at a time marks once', async () => {
    const [{ id }] = (await list('?status=PENDING&limit=1')).data
    const answers = await Promise.all([mark(id, 'markPaid'), mark(id, 'markFailed')])
    const outcomes = answers.map(({ status }) => status)
    // A payout that failed may be paid afterwards.
    const { body } = answers[0]
    assert.ok(outcomes.includes(200) && (outcomes.includes(409) || body.status === 'PAID'))
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from events
      where tenant_id = ${shop.tenant.id} and object_id = ${id}`.execute(shop.db)
    assert.equal(rows[0]?.count, BigInt(1 + outcomes.filter((status) => status === 200).length))
  })

  test('POST 400 without a reference, 404 for an unknown id, 403 for a tenant’s key', async () => {
    const [{ id }] = (await list('?limit=1')).data
    for (const verb of ['markPaid', 'markFailed']) {
      assert.equal((await mark(id, verb, {})).status, 400)
      assert.equal((await mark(id, verb, { reference: '' })).status, 400)
      assert.equal((await mark(randomUUID(), verb)).status, 404)
      assert.equal((await mark(id, verb, undefined, { key: shop.tenant.api_key })).status, 403)
    }
  })
})

test('each payout sends an event when it is made, and when it is marked', async () => {
  const { rows } = await sql<{ event: string }>`
    select distinct event from events
    where tenant_id = ${shop.tenant.id} and event like 'PAYOUT%' order by 1`.execute(shop.db)
  assert.deepEqual(
    rows.map(({ event }) => event),
    ['PAYOUT_CREATED', 'PAYOUT_FAILED', 'PAYOUT_PAID'],
  )
})
