/** 3-D Secure from the payment page to the issuer: DE48 element 42, decision, trace and balance. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { parseElements } from '#iso8583/tlv48.ts'
import { type Customer, openShop } from './shop.ts'
import { answer, ask, codeIn, MOBILE, otherThan } from './three_ds.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const PRICE = 10_050n
const user = { mobile: MOBILE }
const asking = (auth_settings: object = {}) => ({ otp_3ds: true, auth_settings })

/** Element 42 and the decision of each payment with a card, and what the trace has of its phone. */
async function decisionsOf({ card_id }: Customer) {
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${card_id}`)
  const transactions: { id: string; rrn: string; status_code: string }[] = body.data
  return Promise.all(
    transactions.map(async ({ id, rrn, status_code }) => {
      const { body: trace } = await shop.request('GET', `/v1/transactions/${id}/trace`)
      const checks: { check: string; detail: string }[] = trace.checks
      const phone = checks.find(({ check }) => check === 'cardholder phone')?.detail
      return { level: await levelOf(rrn), status_code, phone }
    }),
  )
}

/** The trace of the one payment with a card, as to the values that prove it. */
async function verificationOf({ card_id }: Customer) {
  const { body } = await shop.request('GET', `/v1/transactions?card_id=${card_id}`)
  const { body: trace } = await shop.request('GET', `/v1/transactions/${body.data[0].id}/trace`)
  const checks: { check: string; detail: string }[] = trace.checks
  return checks.find(({ check }) => check === 'card verification')?.detail
}

async function levelOf(rrn: string): Promise<string | undefined> {
  const messages = await shop.db.selectFrom('acquirer_messages').select('fields').execute()
  // The column has the fields that were sent, as the codec read them.
  const sent = messages.map(({ fields }) => fields as Record<string, string>)
  const elements = parseElements(sent.find((fields) => fields['37'] === rrn)?.['48'] ?? '')
  return elements.ok ? elements.elements.get('42') : undefined
}

const held = async (card: Customer) => (await shop.account(card)).held

describe('a card whose issuer asks', () => {
  test('is authenticated by the right code: 212, and approved', async () => {
    const card = await shop.customer(100_000n, { user, product: asking() })
    const asked = await ask(shop, (await shop.checkout()).id, card)
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
    const phone = 'authenticated, mobile present'
    assert.deepEqual(await decisionsOf(card), [{ level: '0103212', status_code: '0000', phone }])
    assert.equal(await held(card), PRICE)
  })

  test('is proved by the AAV of a challenge that the issuer has on record', async () => {
    const card = await shop.customer(100_000n, { user, product: asking() })
    const asked = await ask(shop, (await shop.checkout()).id, card)
    await answer(shop, asked, { code: codeIn(asked.text) })
    assert.equal(await verificationOf(card), 'CVV2 is right, AAV is right')
    const { body } = await shop.request('GET', `/v1/challenges?card_id=${card.card_id}`)
    const [challenge] = body.data
    assert.deepEqual([body.data.length, challenge.status], [1, 'PASSED'])
    assert.deepEqual([challenge.amount, challenge.currency], [100.5, 'AED'])
  })

  test('is not sent after three wrong codes, a cancelled question and a late one', async () => {
    const card = await shop.customer(100_000n, { user, product: asking() })
    const { id } = await shop.checkout()
    const wrong = await ask(shop, id, card)
    const code = otherThan(codeIn(wrong.text))
    for (let tries = 0; tries < 3; tries++) await answer(shop, wrong, { code })
    await answer(shop, await ask(shop, id, card), { action: 'cancel' })
    const late = await ask(shop, id, card)
    await shop.request('PUT', '/v1/simulate/clock', { advance: 'PT5M' })
    const { text } = await answer(shop, late, { code: codeIn(late.text) })
    assert.match(text, /took too long/)
    assert.deepEqual(await decisionsOf(card), [])
    assert.equal(await held(card), 0n)
    await shop.signIn()
  })

  for (const [level, traits, status_code] of [
    ['product', { product: asking({ ecommerce_3ds: false }) }, '1839'],
    ['card', { product: asking(), card: { auth_settings: { ecommerce_3ds: false } } }, '1869'],
  ] as const) {
    test(`is declined with ${status_code} where the ${level} allows no 3-D Secure`, async () => {
      const card = await shop.customer(100_000n, { user, ...traits })
      const asked = await ask(shop, (await shop.checkout()).id, card)
      const { status, text } = await answer(shop, asked, { code: codeIn(asked.text) })
      assert.deepEqual([status, /cannot be used here/.test(text)], [200, true])
      const [decision, ...others] = await decisionsOf(card)
      assert.deepEqual([decision?.level, decision?.status_code], ['0103212', status_code])
      assert.deepEqual([others, await held(card)], [[], 0n])
    })
  }

  test('is approved where only payments with 3-D Secure are allowed', async () => {
    const product = asking({ ecommerce_non_3ds: false })
    const card = await shop.customer(100_000n, { user, product })
    const asked = await ask(shop, (await shop.checkout()).id, card)
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
    assert.equal(await held(card), PRICE)
  })

  test('without a mobile of its holder is attempted: 211, declined with 1893', async () => {
    const card = await shop.customer(100_000n, { product: asking() })
    const { status, text } = await shop.submit((await shop.checkout()).id, card)
    assert.deepEqual([status, /declined the payment/.test(text)], [200, true])
    const phone = 'attempted, no mobile for the password'
    assert.deepEqual(await decisionsOf(card), [{ level: '0103211', status_code: '1893', phone }])
    assert.equal(await held(card), 0n)
  })

  test('of another tenant than the shop has the name of that one on the page', async () => {
    const of = await shop.otherTenant({ pci_compliant: true })
    const { name } = await shop.db
      .selectFrom('tenants')
      .select('name')
      .where('id', '=', of.id)
      .executeTakeFirstOrThrow()
    const card = await shop.customer(100_000n, { of, user, product: asking() })
    const asked = await ask(shop, (await shop.checkout()).id, card)
    assert.ok(asked.text.includes(`<bdi>${name}</bdi>`))
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
  })
})

describe('a card whose issuer does not ask', () => {
  test('is not authenticated: 210, and approved at once', async () => {
    const card = await shop.customer(100_000n, { user })
    assert.equal((await shop.submit((await shop.checkout()).id, card)).status, 303)
    const phone = 'not asked'
    assert.deepEqual(await decisionsOf(card), [{ level: '0103210', status_code: '0000', phone }])
  })

  for (const [level, traits, status_code] of [
    ['product', { product: { auth_settings: { ecommerce_non_3ds: false } } }, '1838'],
    ['card', { card: { auth_settings: { ecommerce_non_3ds: false } } }, '1868'],
  ] as const) {
    test(`is declined with ${status_code} where the ${level} requires 3-D Secure`, async () => {
      const card = await shop.customer(100_000n, { user, ...traits })
      const { text } = await shop.submit((await shop.checkout()).id, card)
      assert.match(text, /needs a confirmation/)
      assert.deepEqual(
        (await decisionsOf(card)).map((decision) => decision.status_code),
        [status_code],
      )
    })
  }

  test('and that no issuer here has is declined, not asked', async () => {
    const stranger = { card_number: '4000001234567899', expiry: '12/29', cvv2: '123' }
    const { text } = await shop.submit((await shop.checkout()).id, stranger)
    assert.match(text, /is not right\. Check both/)
  })
})

test('in live no issuer asks, and the payment is not authenticated', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  await using live = await openShop({ env: { MODE: 'live', MASTER_KEY } })
  const card = await live.customer(100_000n, { user, product: asking() })
  const urls = {
    confirm_callback_url: 'https://shop.example/thanks',
    reject_callback_url: 'https://shop.example/basket',
  }
  const { status, text } = await live.submit((await live.checkout(urls)).id, card)
  assert.equal(status, 303, text)
})
