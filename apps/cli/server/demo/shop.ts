/** The merchant part of the demo: a checkout paid on its page, captured, partly refunded. */

import { DemoFault, type Sandbox } from './client.ts'
import type { Card } from './issuing.ts'
import { print, step } from './print.ts'

export type Order = {
  reference: string
  order_id: string
  order_number: string
  status: string
  /** Decimals as text, as the merchant API answers them. */
  total: string
  total_refund: string
}

export async function buy(sandbox: Sandbox, card: Card, reference: string, total: string) {
  step('A shop opens a checkout')
  const checkout = await sandbox.merchantApi('POST', '/checkouts/', {
    reference,
    total,
    currency: 'AED',
    confirm_callback_url: 'https://shop.example/thanks',
    reject_callback_url: 'https://shop.example/sorry',
  })
  print(`  ${checkout.checkout_url}`)

  step('The customer pays on the checkout page; the card is authorized over ISO 8583')
  const url = localUrl(sandbox, checkout.checkout_url)
  const page = await (await fetch(url)).text()
  const form_token = /name="form_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  const [year = '', month = ''] = card.expiry_date.split('-')
  const { card_number, cvv2 } = card
  const fields = { form_token, card_number, expiry: `${month}/${year.slice(2)}`, cvv2 }
  const paid = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  })
  if (paid.status !== 303) throw new DemoFault(`the payment page answered ${paid.status}`)
  print(`  paid; the browser goes on to ${paid.headers.get('location')}`)
  await showOrder(sandbox, reference)
}

/** The page is at the address of the API, which may differ from the public URL. */
const localUrl = ({ base_url }: Sandbox, url: string) => {
  const { pathname, search } = new URL(url)
  return `${base_url}${pathname}${search}`
}

export async function capture(sandbox: Sandbox, reference: string): Promise<void> {
  step('The shop captures: the hold becomes a posting')
  const result = await sandbox.merchantApi('POST', `/orders/${reference}/capture/`)
  print(`  ${result.type} ${result.status}: ${result.amount} ${result.currency}`)
  if (result.status !== 'SUCCESS') throw new DemoFault('the capture failed')
  await showOrder(sandbox, reference)
}

/** Resolves to the order as it is then. */
export async function refund(sandbox: Sandbox, reference: string, total: string): Promise<Order> {
  step(`The shop refunds ${total} AED of it`)
  const body = { total, currency: 'AED' }
  const result = await sandbox.merchantApi('POST', `/orders/${reference}/refund/`, body)
  print(`  ${result.type} ${result.status}: ${result.amount}, transaction ${result.transaction_id}`)
  if (result.status !== 'SUCCESS') throw new DemoFault('the refund failed')
  return await showOrder(sandbox, reference)
}

async function showOrder(sandbox: Sandbox, reference: string): Promise<Order> {
  const order = await sandbox.merchantApi('GET', `/orders/${reference}/`)
  const { order_id, order_number, status, total, total_refund } = order
  print(`  order ${order_id} (${order_number}): ${status}, ${total}, refunded ${total_refund}`)
  return { reference, order_id, order_number, status, total, total_refund }
}
