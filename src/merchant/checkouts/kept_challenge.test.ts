import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { authorizationOf, keptBy, orderOf, withKept } from '#test/e2e/kept.ts'
import { openShop } from '#test/e2e/shop.ts'
import { answer, ask, codeIn, MOBILE } from '#test/e2e/three_ds.ts'

const shop = await openShop({ settings: { kept_cards: true } })
after(() => shop[Symbol.asyncDispose]())
const OTP = { user: { mobile: MOBILE }, product: { otp_3ds: true } }
const asking = await shop.customer(10_000_000n, OTP)
const card = await shop.customer(10_000_000n)
const AGREED = { keep_card: 'en-1' }

describe('a card whose issuer asks for a one-time code', () => {
  test('is kept once the code was right, by the consent of the form before', async () => {
    const { id } = await shop.checkout(orderOf('asked'))
    const asked = await ask(shop, id, asking, AGREED)
    assert.deepEqual(await keptBy(shop, 'asked'), [])
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
    assert.equal((await keptBy(shop, 'asked'))[0].last_four, asking.card_number.slice(-4))
  })

  test('is asked about again where it is kept, and then pays as authenticated', async () => {
    const [{ id: kept }] = await keptBy(shop, 'asked')
    const { id, reference } = await shop.checkout(orderOf('asked'))
    const asked = await ask(shop, id, asking, withKept(kept, asking.cvv2))
    assert.ok(asked.text.includes(asking.card_number.slice(-4)))
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
    const order = (await shop.call('GET', `/orders/${reference}/`)).body
    assert.equal((await authorizationOf(shop, order.order_id))[48], '42070103212')
  })

  test('pays no more where it is removed while the question waits', async () => {
    const [{ id: kept }] = await keptBy(shop, 'asked')
    const { held } = await shop.account(asking)
    const { id } = await shop.checkout(orderOf('asked'))
    const asked = await ask(shop, id, asking, withKept(kept, asking.cvv2))
    assert.equal((await shop.call('DELETE', `/kept-cards/${kept}`)).status, 200)
    const code = codeIn(asked.text)
    for (const attempt of ['first', 'second']) {
      const unused = await answer(shop, asked, { code })
      assert.match(unused.text, /was not used/, attempt)
    }
    assert.equal((await shop.account(asking)).held, held)
    assert.equal((await shop.submit(id, card)).status, 303)
  })

  test('pays without a question where the merchant asks without the customer', async () => {
    const { id } = await shop.checkout(orderOf('subscriber'))
    const asked = await ask(shop, id, asking, AGREED)
    assert.equal((await answer(shop, asked, { code: codeIn(asked.text) })).status, 303)
    const [{ id: kept }] = await keptBy(shop, 'subscriber')
    const sale = { reference: `sub-${kept}`, total: '5.00', currency: 'AED' }
    const paid = await shop.call('POST', `/kept-cards/${kept}/payments`, sale)
    assert.equal(paid.body.status, 'SUCCESS', paid.text)
  })
})
