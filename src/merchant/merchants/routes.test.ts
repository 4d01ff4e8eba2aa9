import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { SignJWT } from 'jose'
import { authenticate, openShop } from '#test/e2e/shop.ts'

const shop = await openShop({ issuer: false })
after(() => shop[Symbol.asyncDispose]())

const operator = { key: shop.operator_key }
const path = '/v1/operator/merchants'
const make = (fields: object = {}, options = operator) =>
  shop.request('POST', path, { tenant_id: shop.tenant.id, name: 'Souk', ...fields }, options)
const orderOf = (token: string) =>
  shop.request('GET', '/api/v1.0/orders/none/', undefined, {
    key: null,
    headers: { authorization: `Bearer ${token}` },
  })

describe('/operator/merchants', () => {
  test('POST 200 fills in the defaults and the ids for the card network', async () => {
    const { status, body } = await make({ country: 'ae' })
    assert.equal(status, 200)
    const { id, card_acceptor_id, terminal_id, created, modified, ...rest } = body
    assert.match(card_acceptor_id, /^\d{15}$/)
    assert.match(terminal_id, /^\d{8}$/)
    assert.deepEqual(rest, {
      tenant_id: shop.tenant.id,
      name: 'Souk',
      display_name: 'Souk',
      status: 'ACTIVE',
      mcc: '5999',
      country: 'ARE',
      city: 'Dubai',
      token_minutes: 30,
      callback_hosts: [],
      fees: [],
      kept_cards: false,
      capture_window_days: 5,
      deadline_policy: 'void',
      partial_captures: false,
    })
    const got = await shop.request('GET', `${path}/${id}`, undefined, operator)
    assert.deepEqual(got.body, body)
    assert.deepEqual([created, typeof modified], [modified, 'string'])
  })

  const faults: [object, string][] = [
    [{ name: undefined }, 'name'],
    [{ tenant_id: randomUUID() }, 'tenant_id'],
    [{ country: 'ZZ' }, 'country'],
    [{ mcc: '12' }, 'mcc'],
    [{ token_minutes: 61 }, 'token_minutes'],
    [{ token_minutes: 4 }, 'token_minutes'],
    [{ capture_window_days: 31 }, 'capture_window_days'],
    [{ deadline_policy: 'wait' }, 'deadline_policy'],
    [{ partial_captures: 'yes' }, 'partial_captures'],
    [{ callback_hosts: ['a b'] }, 'callback_hosts.0'],
    [{ kept_cards: 'yes' }, 'kept_cards'],
    [{ terminal_id: '1' }, 'terminal_id'],
    [{ brand_color: 'green' }, 'brand_color'],
    [{ brand_color: '#ffff66' }, 'brand_color'],
    [{ logo: 'https://shop.example/logo.png' }, 'logo'],
    [{ logo: `data:image/png;base64,${'A'.repeat(32_768)}` }, 'logo'],
    [{ name: 'متجر' }, 'descriptor'],
    [{ name: 'متجر', descriptor: null }, 'descriptor'],
    [{ name: 'متجر', descriptor: '\u200f' }, 'descriptor'],
    [{ display_name: '東京' }, 'descriptor'],
    [{ descriptor: 'متجر' }, 'descriptor'],
    [{ descriptor: 'A'.repeat(26) }, 'descriptor'],
    [{ descriptor: 5 }, 'descriptor'],
    [{ fees: [{ currency: 'XYZ' }] }, 'fees.0.currency'],
    [{ fees: [{ currency: 'AED', percent: 101 }] }, 'fees.0.percent'],
    [{ fees: [{ currency: 'JPY', fixed: '0.5' }] }, 'fees.0.fixed'],
    [{ fees: [{ currency: 'AED', refund_fee: '-1' }] }, 'fees.0.refund_fee'],
    [{ fees: [{ currency: 'AED' }, { currency: 'AED' }] }, 'fees.1.currency'],
  ]
  for (const [fields, name] of faults) {
    test(`POST 400 names ${name} for ${JSON.stringify(fields)}`, async () => {
      const { status, body } = await make(fields)
      assert.equal(status, 400)
      assert.deepEqual(
        body.errors.map((error: { path: string }) => error.path),
        [name],
      )
    })
  }

  test('POST accepts an id; 409 when another merchant has it', async () => {
    const id = randomUUID()
    const made = await make({ id: id.toUpperCase() })
    assert.deepEqual([made.status, made.body.id], [200, id])
    const again = await make({ id })
    assert.deepEqual([again.status, again.body.code], [409, 'id_taken'])
    const got = await shop.request('GET', `${path}/${id}`, undefined, operator)
    assert.deepEqual(got.body, made.body)
  })

  test('POST 400 names a tenant and a country that do not exist together', async () => {
    const { status, body } = await make({ tenant_id: randomUUID(), country: 'ZZ' })
    const paths = body.errors.map((error: { path: string }) => error.path)
    assert.deepEqual([status, paths], [400, ['tenant_id', 'country']])
  })

  test('PUT 200 changes only the members of the body; 404 for an unknown id', async () => {
    const { body } = await make()
    const changed = await shop.request('PUT', `${path}/${body.id}`, { mcc: '5942' }, operator)
    assert.deepEqual(changed.body, { ...body, mcc: '5942', modified: changed.body.modified })
    const absent = await shop.request('PUT', `${path}/${randomUUID()}`, { mcc: '5942' }, operator)
    assert.equal(absent.status, 404)
  })

  test('PUT 200 sets and clears the color and the logo; 400 names one that is unfit', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
    const brand = {
      brand_color: '#0B6E4F',
      logo: `data:image/png;base64,${bytes.toString('base64')}`,
    }
    const { body } = await make(brand)
    assert.deepEqual([body.brand_color, body.logo], ['#0b6e4f', brand.logo])
    const put = (change: object) => shop.request('PUT', `${path}/${body.id}`, change, operator)
    const unfit = await put({ brand_color: '#ffcc00' })
    assert.deepEqual([unfit.status, unfit.body.errors[0].path], [400, 'brand_color'])
    assert.equal((await put({ brand_color: '#8A1C3B' })).body.brand_color, '#8a1c3b')
    assert.equal((await put({ city: 'Doha' })).body.logo, brand.logo)
    const cleared = (await put({ brand_color: null, logo: null })).body
    assert.deepEqual(['brand_color' in cleared, 'logo' in cleared], [false, false])
  })

  test('PUT 200 sets and clears the descriptor; 400 where nothing is left of the name', async () => {
    const arabic = await make({ name: 'متجر', descriptor: '\u200fSOUK  DUBAI ' })
    assert.deepEqual([arabic.status, arabic.body.descriptor], [200, 'SOUK DUBAI'])
    const put = (change: object) =>
      shop.request('PUT', `${path}/${arabic.body.id}`, change, operator)
    const sentence =
      'is required if `display_name` has no Latin letter and no digit: send the name that ' +
      'statements show, in at most 25 Latin letters, digits, blanks and marks'
    const missing = await put({ descriptor: null })
    assert.deepEqual(missing.body.errors, [{ path: 'descriptor', message: sentence }])
    assert.equal((await put({ city: 'Doha' })).body.descriptor, 'SOUK DUBAI')
    const latin = await put({ display_name: 'Łódź', descriptor: null })
    assert.deepEqual([latin.status, 'descriptor' in latin.body], [200, false])
    const renamed = await put({ display_name: 'متجر' })
    assert.deepEqual(renamed.body.errors, [{ path: 'descriptor', message: sentence }])
    const got = await shop.request('GET', `${path}/${arabic.body.id}`, undefined, operator)
    assert.deepEqual([got.body.display_name, got.body.city], ['Łódź', 'Doha'])
    const both = await put({ display_name: 'متجر', descriptor: 'SOUK' })
    assert.deepEqual([both.status, both.body.descriptor], [200, 'SOUK'])
  })

  test('PUT 200 replaces the fees; 400 names a fee that is none, and changes nothing', async () => {
    const { body } = await make({ fees: [{ currency: 'AED', percent: '2.5', fixed: 1 }] })
    const fees = [{ currency: 'AED', percent: 2.5, fixed: 1, refund_fee: 0 }]
    assert.deepEqual(body.fees, fees)
    const change = (fields: object) => shop.request('PUT', `${path}/${body.id}`, fields, operator)
    assert.deepEqual((await change({ city: 'Doha' })).body.fees, fees)
    const wrong = await change({ country: 'ZZ', fees: [{ currency: 'AED', percent: 'x' }] })
    const paths = wrong.body.errors.map((error: { path: string }) => error.path)
    assert.deepEqual([wrong.status, paths], [400, ['country', 'fees.0.percent']])
    const kept = await shop.request('GET', `${path}/${body.id}`, undefined, operator)
    assert.deepEqual([kept.body.fees, kept.body.city], [fees, 'Doha'])
    assert.deepEqual((await change({ fees: [] })).body.fees, [])
  })

  test('GET lists newest first, in pages, of one tenant', async () => {
    const made = [(await make()).body.id, (await make()).body.id]
    const query = `?limit=1&tenant_id=${shop.tenant.id}`
    const first = await shop.request('GET', path + query, undefined, operator)
    const after = `${query}&after=${first.body.after}`
    const second = await shop.request('GET', path + after, undefined, operator)
    assert.deepEqual(
      [...second.body.data, ...first.body.data].map(({ id }) => id),
      made,
    )
    const wrong = await shop.request('GET', `${path}?after=x`, undefined, operator)
    assert.equal(wrong.status, 400)
  })

  test('403 for a tenant’s key', async () => {
    assert.equal((await make({}, { key: shop.tenant.api_key })).status, 403)
  })

  test('keys: the private key is returned once, stored as a digest, and revoked with its tokens', async () => {
    const { id } = (await make()).body
    const pair = (await shop.request('POST', `${path}/${id}/keys`, undefined, operator)).body
    const list = await shop.request('GET', `${path}/${id}/keys`, undefined, operator)
    assert.deepEqual(
      list.body.data.map(({ public_key }: typeof pair) => public_key),
      [pair.public_key],
    )
    assert.equal(list.text.includes(pair.private_key), false)

    const { token } = (await authenticate(shop, pair)).body
    assert.equal((await orderOf(token)).status, 404)
    const revoked = await shop.request(
      'DELETE',
      `${path}/${id}/keys/${pair.id}`,
      undefined,
      operator,
    )
    assert.deepEqual(revoked.body, { id: pair.id, deleted: true })
    assert.equal((await orderOf(token)).status, 401)
    assert.equal((await authenticate(shop, pair)).status, 401)
    const other = `${path}/${shop.merchant.id}/keys/${pair.id}`
    assert.equal((await shop.request('DELETE', other, undefined, operator)).status, 404)
  })

  test('merchants, keys and revocations that come at one time are all made', async () => {
    const owner = await make()
    const rounds = Array.from({ length: 12 }, async () => {
      const made = await make()
      const first = await shop.request('POST', `${path}/${made.body.id}/keys`, undefined, operator)
      const keys = `${path}/${owner.body.id}/keys`
      const key = await shop.request('POST', keys, undefined, operator)
      const gone = await shop.request('DELETE', `${keys}/${key.body.id}`, undefined, operator)
      return [made, first, key, gone].map(({ status }) => status)
    })
    const statuses = await Promise.all(rounds)
    assert.deepEqual([...new Set(statuses.map((each) => each.join()))], ['200,200,200,200'])
  })

  test('an inactive merchant has no valid tokens', async () => {
    const { id } = (await make()).body
    const pair = (await shop.request('POST', `${path}/${id}/keys`, undefined, operator)).body
    const { token } = (await authenticate(shop, pair)).body
    await shop.request('PUT', `${path}/${id}`, { status: 'INACTIVE' }, operator)
    assert.equal((await orderOf(token)).status, 401)
    assert.equal((await authenticate(shop, pair)).status, 401)
  })
})

