/** The sample shop sells its book, as a process beside the program. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { linesOfCode } from '#test/support/inspection/code_lines.ts'
import { FORM, pay } from '#test/support/network/purchases.ts'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { until } from '#test/support/services/receiver.ts'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database.drop())

/** A browser that shows where it is sent. */
async function browse(url: string, form?: string) {
  const sent = form === undefined ? {} : { method: 'POST', headers: FORM, body: form }
  const answer = await fetch(url, { redirect: 'manual', ...sent })
  const to = new URL(answer.headers.get('location') ?? '', url).href
  return { status: answer.status, text: await answer.text(), to }
}

test('the whole shop takes at most 60 lines of code', () => {
  assert.ok(linesOfCode('examples/shop/shop.mjs') <= 60)
})

test('a book is bought, shipped and taken back, and signed events of it arrive', async () => {
  const DATA_DIR = dataFolder()
  const program = launch({ DATA_DIR, DATABASE_URL: database.url })
  await program.ready
  const { base_url, tenant, merchant } = sandboxIn(DATA_DIR)
  const ask = async (url: string, method: string, key: object, body?: object) => {
    const headers = { ...key, 'content-type': 'application/json' }
    const sent = body && { body: JSON.stringify(body) }
    const answer = await fetch(url, { method, headers, ...sent })
    assert.ok(answer.ok, `${method} ${url}`)
    return JSON.parse(await answer.text())
  }
  const call = (method: string, path: string, body?: object) =>
    ask(`${base_url}/v1${path}`, method, { apikey: tenant.api_key }, body)
  const sell = (method: string, path: string, body: object, token = '') =>
    ask(`${base_url}/api/v1.0${path}`, method, { authorization: `Bearer ${token}` }, body)
  const { card_product_id } = tenant
  await call('PUT', `/cardproducts/${card_product_id}`, {
    initial_status_of_virtual_card: 'ACTIVE',
  })
  const user = await call('POST', '/users', { first_name: 'Layla', last_name: 'Aziz' })
  const issue = { user_id: user.id, card_product_id, card_type: 'VIRTUAL' }
  const { id, account_id } = await call('POST', '/cards', issue)
  await call('POST', `/accounts/${account_id}:loadfunds`, { currency: 'AED', amount: 100 })
  const card = await call('GET', `/cards/${id}:reveal`)
  const events = ['ORDER_AUTHORIZED', 'ORDER_CAPTURED', 'ORDER_REFUNDED']
  const { public_key, private_key } = merchant
  const { token } = await sell('POST', '/merchant/authentication', { public_key, private_key })
  const webhook = await sell('POST', '/webhooks', { url: 'http://127.0.0.1:9/', events }, token)

  const shop = launch(
    {
      BEZANT_URL: base_url,
      WEBHOOK_SECRET: webhook.secret,
      PUBLIC_KEY: public_key,
      PRIVATE_KEY: private_key,
    },
    ['examples/shop/shop.mjs'],
  )
  const shop_url = await until('the shop listens', () => /^http:\S+/.exec(shop.output())?.[0])
  const url = `${shop_url}/webhook`
  await sell('PUT', `/webhooks/${webhook.webhook_id}`, { url }, token)

  assert.match((await browse(`${shop_url}/`)).text, /Buy the book for AED 42\.50/)
  const { to: checkout_url } = await browse(`${shop_url}/buy`, '')
  assert.match((await browse(checkout_url)).text, /Tides of the Gulf|42\.50/)
  const paid = async (address: string) => {
    let order_url = ''
    const send = async (path: string, form?: string) => {
      const answer = await browse(new URL(path, base_url).href, form)
      order_url = answer.to
      return answer
    }
    await pay(send, address, card)
    return order_url
  }
  const order_url = await paid(checkout_url)
  const reference = new URL(order_url).pathname.replace('/order/', '')
  const shown = async () => (await browse(order_url)).text
  const actionIn = (text: string) => `${shop_url}${/action="([^"]+)"/.exec(text)?.[1]}`
  const press = async (action: string) => assert.equal((await browse(action, '')).to, order_url)
  const opened = await shown()
  assert.match(opened, /OPENED.*Refunded: 0<.*Capture</s)
  await press(actionIn(opened))
  const completed = await shown()
  assert.match(completed, /COMPLETED.*Refunded: 0<.*>Refund</s)
  await press(actionIn(opened))
  await press(actionIn(completed))
  await press(actionIn(completed))
  assert.match(await shown(), /COMPLETED.*Refunded: 42\.5000<\/p>$/s)

  const account = await call('GET', `/accounts/${account_id}`)
  assert.equal(account.balance, 100)
  for (const event of events) {
    const received = new RegExp(`^{.*"event":"${event}".*"reference":"${reference}"`, 'm')
    await until(event, () => received.test(shop.output()))
  }
  const forged = await fetch(`${shop_url}/webhook`, {
    method: 'POST',
    body: '{}',
    headers: {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    },
  })
  assert.equal(forged.status, 401)
  const unpaid = await browse(`${shop_url}/order/none`)
  assert.match(unpaid.text, /Not paid/)

  // A capture that fails is said, and the page shown again has another key for it.
  const late_url = await paid((await browse(`${shop_url}/buy`, '')).to)
  await call('PUT', '/simulate/clock', { advance: 'P6D' })
  const late = (await browse(late_url)).text
  assert.match((await browse(actionIn(late), '')).text, /No money was moved/)
  assert.notEqual(actionIn((await browse(late_url)).text), actionIn(late))

  // An answer that is none is not an order that is not paid.
  const wrong = { PUBLIC_KEY: public_key, PRIVATE_KEY: 'sk_wrong', BEZANT_URL: base_url }
  const stranger = launch(wrong, ['examples/shop/shop.mjs'])
  const at = await until('the shop listens', () => /^http:\S+/.exec(stranger.output())?.[0])
  const unknown = await browse(`${at}${new URL(late_url).pathname}`)
  assert.deepEqual([unknown.status, /Not paid/.test(unknown.text)], [502, false])
  stranger.kill('SIGTERM')

  program.kill('SIGTERM')
  assert.equal(await program.ended, 0)
  const alone = await browse(`${shop_url}/buy`, '')
  assert.deepEqual([alone.status, /did not answer/.test(alone.text)], [502, true])
  shop.kill('SIGTERM')
})
