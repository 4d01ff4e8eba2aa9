import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import type { WidgetName } from '#issuing/widgets/schema.ts'
import { newId } from '#lib/id.ts'
import { makeRevealedCard } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'
import { newToken } from './token.ts'

const HOST = 'cards.example'
const world = await openWorld({ env: { ALLOWED_HOSTS: `${HOST},inner` } })
after(() => world[Symbol.asyncDispose]())

const OWN = { host: HOST, origin: `https://${HOST}`, 'content-type': 'application/json' }
const PAGE_BYTES_MAX = 30_000

async function tokenFor({ id }: { id: string }, widget: WidgetName, key = world.tenant.api_key) {
  const input = { widget, origin: 'https://shop.example' }
  const { body } = await world.request('POST', `/v1/cards/${id}:widgettoken`, input, { key })
  return String(body.token)
}

const frame = (token: string, query = '', headers = {}) =>
  world.app.inject({ url: `/widgets/frame?token=${token}${query}`, headers })

async function use(action: string, body: object | string, headers: object = OWN) {
  const { app } = world
  const url = `/widgets/api/${action}`
  const reply = await app.inject({ method: 'POST', url, payload: body, headers: { ...headers } })
  const { statusCode: status, body: text } = reply
  return { status, text, body: text === '' ? undefined : JSON.parse(text), headers: reply.headers }
}

const terminate = (id: string) =>
  world.request('PUT', `/v1/cards/${id}:statuschange`, {
    status: 'TERMINATED',
    status_reason_code: 'T0',
  })

describe('GET /widgets/frame', () => {
  test('200 may be framed only by the origin of its token, and loads nothing from others', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'CARD_DETAILS')
    const { statusCode, headers, body } = await frame(token)
    assert.equal(statusCode, 200)
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors https://shop.example",
    )
    assert.equal(headers['referrer-policy'], 'no-referrer')
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['set-cookie'], undefined)
    assert.equal(
      /<script(?![^>]* src=)|<style|\son\w+=|https?:\/\/(?!shop\.example)/.test(body),
      false,
    )
  })

  test('contains no number, and does not use the token', async () => {
    const card = await makeRevealedCard(world)
    const token = await tokenFor(card, 'CARD_DETAILS')
    for (let time = 0; time < 3; time++) {
      const { statusCode, body } = await frame(token)
      assert.equal(statusCode, 200)
      assert.equal(body.includes(card.card_number) || body.includes(`>${card.cvv2}<`), false)
    }
  })

  test('has the language that the address names, then that of the browser', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'SET_PIN')
    const arabic = 'lang="ar" dir="rtl"'
    assert.ok((await frame(token, '&lang=ar-AE')).body.includes(arabic))
    assert.ok((await frame(token, '', { 'accept-language': 'fr, ar;q=0.5' })).body.includes(arabic))
    const english = await frame(token, '&lang=en', { 'accept-language': 'ar' })
    assert.ok(english.body.includes('lang="en" dir="ltr"'))
  })

  test('404 with one page for every invalid token, which no page may frame', async () => {
    const used = await tokenFor(await makeRevealedCard(world), 'CARD_DETAILS')
    await use('details', { token: used })
    const gone = await makeRevealedCard(world)
    const terminated = await tokenFor(gone, 'SET_PIN')
    await terminate(gone.id)
    const answers = await Promise.all(
      ['', 'x', newToken(newId()), newToken(world.tenant.id), used, terminated].map((token) =>
        frame(token),
      ),
    )
    for (const { statusCode, headers } of answers) {
      assert.equal(statusCode, 404)
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'$/)
    }
    assert.equal(new Set(answers.map(({ body }) => body)).size, 1)
    assert.ok(answers[0]?.body.includes('This page has ended'))
  })

  for (const widget of ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE'] as const) {
    test(`${widget} has at most 30 kB with script and style, in every language`, async () => {
      const token = await tokenFor(await makeRevealedCard(world), widget)
      for (const lang of ['en', 'ar']) {
        const { body } = await frame(token, `&lang=${lang}`)
        const parts = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path)
        assert.equal(parts.length, 2)
        const texts = await Promise.all(
          [...parts, 'loader.js'].map((path) => world.app.inject(`/widgets/${path}`)),
        )
        assert.ok(texts.every(({ statusCode }) => statusCode === 200))
        const whole = [body, ...texts.map((reply) => reply.body)]
        const bytes = whole.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
        assert.ok(bytes <= PAGE_BYTES_MAX, `${bytes} bytes`)
      }
    })
  }

  test('any page may load the loader, only ours the other assets', async () => {
    const policyOf = async (path: string) =>
      (await world.app.inject(path)).headers['cross-origin-resource-policy']
    assert.equal(await policyOf('/widgets/loader.js'), 'cross-origin')
    assert.equal(await policyOf('/widgets/assets/widget.js'), 'same-origin')
  })
})

