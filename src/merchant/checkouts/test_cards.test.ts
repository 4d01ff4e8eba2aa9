import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { openShop, post, tokenIn } from '#test/e2e/shop.ts'
import { answer, codeIn } from '#test/e2e/three_ds.ts'

const shop = await openShop()
after(() => shop[Symbol.asyncDispose]())

const typedIn = (text: string, name: string) =>
  new RegExp(`<input id="${name}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? ''

/**
 * Acts as a browser without a script: it opens the link, and presses the button if there is one.
 */
async function pick(id: string, kind: string) {
  const first = await shop.page(`${id}&card=${kind}`)
  if (first.text.includes('name="form_token"')) return first.text
  assert.match(first.text, /test cards are not ready/)
  const made = await shop.app.inject({
    method: 'POST',
    url: `/checkout/testcards?id=${id}&lang=en&card=${kind}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: '',
  })
  assert.equal(made.statusCode, 303, made.body)
  const filled = await shop.app.inject(String(made.headers.location))
  assert.equal(filled.statusCode, 200)
  return filled.body
}

/** Submits the form as it is filled in. */
function submitted(id: string, text: string) {
  const fields = ['card_number', 'expiry', 'cvv2'].map((name) => [name, typedIn(text, name)])
  const slow = text.includes('name="slow" value="1"') ? { slow: '1' } : {}
  return post(shop, id, { form_token: tokenIn(text), ...Object.fromEntries(fields), ...slow })
}

describe('the test cards of a payment page', () => {
  test('are made once, on request, and one is approved', async () => {
    const { id } = await shop.checkout()
    const text = await pick(id, 'approved')
    assert.match(typedIn(text, 'card_number'), /^99\d\d( \d{4}){3}$/)
    assert.equal((await submitted(id, text)).status, 303)
    const { id: next } = await shop.checkout()
    const again = await shop.page(`${next}&card=approved`)
    assert.equal(typedIn(again.text, 'card_number'), typedIn(text, 'card_number'))
  })

  test('are declined for money and for a wrong code, as the cards are named', async () => {
    const { id } = await shop.checkout()
    for (const [kind, reason] of [
      ['funds', 'not enough money'],
      ['code', 'security code is not right'],
    ] as const) {
      const answer = await submitted(id, await pick(id, kind))
      assert.equal(answer.status, 200)
      assert.ok(answer.text.includes(reason), kind)
    }
  })

  test('get money where there is too little for an order', async () => {
    const { id } = await shop.checkout({ total: '9000000' })
    assert.match((await shop.page(`${id}&card=approved`)).text, /Prepare test cards/)
    assert.equal((await submitted(id, await pick(id, 'approved'))).status, 303)
  })

  test('have one whose issuer asks for a code, which is approved with it', async () => {
    const { id } = await shop.checkout()
    const { status, text } = await submitted(id, await pick(id, 'three_ds'))
    assert.equal(status, 200)
    assert.equal((await answer(shop, { id, text }, { code: codeIn(text) })).status, 303)
  })

  test('have a slow one, during whose payment another page states that it is processed', async () => {
    const { id } = await shop.checkout()
    const text = await pick(id, 'slow')
    const paying = submitted(id, text)
    let seen = ''
    do seen = (await shop.page(id)).text
    while (seen.includes('name="form_token"'))
    assert.match(seen, /is being processed/)
    assert.equal((await paying).status, 303)
  })

  test('404 for a card that has no name, and after the payment; nothing is made by a visit', async () => {
    const { id } = await shop.checkout()
    const make = (card: string) =>
      shop.app.inject({ method: 'POST', url: `/checkout/testcards?id=${id}&card=${card}` })
    assert.equal((await make('gold')).statusCode, 404)
    assert.match((await shop.page(`${id}&card=gold`)).text, /name="form_token"/)
    assert.equal((await submitted(id, await pick(id, 'approved'))).status, 303)
    assert.equal((await make('approved')).statusCode, 404)
  })
})

test('a live payment page has no test cards, no badge, and makes none', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  await using live = await openShop({ env: { MODE: 'live', MASTER_KEY } })
  const urls = {
    confirm_callback_url: 'https://shop.example/thanks',
    reject_callback_url: 'https://shop.example/basket',
  }
  const { id } = await live.checkout(urls)
  const { status, text } = await live.page(`${id}&card=approved`)
  assert.equal(status, 200)
  assert.ok(text.includes('name="form_token"'))
  assert.doesNotMatch(text, /Test mode|Test cards|card=approved/)
  const url = `/checkout/testcards?id=${id}&card=approved`
  assert.equal((await live.app.inject({ method: 'POST', url })).statusCode, 404)
})