describe('POST /merchant/authentication', () => {
  test('200 answers a token, with and without the slash', async () => {
    const { status, body } = await authenticate(shop, shop.merchant)
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['token'])
    const bare = await shop.request('POST', '/api/v1.0/merchant/authentication', shop.merchant, {
      key: null,
    })
    assert.equal(bare.status, 200)
  })

  test('401 alike for a wrong public key, a wrong private key and a mistyped one', async () => {
    const { public_key, private_key } = shop.merchant
    const other = (
      await shop.request('POST', `${path}/${shop.merchant.id}/keys`, undefined, operator)
    ).body
    const tries = [
      { public_key, private_key: other.private_key },
      { public_key: private_key, private_key },
      { public_key, private_key: `${private_key}x` },
    ]
    for (const pair of tries) {
      const answer = await authenticate(shop, pair)
      assert.equal(answer.status, 401)
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
      assert.deepEqual(Object.keys(answer.body), ['detail'])
    }
  })

  test('400 names the keys that are missing', async () => {
    const { status, body } = await shop.request(
      'POST',
      '/api/v1.0/merchant/authentication/',
      {},
      {
        key: null,
      },
    )
    assert.equal(status, 400)
    assert.deepEqual(body, { public_key: ['is required'], private_key: ['is required'] })
  })
})

