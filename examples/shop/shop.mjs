/** A shop that sells one book: token, checkout, return page, capture, refund, webhook. */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { BEZANT_URL, PUBLIC_KEY, PRIVATE_KEY, WEBHOOK_SECRET, PORT = '3000' } = process.env
const sum = { total: '42.50', currency: 'AED' }
const order = { lines: [{ title: 'Tides of the Gulf', quantity: 1, price: sum.total }] }
const failed = { status: 502, page: 'The payment service did not answer as it should. Try again.' }

/** Fails for what answers nothing, as 401, 429 and 503: it must not read as an order not paid. */
async function ask(method, path, input, more) {
  const headers = { 'content-type': 'application/json', ...more }
  const sent = { method, headers, body: JSON.stringify(input) }
  const answer = await fetch(`${BEZANT_URL}/api/v1.0${path}`, sent)
  return answer.ok || [404, 406].includes(answer.status) ? answer.json() : Promise.reject(answer)
}

/** Under the same key a call takes effect once, however often it is sent, and answers the same. */
async function call(method, path, body, key = randomUUID()) {
  const keys = { public_key: PUBLIC_KEY, private_key: PRIVATE_KEY }
  const { token } = await ask('POST', '/merchant/authentication', keys)
  return ask(method, path, body, { authorization: `Bearer ${token}`, 'idempotency-key': key })
}

const button = (to, name) => `<form method="post" action="${to}"><button>${name}</button></form>`

/** What each answers with: a page, the address to go on to, or a status alone. */
const pages = {
  'GET /': () => ({ page: button('/buy', `Buy the book for ${sum.currency} ${sum.total}`) }),
  /** Paid or not, the payer comes back to one page, which asks for the order. */
  async 'POST /buy'({ headers }) {
    const reference = randomUUID()
    const back = `http://${headers.host}/order/${reference}`
    const sale = { reference, ...sum, order, confirm_callback_url: back, reject_callback_url: back }
    return { to: (await call('POST', '/checkouts', sale)).checkout_url }
  },
  /** That the order exists is the proof that it is paid. */
  async 'GET /order'({ path: [reference] }) {
    const { order_number, status, total_refund } = await call('GET', `/orders/${reference}`)
    if (!order_number) return { page: '<h1>Not paid</h1><a href="/">Try again</a>' }
    const next = status === 'OPENED' ? 'Capture' : total_refund === '0' && 'Refund'
    const paid = `<h1>Order ${order_number}: ${status}</h1><p>Refunded: ${total_refund}</p>`
    return { page: next ? paid + button(`/move/${next}/${reference}/${randomUUID()}`, next) : paid }
  },
  /**
   * Takes the sum, or gives it back. A button has one key, so pressed twice it acts once; the page
   * shown again has a new one, since a key would repeat a FAILURE, which is a 200 as well.
   */
  async 'POST /move'({ path: [name, reference, key] }) {
    const { status } = await call('POST', `/orders/${reference}/${name.toLowerCase()}`, sum, key)
    const failure = `<h1>No money was moved</h1><a href="/order/${reference}">Back to the order</a>`
    return status === 'FAILURE' ? { page: failure } : { to: `/order/${reference}` }
  },
  /** An event, once for each of its attempts until the answer is 2xx. */
  'POST /webhook'({ body, headers }) {
    if (!isSigned(body, headers)) return { status: 401 }
    console.log(body)
    return { status: 204 }
  },
}

/** By Standard Webhooks. There are two signatures for a while after the secret was changed. */
function isSigned(body, { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': all }) {
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
  const right = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  const sent = `${all}`.split(' ').map((one) => Buffer.from(one.replace('v1,', ''), 'base64'))
  const isRight = sent.some((one) => one.length === right.length && timingSafeEqual(one, right))
  return isRight && Math.abs(Date.now() / 1000 - at) < 300
}

const server = createServer(async (request, response) => {
  const [, name, ...path] = request.url.split(/[/?]/)
  const show = pages[`${request.method} /${name}`] ?? (() => ({ status: 404 }))
  const shown = text(request).then((body) => show({ path, body, headers: request.headers }))
  const { page = '', to, status = to ? 303 : 200 } = await shown.catch(() => failed)
  response.writeHead(status, { 'content-type': 'text/html', ...(to && { location: to }) }).end(page)
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
