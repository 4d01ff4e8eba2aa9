/** A shop that sells one book: token, checkout, return page, capture, refund, webhook. */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { BEZANT_URL, PUBLIC_KEY, PRIVATE_KEY, WEBHOOK_SECRET, PORT = '3000' } = process.env
const sum = { total: '42.50', currency: 'AED' }
const order = { lines: [{ title: 'Tides of the Gulf', quantity: 1, price: sum.total }] }
const failed = { status: 502, page: 'The payment service did not answer as it should. Try again.' }

const json = { 'content-type': 'application/json' }
const ask = async (path, options) => (await fetch(`${BEZANT_URL}/api/v1.0${path}`, options)).json()

/** Under the same key a call takes effect once, however often it is sent. */
async function call(method, path, body, key = randomUUID()) {
  const keys = JSON.stringify({ public_key: PUBLIC_KEY, private_key: PRIVATE_KEY })
  const signIn = { method: 'POST', headers: json, body: keys }
  const { token } = await ask('/merchant/authentication', signIn)
  const headers = { ...json, authorization: `Bearer ${token}`, 'idempotency-key': key }
  return ask(path, { method, headers, body: JSON.stringify(body) })
}

const button = (to, name) => `<form method="post" action="${to}"><button>${name}</button></form>`

/** What each answers with: a page, the address to go on to, or a status alone. */
const pages = {
  'GET /': () => ({ page: button('/buy', `Buy the book for ${sum.currency} ${sum.total}`) }),
  /** Paid or not, the payer comes back to one page, which asks for the order. */
  async 'POST /buy'({ headers }) {
    const reference = randomUUID()
    const back = `http://${headers.host}/order/${reference}`
    const urls = { confirm_callback_url: back, reject_callback_url: back }
    const { checkout_url } = await call('POST', '/checkouts', { reference, ...sum, order, ...urls })
    return checkout_url ? { to: checkout_url } : failed
  },
  /** That the order exists is the proof that it is paid. */
  async 'GET /order'({ reference }) {
    const { order_number, status, total_refund } = await call('GET', `/orders/${reference}`)
    if (!order_number) return { page: '<h1>Not paid</h1><a href="/">Try again</a>' }
    const paid = `<h1>Order ${order_number}: ${status}</h1><p>Refunded: ${total_refund}</p>`
    if (status === 'OPENED') return { page: paid + button(`/capture/${reference}`, 'Capture') }
    return { page: total_refund === '0' ? paid + button(`/refund/${reference}`, 'Refund') : paid }
  },
  'POST /capture': ({ reference }) => move('capture', reference),
  'POST /refund': ({ reference }) => move('refund', reference),
  /** An event, once for each of its attempts until the answer is 2xx. */
  'POST /webhook'({ body, headers }) {
    if (!isSigned(body, headers)) return { status: 401 }
    console.log(body)
    return { status: 204 }
  },
}

/** Takes the sum, or gives it back. Pressed twice, it happens once. */
async function move(name, reference) {
  await call('POST', `/orders/${reference}/${name}`, sum, `${name} ${reference}`)
  return { to: `/order/${reference}` }
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
  const [, name, reference] = request.url.split(/[/?]/)
  const show = pages[`${request.method} /${name}`] ?? (() => ({ status: 404 }))
  const shown = text(request).then((body) => show({ reference, body, headers: request.headers }))
  const { page = '', to, status = to ? 303 : 200 } = await shown.catch(() => failed)
  response.writeHead(status, { 'content-type': 'text/html', ...(to && { location: to }) }).end(page)
})
server.listen(PORT, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
