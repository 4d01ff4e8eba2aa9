import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const PATH = '/v1/operator/rates'
const call = (method: string, path: string, body?: unknown, key = world.operator_key) =>
  world.request(method, path, body, { key })
const put = (body: object) => call('PUT', PATH, body)
const pathsOf = (body: { errors: { path: string }[] }) => body.errors.map(({ path }) => path)
const list = async (query: string) => (await call('GET', `${PATH}?${query}`)).body.data

describe('PUT /operator/rates', () => {
  test('200 keeps a rate as it was sent, as text or as a number', async () => {
    const { status, body, text } = await put({
      rates: [
        { from: 'USD', to: 'AED', rate: '3.672500' },
        { from: 'EUR', to: 'AED', rate: 4.01 },
        { from: 'JPY', to: 'KWD', rate: '999999999999.000000000001' },
      ],
    })
    assert.equal(status, 200, text)
    assert.deepEqual(
      body.rates.map(({ from, to, rate }: Record<string, string>) => `${from} ${to} ${rate}`),
      ['USD AED 3.672500', 'EUR AED 4.01', 'JPY KWD 999999999999.000000000001'],
    )
    assert.equal('tenant_id' in body.rates[0], false)
  })

  test('200 replaces the rate of the same tenant only, and keeps what it replaces', async () => {
    const { id: tenant_id } = await world.otherTenant()
    const pair = { from: 'GBP', to: 'AED' }
    await put({ rates: [{ ...pair, rate: '4.6' }] })
    await put({ tenant_id, rates: [{ ...pair, rate: '4.7' }] })
    await put({ tenant_id, rates: [{ ...pair, rate: '4.8' }] })
    const rates = (await list('from=GBP')).map((one: { rate: string }) => one.rate)
    assert.deepEqual(rates.sort(), ['4.6', '4.8'])
    const [newest, replaced, ...others] = await list(`tenant_id=${tenant_id}&history=true`)
    assert.partialDeepStrictEqual(newest, { ...pair, tenant_id, rate: '4.8' })
    assert.equal('replaced' in newest, false)
    assert.partialDeepStrictEqual(replaced, { rate: '4.7', replaced: newest.created })
    assert.deepEqual(others, [])
  })

  test('400 names every fault of the rates and of the tenant at once, and sets nothing', async () => {
    const { status, body } = await put({
      tenant_id: randomUUID(),
      rates: [
        { from: 'CHF', to: 'AED', rate: '4.1' },
        { from: 'CHF', to: 'AED', rate: '4.2' },
        { from: 'XXX', to: 'AED', rate: '1' },
        { from: 'AED', to: 'AED', rate: '1' },
        { from: 'USD', to: 'CHF', rate: '0.0' },
      ],
    })
    assert.deepEqual(
      [status, pathsOf(body)],
      [400, ['rates.1.from', 'rates.2.from', 'rates.3.to', 'rates.4.rate', 'tenant_id']],
    )
    assert.deepEqual(await list('from=CHF'), [])
  })

  test('400 for a rate that is no positive decimal of 12 digits on each side', async () => {
    for (const rate of ['1/3', '1e3', '-1', '.5', '1.', '01', '1234567890123', 0, -1, 1e-7, null]) {
      const { status } = await put({ rates: [{ from: 'USD', to: 'JPY', rate }] })
      assert.equal(status, 400, String(rate))
    }
    assert.equal((await put({ rates: [] })).status, 400)
    assert.equal((await put({})).status, 400)
  })

  test('leaves one rate in force when several are set at once', async () => {
    const rates = Array.from({ length: 8 }, (_, at) => `1.${at + 1}`)
    const answers = await Promise.all(
      rates.map((rate) => put({ rates: [{ from: 'SAR', to: 'AED', rate }] })),
    )
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await list('from=SAR')).length, 1)
    assert.equal((await list('from=SAR&history=true')).length, rates.length)
  })

  test('403 for a client, whatever its permissions', async () => {
    const rates = [{ from: 'USD', to: 'AED', rate: '3.6' }]
    const { api_key } = world.tenant
    assert.equal((await call('PUT', PATH, { rates }, api_key)).status, 403)
    assert.equal((await call('GET', PATH, undefined, api_key)).status, 403)
  })
})

test('GET /operator/rates lists by pages, newest first', async () => {
  await put({ rates: ['BHD', 'OMR', 'QAR'].map((from) => ({ from, to: 'USD', rate: '2.5' })) })
  const first = (await call('GET', `${PATH}?to=USD&limit=2`)).body
  assert.deepEqual([first.data.length, first.has_more], [2, true])
  const rest = (await call('GET', `${PATH}?to=USD&limit=2&after=${first.after}`)).body
  const from = [...first.data, ...rest.data].map((one: { from: string }) => one.from)
  assert.deepEqual(from, ['QAR', 'OMR', 'BHD'])
})
