import { pdf } from '#test/support/files.ts'
import type { Member } from '../member.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Issued } from './issuing.ts'

const ORDERS = [
  ['ORDER-1001', '89.00', 'Layla', 'Aziz', 'A history of Dubai'],
  ['ORDER-1002', '240.50', 'Omar', 'Haddad', 'Atlas of the Gulf'],
  ['ORDER-1003', '32.00', 'Sara', 'Khan', 'Notebook'],
  ['ORDER-1004', '415.75', 'Maha', 'Saleh', 'Reading lamp'],
] as const

/** Adds up to its total: shown with lines, pictures and every amount. */
const BASKET = {
  total: '464.00',
  description: 'Delivery to Jumeirah, Thursday',
  order: {
    shipping_amount: '15.00',
    tax_amount: '4.50',
    discount: '10.00',
    customer: { first_name: 'Noor', last_name: 'Farouk' },
    lines: [
      {
        title: 'A history of Dubai, from the pearl divers to the tallest tower of the world',
        quantity: 2,
        price: '89.00',
        image_url: 'https://pictures.example/dubai.jpg',
      },
      {
        title: 'أطلس الخليج العربي',
        quantity: 1,
        price: '240.50',
        image_url: 'https://pictures.example/gulf.jpg',
      },
      { title: 'Notebook', quantity: 3, price: '12.00' },
    ],
  },
}
const BRAND = {
  brand_color: '#0b6e4f',
  logo:
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAGAAAABgCAIAAABt+uBvAAAA2ElEQVR42u3asRHAIA' +
    'gFUPsMl02yf0c2SArvQPTlfhuKdxYKjOu55SMDASBAgAABAgQIkAACBAgQIECAAAkgQIDOA4qIs4Bi+gPUQKoHUK' +
    'FRG6Aqo05AJUyAtgNKNmoJlGlUDDTz+/5AkxUA/RQBtIRRA6CPUoAAAQJUCZRg5AQBAgQIkJu0t5jXvH6QjqKetK' +
    'kGIEAmq2bztjvsBxXdpG2YrXhAAAECBAgQIECAAAECBAgQIECAAAECBKgH0B4BBAgQIECAAAECJIAAAQIECBAgQA' +
    'IIEKCsvLSpwSXCFaGZAAAAAElFTkSuQmCC',
}

/** A small picture. */
const LOGO = Buffer.from(BRAND.logo.split(',')[1] ?? '', 'base64')

type Card = { card_number: string; expiry_date: string; cvv2: string }

type Sold = Record<'shop_dispute' | 'answered_dispute', string> &
  Record<'day' | 'order' | 'refunded' | 'endpoint' | 'checkout' | 'widget', string> &
  Record<'declined_checkout' | 'replaced_checkout' | 'paid_checkout', string> &
  Record<'expired_checkout', string> &
  Record<'asked_checkout' | 'refused_checkout', string> &
  Record<'kept_checkout' | 'consent_checkout', string>

