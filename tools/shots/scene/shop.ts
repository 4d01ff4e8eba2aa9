import type { Member } from '../member.ts'
import type { Sandbox } from '../sandbox.ts'
import type { Issued } from './issuing.ts'

const ORDERS = [
  ['ORDER-1001', '89.00', 'Layla', 'Aziz', 'A history of Dubai'],
  ['ORDER-1002', '240.50', 'Omar', 'Haddad', 'Atlas of the Gulf'],
  ['ORDER-1003', '32.00', 'Sara', 'Khan', 'Notebook'],
  ['ORDER-1004', '415.75', 'Maha', 'Saleh', 'Reading lamp'],
] as const

type Card = { card_number: string; expiry_date: string; cvv2: string }

/** A shop of the organization: orders that are open, captured and refunded, and a checkout. */
export async function sell(
  { base_url, operator_key }: Sandbox,
  member: Member,
  { ids }: Issued,
): Promise<{ order: string; refunded: string; checkout: string; widget: string }> {
  const { call } = member
  const { tenant } = await call('GET', '/portal/v1/session')
  const settings = `${base_url}/v1/operator/tenants/${tenant.id}/settings`
  await sent('PUT', settings, operator_key, { pci_compliant: true })
  await sent('POST', `${base_url}/v1/operator/merchants`, operator_key, {
    ...{ tenant_id: tenant.id, name: 'Palm Books', mcc: '5942', city: 'Dubai' },
  })
  const { api_key } = await call('POST', '/portal/v1/keys', {
    ...{ name: 'Shots', permissions: ['read', 'cards:reveal'] },
  })
  const reveal = `${base_url}/v1/cards/${ids.card}:reveal`
  // It is what the operation answers.
  const card = (await (await fetch(reveal, { headers: { apikey: api_key } })).json()) as Card
  for (const order of ORDERS) await pay(await checkout(member, order), base_url, card)
  await call('POST', '/api/v1.0/orders/ORDER-1001/capture/', {})
  await call('POST', '/api/v1.0/orders/ORDER-1002/capture/', {})
  const part = { total: '40.00', currency: 'AED' }
  await call('POST', '/api/v1.0/orders/ORDER-1002/refund/', part)
  const next = ['ORDER-1005', '89.00', 'Noor', 'Farouk', 'A history of Dubai'] as const
  const frame = { widget: 'SET_PIN', origin: base_url }
  const { url } = await call('POST', `/v1/cards/${ids.card}:widgettoken`, frame)
  const opened = await checkout(member, next)
  return { order: 'ORDER-1004', refunded: 'ORDER-1002', checkout: opened, widget: url }
}

async function sent(method: string, url: string, apikey: string, body: object): Promise<void> {
  const headers = { apikey, 'content-type': 'application/json' }
  const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
}

/** Returns the path of the payment page. */
async function checkout(
  { call }: Member,
  [reference, total, first_name, last_name, title]: (typeof ORDERS)[number] | readonly string[],
): Promise<string> {
  const { checkout_url } = await call('POST', '/api/v1.0/checkouts/', {
    ...{ reference, total, currency: 'AED' },
    confirm_callback_url: 'https://shop.example/thanks',
    reject_callback_url: 'https://shop.example/failed',
    order: {
      customer: { first_name, last_name },
      lines: [{ sku: 'BOOK-1', title, quantity: 1, price: total }],
    },
  })
  const { pathname, search } = new URL(checkout_url)
  return pathname + search
}

async function pay(path: string, base_url: string, { card_number, expiry_date, cvv2 }: Card) {
  const page = await (await fetch(base_url + path)).text()
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const [year = '', month = ''] = expiry_date.split('-')
  const fields = { form_token, card_number, expiry: `${month}/${year.slice(2)}`, cvv2 }
  const body = new URLSearchParams(fields)
  const answer = await fetch(base_url + path, { method: 'POST', body, redirect: 'manual' })
  if (answer.status !== 303) throw new Error(`the payment page answered ${answer.status}`)
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