describe('POST /widgets/api/details', () => {
  test('200 answers the card data, and logs the fact without a digit of it', async () => {
    const card = await makeRevealedCard(world)
    const token = await tokenFor(card, 'CARD_DETAILS')
    await frame(token)
    const { status, body, headers } = await use('details', { token })
    const { card_number, expiry_date, cvv2 } = card
    assert.deepEqual([status, body], [200, { card_number, expiry_date, cvv2 }])
    assert.equal(headers['cache-control'], 'no-store')
    const lines = world.logged.filter((line) => line.includes('shown in a widget'))
    assert.ok(lines.some((line) => line.includes(card.id) && line.includes(world.tenant.id)))
    const logged = world.logged.join('\n')
    assert.equal(logged.includes(card_number) || logged.includes(token), false)
  })

  test('of 64 uses of one token exactly one is answered', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'CARD_DETAILS')
    const answers = await Promise.all(Array.from({ length: 64 }, () => use('details', { token })))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const rejected = answers.filter(({ status }) => status === 404)
    assert.equal(rejected.length, 63)
    assert.ok(rejected.every(({ body }) => body.code === 'widget_token_invalid'))
  })

  test('404 for a token of another widget, which stays usable for its own', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'SET_PIN')
    assert.equal((await use('details', { token })).status, 404)
    assert.equal((await use('activate', { token })).status, 404)
    assert.equal((await use('pin', { token, pin: '2846' })).status, 204)
  })

  test('404 from the end of the fifth minute on the tenant’s clock, and the row is swept', async () => {
    const tenant = await world.otherTenant({ pci_compliant: true })
    const key = tenant.api_key
    const card = await makeRevealedCard(world, { key })
    const tokens = [
      await tokenFor(card, 'CARD_DETAILS', key),
      await tokenFor(card, 'CARD_DETAILS', key),
    ]
    const advance = (time: string) =>
      world.request('PUT', '/v1/simulate/clock', { advance: time }, { key })
    const count = async () => {
      const rows = world.db.selectFrom('widget_tokens').select('used')
      return (await rows.where('tenant_id', '=', tenant.id).execute()).length
    }
    await advance('PT4M')
    assert.equal((await use('details', { token: tokens[0] })).status, 200)
    assert.equal(await count(), 2)
    await advance('PT1M')
    assert.equal((await use('details', { token: tokens[1] })).status, 404)
    assert.equal(await count(), 0)
  })

  test('409 for a card that was terminated meanwhile', async () => {
    const card = await makeRevealedCard(world)
    const token = await tokenFor(card, 'CARD_DETAILS')
    await terminate(card.id)
    const { status, body } = await use('details', { token })
    assert.deepEqual([status, body.code], [409, 'card_terminated'])
  })

  test('403 for a page of another site, or without an origin', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'CARD_DETAILS')
    for (const origin of ['https://shop.example', 'null', `https://${HOST}.evil.example`, '']) {
      const { status, body } = await use('details', { token }, { ...OWN, origin })
      assert.deepEqual([status, body.code], [403, 'widget_page_foreign'], origin)
    }
    const { origin: _origin, ...without } = OWN
    assert.equal((await use('details', { token }, without)).status, 403)
    const published = { ...OWN, host: 'inner', origin: new URL(world.config.public_url).origin }
    assert.equal((await use('details', { token }, published)).status, 200)
  })

  test('415, 413 and 400 for what is not a small JSON object of its shape', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'CARD_DETAILS')
    const form = { ...OWN, 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await use('details', `token=${token}`, form)).status, 415)
    assert.equal((await use('details', { token: 'x'.repeat(2000) })).status, 413)
    assert.equal((await use('details', { token, more: 1 })).status, 400)
    assert.equal((await use('details', {})).status, 400)
    assert.equal((await use('details', { token })).status, 200)
  })
})