/** A shop of the organization: orders that are open, captured and refunded, and a checkout. */
export async function sell(
  { base_url, operator_key }: Sandbox,
  member: Member,
  { ids }: Issued,
): Promise<Sold> {
  const { call } = member
  const { tenant } = await call('GET', '/portal/v1/session')
  const settings = `${base_url}/v1/operator/tenants/${tenant.id}/settings`
  await sent('PUT', settings, operator_key, { pci_compliant: true })
  await sent('POST', `${base_url}/v1/operator/merchants`, operator_key, {
    tenant_id: tenant.id,
    name: 'Palm Books',
    mcc: '5942',
    city: 'Dubai',
    ...BRAND,
    kept_cards: true,
    fees: [{ currency: 'AED', percent: 2.5, fixed: 1, refund_fee: 0.5, chargeback_fee: 15 }],
    partial_captures: true,
  })
  const { api_key } = await call('POST', '/portal/v1/keys', {
    name: 'Shots',
    permissions: ['read', 'cards:reveal'],
  })
  const reveal = `${base_url}/v1/cards/${ids.card}:reveal`
  // It is what the operation answers.
  const card = (await (await fetch(reveal, { headers: { apikey: api_key } })).json()) as Card
  await call('POST', '/api/v1.0/webhooks', {
    url: 'https://palm-books.example/events',
    events: ['ORDER_AUTHORIZED', 'ORDER_CAPTURED'],
  })
  const { url: answering } = await call('POST', '/v1/simulate/webhookreceivers', {})
  const { webhook_id: endpoint } = await call('POST', '/api/v1.0/webhooks', {
    url: answering,
    events: ['ORDER_CAPTURED', 'ORDER_REFUNDED', 'PAYOUT_PAID'],
  })
  for (const order of ORDERS) await pay(await checkout(member, order), base_url, card)
  await call('POST', '/api/v1.0/orders/ORDER-1001/capture/', {})
  await call('POST', '/api/v1.0/orders/ORDER-1002/capture/', {})
  const part = { total: '40.00', currency: 'AED' }
  await call('POST', '/api/v1.0/orders/ORDER-1002/refund/', part)
  await call('POST', '/api/v1.0/orders/ORDER-1004/capture/', { total: '120.00' })
  const basket = (reference: string) => openCheckout(member, { ...BASKET, reference })
  const expired_checkout = await basket('ORDER-1014')
  // A day that is paid, one that waits for the operator, and one that is not over.
  await passDay(member)
  await payOut(base_url, operator_key)
  await call('POST', '/api/v1.0/orders/ORDER-1003/capture/', {})
  await passDay(member)
  await call('POST', '/api/v1.0/orders/ORDER-1002/refund/', { ...part, total: '50.00' })
  const frame = { widget: 'SET_PIN', origin: base_url }
  const { url } = await call('POST', `/v1/cards/${ids.card}:widgettoken`, frame)
  const disputes = await beDisputed(member, { base_url, operator_key })
  const declined_checkout = await basket('ORDER-1006')
  await pay(declined_checkout, base_url, { ...card, cvv2: otherCode(card.cvv2) }, 200)
  const replaced_checkout = await basket('ORDER-1007')
  await basket('ORDER-1007')
  // The amount is small: the card has a limit, and the orders have used much of it.
  const bookmark = () => openCheckout(member, { reference: 'ORDER-1008', total: '5.00' })
  const paid_checkout = await bookmark()
  await pay(await bookmark(), base_url, card)
  const known = { order: { ...BASKET.order, customer: { reference: 'C-204' } } }
  const keeping = await openCheckout(member, { reference: 'ORDER-1011', total: '5.00', ...known })
  await pay(keeping, base_url, card, 303, { keep_card: 'en-1' })
  const kept_checkout = await openCheckout(member, {
    ...BASKET,
    ...known,
    reference: 'ORDER-1012',
  })
  const consent_checkout = await openCheckout(member, {
    ...BASKET,
    reference: 'ORDER-1013',
    order: { ...BASKET.order, customer: { reference: 'C-205' } },
  })
  // Its clock is ahead.
  const { created_at } = await call('GET', '/api/v1.0/orders/ORDER-1004/')
  return {
    day: String(created_at).slice(0, 10),
    ...disputes,
    order: 'ORDER-1004',
    refunded: 'ORDER-1002',
    endpoint,
    widget: url,
    checkout: await basket('ORDER-1005'),
    declined_checkout,
    replaced_checkout,
    paid_checkout,
    expired_checkout,
    refused_checkout: await basket('ORDER-1009'),
    asked_checkout: await basket('ORDER-1010'),
    kept_checkout,
    consent_checkout,
  }
}