describe('a token', () => {
  test('lasts for the merchant’s minutes on the tenant’s clock', async () => {
    const { body } = await make({ token_minutes: 5 })
    const pair = (await shop.request('POST', `${path}/${body.id}/keys`, undefined, operator)).body
    const { token } = (await authenticate(shop, pair)).body
    const move = (advance: string) => shop.request('PUT', '/v1/simulate/clock', { advance })
    await move('PT4M')
    assert.equal((await orderOf(token)).status, 404)
    await move('PT1M')
    assert.equal((await orderOf(token)).status, 401)
    const again = (await authenticate(shop, pair)).body.token
    assert.equal((await orderOf(again)).status, 404)
  })

  test('401 for every token that this API did not issue', async () => {
    const { token } = (await authenticate(shop, shop.merchant)).body
    const [head = '', claims = '', signature = ''] = token.split('.')
    const decoded = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const key = shop.services.keys.digest('tokens', 'merchant tokens')
    const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const signed = (header: object, change: object, by: Uint8Array = key) =>
      new SignJWT({ ...decoded, ...change })
        .setProtectedHeader({ alg: 'HS256', typ: 'merchant+jwt', ...header })
        .sign(by)
    assert.equal((await orderOf(await signed({}, {}))).status, 404)
    const forged = [
      `${b64({ alg: 'none', typ: 'merchant+jwt' })}.${claims}.`,
      `${head}.${b64({ ...decoded, exp: decoded.exp + 60 })}.${signature}`,
      `${head}.${claims}.${signature.slice(1)}`,
      await signed({}, {}, Buffer.alloc(32, 1)),
      await signed({ alg: 'HS512' }, {}),
      await signed({ typ: 'JWT' }, {}),
      await signed({}, { aud: 'other' }),
      await signed({}, { iss: 'other' }),
      await signed({}, { sub: randomUUID() }),
      await signed({}, { sub: "' or 1=1" }),
      await signed({}, { exp: undefined }),
      await signed({}, { nbf: decoded.exp }),
      'x'.repeat(100_000),
      '..',
      shop.tenant.api_key,
    ]
    for (const one of forged) {
      const answer = await orderOf(one)
      assert.equal(answer.status, 401, one.slice(0, 80))
      assert.equal(answer.headers['www-authenticate'], 'Bearer')
    }
  })

  test('works on no card operation, and no API key works here', async () => {
    const { token } = (await authenticate(shop, shop.merchant)).body
    const there = await shop.request('GET', '/v1/cards', undefined, { key: token })
    assert.equal(there.status, 401)
    const here = await shop.request('GET', '/api/v1.0/orders/none/')
    assert.equal(here.status, 401)
    assert.deepEqual(Object.keys(here.body), ['detail'])
  })
})