describe('POST /widgets/api/pin', () => {
  test('the fifth PIN that is rejected uses the token up', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'SET_PIN')
    const lefts: number[] = []
    for (const pin of ['1234', '0000', '12345', '1990', '2580']) {
      const { status, body } = await use('pin', { token, pin })
      assert.deepEqual([status, body.code], [400, 'pin_refused'])
      lefts.push(body.tries_left)
    }
    assert.deepEqual(lefts, [4, 3, 2, 1, 0])
    const dead = await use('pin', { token, pin: '2846' })
    assert.deepEqual([dead.status, dead.body.code], [404, 'widget_token_invalid'])
  })

  test('of 64 concurrent weak PINs five are checked', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'SET_PIN')
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => use('pin', { token, pin: '1111' })),
    )
    assert.equal(answers.filter(({ status }) => status === 400).length, 5)
    // A machine that is slow gives some of them no connection in time.
    const others = answers.filter(({ status }) => status !== 400)
    assert.ok(others.every(({ status }) => status === 404 || status === 503))
  })

  test('of 64 concurrent accepted PINs one is set and reported', async () => {
    const card = await makeRevealedCard(world)
    const token = await tokenFor(card, 'SET_PIN')
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => use('pin', { token, pin: '2846' })),
    )
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    assert.deepEqual(await eventsOf(await world.ctx(), card.id), [
      'SUCCESSFULLY_CREATED',
      'PIN_CHANGE',
    ])
  })

  test('409 for a card that is not active; the token can still be used when it is', async () => {
    const card = await makeRevealedCard(world, { status: 'INACTIVE' })
    const token = await tokenFor(card, 'SET_PIN')
    const { status, body } = await use('pin', { token, pin: '2846' })
    assert.deepEqual([status, body.code], [409, 'card_not_active'])
    await use('activate', { token: await tokenFor(card, 'ACTIVATE') })
    assert.equal((await use('pin', { token, pin: '2846' })).status, 204)
  })

  test('400 for text that is no PIN, which is repeated nowhere', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'SET_PIN')
    for (const pin of ['284', '2846284628462', '28a6', 2846]) {
      const { status, text } = await use('pin', { token, pin })
      assert.equal(status, 400)
      assert.equal(text.includes(`"${pin}"`), false)
    }
    assert.equal((await use('pin', { token, pin: '7391' })).status, 204)
    assert.equal(world.logged.join('\n').includes('"7391"'), false)
  })
})

describe('POST /widgets/api/activate', () => {
  test('of 64 concurrent requests one activates the card', async () => {
    const card = await makeRevealedCard(world, { status: 'INACTIVE' })
    const token = await tokenFor(card, 'ACTIVATE')
    const answers = await Promise.all(Array.from({ length: 64 }, () => use('activate', { token })))
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    const { body } = await world.request('GET', `/v1/cards/${card.id}`)
    assert.deepEqual([body.status, body.status_reason_code], ['ACTIVE', 'a0'])
  })

  test('409 for a card that is active already', async () => {
    const token = await tokenFor(await makeRevealedCard(world), 'ACTIVATE')
    const { status, body } = await use('activate', { token })
    assert.deepEqual([status, body.code], [409, 'card_status_move_refused'])
  })
})