/** Two disputes of the shop: one waits with its files, the other was answered by a text. */
async function beDisputed(
  member: Member,
  { base_url, operator_key: apikey }: Pick<Sandbox, 'base_url' | 'operator_key'>,
) {
  const { tenant } = await member.call('GET', '/portal/v1/session')
  const path = `${base_url}/v1/operator/merchants?tenant_id=${tenant.id}`
  const merchants = await fetch(path, { headers: { apikey } })
  // It is what the operation answers.
  const { data } = (await merchants.json()) as { data: { id: string }[] }
  for (const [reference, reason] of [
    ['ORDER-1003', 'NOT_RECEIVED'],
    ['ORDER-1001', 'FRAUD'],
  ] as const) {
    const taken = { merchant_id: data[0]?.id, reference, reason, reason_code: '4853' }
    await sent('POST', `${base_url}/v1/operator/chargebacks`, apikey, taken)
  }
  const { data: found } = await member.call('GET', '/api/v1.0/disputes/')
  const [answered, waiting] = found.map(({ dispute_id }: { dispute_id: string }) => dispute_id)
  for (const name of ['delivery-note.pdf', 'signature.png']) {
    const value = name.endsWith('.pdf') ? pdf('Delivered') : LOGO
    await member.upload(`/api/v1.0/disputes/${waiting}/files/`, name, value)
  }
  const evidence = { explanation: 'The customer has collected it.', receipt: 'Receipt 4411' }
  await member.call('POST', `/api/v1.0/disputes/${answered}/evidence/`, evidence)
  return { shop_dispute: String(waiting), answered_dispute: String(answered) }
}

async function sent(method: string, url: string, apikey: string, body: object): Promise<void> {
  const headers = { apikey, 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}

async function passDay({ call }: Member): Promise<void> {
  await call('PUT', '/v1/simulate/clock', { advance: 'P1D' })
}

async function payOut(base_url: string, apikey: string): Promise<void> {
  const url = `${base_url}/v1/operator/payouts`
  const list = await fetch(`${url}?status=PENDING`, { headers: { apikey } })
  // It is what the operation answers.
  const { data } = (await list.json()) as { data: { id: string }[] }
  for (const { id } of data) {
    await sent('POST', `${url}/${id}:markPaid`, apikey, { reference: 'TRANSFER-2001' })
  }
}

const otherCode = (code: string) => (code === '123' ? '321' : '123')

function checkout(
  member: Member,
  [reference, total, first_name, last_name, title]: (typeof ORDERS)[number],
): Promise<string> {
  const lines = [{ sku: 'BOOK-1', title, quantity: 1, price: total }]
  const order = { customer: { first_name, last_name }, lines }
  return openCheckout(member, { reference, total, order })
}

/** Returns the path of the payment page. */
async function openCheckout({ call }: Member, fields: object): Promise<string> {
  const { checkout_url } = await call('POST', '/api/v1.0/checkouts/', {
    currency: 'AED',
    confirm_callback_url: 'https://shop.example/thanks',
    reject_callback_url: 'https://shop.example/failed',
    ...fields,
  })
  const { pathname, search } = new URL(checkout_url)
  return pathname + search
}

async function pay(
  path: string,
  base_url: string,
  { card_number, expiry_date, cvv2 }: Card,
  expected = 303,
  others: Record<string, string> = {},
) {
  const page = await (await fetch(base_url + path)).text()
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const [year = '', month = ''] = expiry_date.split('-')
  const fields = { form_token, card_number, expiry: `${month}/${year.slice(2)}`, cvv2, ...others }
  const body = new URLSearchParams(fields)
  const answer = await fetch(base_url + path, { method: 'POST', body, redirect: 'manual' })
  if (answer.status !== expected) throw new Error(`the payment page answered ${answer.status}`)
}

/** A receiver that has failed once and then taken its event, and one that nothing has reached. */
export async function receive({ call }: Member): Promise<string> {
  const receiver = await call('POST', '/v1/simulate/webhookreceivers', { answer_status: 500 })
  const path = `/v1/simulate/webhookreceivers/${receiver.id}`
  const endpoint = receiver.url
  const { id } = await call('POST', '/v1/webhooks', { endpoint, events: ['TRANSACTION'] })
  await call('POST', `/v1/webhooks/${id}:ping`)
  await until(async () => (await call('GET', path)).received > 0)
  await call('PUT', path, { answer_status: 200 })
  await until(async () => (await call('GET', path)).received > 1)
  return receiver.id
}

const LOOK_MS = 250
const MOST = 60

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let look = 0; look < MOST; look++) {
    if (await condition()) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  throw new Error('the receiver received nothing')
}
