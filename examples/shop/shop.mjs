/** A shop that sells one book: token, checkout, return page, capture, refund, webhook. */

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

const { BEZANT_URL, PUBLIC_KEY, PRIVATE_KEY, WEBHOOK_SECRET = '', PORT = '3000' } = process.env
const book = { title: 'Tides of the Gulf', quantity: 1, price: '42.50', currency: 'AED' }

async function send(method, path, body, headers = {}) {
  const sent = { 'content-type': 'application/json', ...headers }
  const options = { method, headers: sent, body: body && JSON.stringify(body) }
  return (await fetch(`${BEZANT_URL}/api/v1.0${path}`, options)).json()
}

/** Under the same key a call takes effect once, however often it is sent. */
async function call(method, path, body, key = randomUUID()) {
  const keys = { public_key: PUBLIC_KEY, private_key: PRIVATE_KEY }
  const { token } = await send('POST', '/merchant/authentication', keys)
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': key }
  return send(method, path, body, headers)
}

const button = (path, label) =>
  `<form method="post" action="${path}"><button>${label}</button></form>`

const pages = {
  'GET /': () =>
    `<h1>${book.title}</h1>${button('/buy', `Buy for ${book.currency} ${book.price}`)}`,
  async 'POST /buy'({ shop }) {
    const reference = randomUUID()
    const confirm_callback_url = `${shop}/order?reference=${reference}`
    const urls = { confirm_callback_url, reject_callback_url: `${shop}/` }
    const { price: total, currency } = book
    const checkout = { reference, total, currency, order: { lines: [book] }, ...urls }
    return { to: (await call('POST', '/checkouts', checkout)).checkout_url }
  },
  /** The payer comes back to here. That the order exists is the proof that it is paid. */
  async 'GET /order'({ reference, here }) {
    const { order_number, status, total_refund } = await call('GET', `/orders/${reference}`)
    if (!order_number) return '<h1>Not paid</h1><a href="/">Try again</a>'
    const paid = `<h1>Order ${order_number}: ${status}</h1><p>Refunded: ${total_refund}</p>`
    if (status === 'OPENED') return paid + button(`/capture${here}`, 'Ship and capture')
    return total_refund === '0' ? paid + button(`/refund${here}`, 'Refund') : paid
  },
  async 'POST /capture'({ reference, here }) {
    await call('POST', `/orders/${reference}/capture`, {}, `capture ${reference}`)
    return { to: `/order${here}` }
  },
  async 'POST /refund'({ reference, here }) {
    const refund = { total: book.price, currency: book.currency }
    await call('POST', `/orders/${reference}/refund`, refund, `refund ${reference}`)
    return { to: `/order${here}` }
  },
  'POST /webhook'({ body, headers }) {
    if (!isSigned(body, headers)) return { status: 401 }
    const { event, reference } = JSON.parse(body)
    console.log(`${event} ${reference}`)
    return { status: 204 }
  },
}

/** By Standard Webhooks. There are two signatures for a while after the secret was changed. */
function isSigned(body, { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': all }) {
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64')
  const right = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest()
  const signatures = `${all}`
    .split(' ')
    .map((one) => Buffer.from(one.slice('v1,'.length), 'base64'))
  const isRight = (one) => one.length === right.length && timingSafeEqual(one, right)
  return Math.abs(Date.now() / 1000 - at) < 300 && signatures.some(isRight)
}

async function answer({ method, url, headers }, body) {
  const shop = `http://${headers.host}`
  const { pathname, search: here, searchParams } = new URL(url, shop)
  const reference = encodeURIComponent(searchParams.get('reference') ?? '')
  const page = await pages[`${method} ${pathname}`]?.({ shop, reference, here, body, headers })
  return typeof page === 'string' ? { page } : (page ?? { status: 404 })
}

const server = createServer(async (request, response) => {
  const failed = { status: 502, page: 'The payment service does not answer. Try again.' }
  const body = await text(request)
  const { page = '', to, status = to ? 303 : 200 } = await answer(request, body).catch(() => failed)
  response.writeHead(status, { 'content-type': 'text/html', ...(to && { location: to }) }).end(page)
})
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`The shop is at http://127.0.0.1:${server.address().port}`)
})
