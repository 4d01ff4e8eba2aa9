/** Triggers of a shop's orders and payouts, with the merchant's keys of the sandbox. */

import { payCheckout } from '#client/payment_page.ts'
import { Fault } from '../kit/faults.ts'
import type { Kind } from './kind.ts'
import type { Shop, Stage } from './stage.ts'

type Order = Awaited<ReturnType<Shop['merchant']['orders']['get']>>

const TOTAL = '120.50'
const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** A checkout that is paid on its page with a new card, whose data are not printed. */
async function paid(stage: Stage): Promise<Order> {
  const { merchant, baseUrl } = stage.shop()
  const card = await stage.card()
  const reference = `TRIGGER-${crypto.randomUUID().slice(0, 8)}`
  const total = stage.options.amount ?? TOTAL
  const callbacks = {
    confirm_callback_url: 'https://shop.example/yes',
    reject_callback_url: 'https://shop.example/no',
  }
  const checkout = { reference, total, currency: card.currency, ...callbacks }
  const { checkout_url } = await merchant.checkouts.create(checkout)
  const { pathname, search } = new URL(checkout_url)
  // The page is at the address of the API, which may differ from the public one.
  const page = new URL(pathname + search, baseUrl)
  await payCheckout({ checkout_url: page.href }, await stage.bezant.cards.reveal(card.id))
  const order = await merchant.orders.get(reference)
  stage.say(
    `a checkout is paid, ${order.total} ${order.currency}: order ${order.status}`,
    reference,
  )
  return order
}

async function captured(stage: Stage): Promise<Order> {
  const order = await paid(stage)
  const { status } = await stage.shop().merchant.orders.capture(order.reference)
  stage.say(`its capture is ${status}`, order.reference)
  return order
}

/** The operator records that the network took a part of a captured order back. */
async function disputed(stage: Stage): Promise<string> {
  const { operator, tenant } = stage.operator()
  const { reference } = await captured(stage)
  const { data } = await operator.operator.listMerchants({ tenant_id: tenant })
  for (const { id: merchant_id } of data) {
    const body = { merchant_id, reference, amount: 5, reason: 'NOT_RECEIVED' }
    const made = await operator.operator.recordChargeback(body).catch(() => undefined)
    if (made) {
      stage.say(`a dispute of the order is ${made.status}`, made.dispute_id)
      return made.dispute_id
    }
  }
  throw new Fault(`order ${reference} is of no merchant of the tenant`)
}

/** The clock is moved to some time before or behind the end of the capture window. */
async function toItsEnd(stage: Stage, kind: string, before_ms: number): Promise<void> {
  const { capture_expiration } = await paid(stage)
  const { now } = await stage.bezant.simulation.getClock()
  const ms = Date.parse(capture_expiration) - Date.parse(now) - before_ms
  const minutes = Math.max(1, Math.ceil(ms / MINUTE_MS) + 1)
  await stage.until(kind, () => stage.advance(`PT${minutes}M`))
}

/** A captured amount is paid out two days later. */
async function payout(stage: Stage): Promise<string> {
  const { operator } = stage.operator()
  await captured(stage)
  await stage.until('PAYOUT_CREATED', () => stage.advance('P2D'))
  const { data } = await operator.operator.listPayouts({ status: 'PENDING' })
  const newest = data[0]?.id ?? ''
  stage.say('a payout is made', newest)
  return newest
}

const of = (name: string, about: string, run: Kind['run']): Kind => ({
  name,
  about,
  run,
  takes: 'card',
})

export const orderKinds: readonly Kind[] = [
  of('chargeback.opened', 'the network takes money of an order back', async (stage) => {
    await disputed(stage)
  }),
  of('chargeback.contested', 'the shop contests that', async (stage) => {
    const evidence = { receipt: 'A receipt by bezant trigger' }
    const { merchant } = stage.shop()
    const { status } = await merchant.disputes.answerChargeback(await disputed(stage), evidence)
    stage.say(`the dispute is ${status}`)
  }),
  of('order.authorized', 'a checkout is paid', async (stage) => {
    await stage.until('ORDER_AUTHORIZED', () => paid(stage))
  }),
  of('order.captured', 'an order is captured', async (stage) => {
    await stage.until('ORDER_CAPTURED', () => captured(stage))
  }),
  of('order.refunded', 'an order is refunded', async (stage) => {
    const { reference, currency, total } = await captured(stage)
    await stage.until('ORDER_REFUNDED', () =>
      stage.shop().merchant.orders.refund(reference, { total, currency }),
    )
  }),
  of('order.capture_expiring', 'an order has a day left; moves the clock', (stage) =>
    toItsEnd(stage, 'ORDER_CAPTURE_EXPIRING', DAY_MS),
  ),
  of('order.expired', 'an order is never captured; moves the clock', (stage) =>
    toItsEnd(stage, 'ORDER_EXPIRED', 0),
  ),
  of('payout.created', 'captures are paid out; moves the clock', async (stage) => {
    await payout(stage)
  }),
  of('payout.paid', 'a payout is paid; moves the clock', async (stage) => {
    const id = await payout(stage)
    const { operator } = stage.operator().operator
    await stage.until('PAYOUT_PAID', () => operator.markPayoutPaid(id, { reference: 'TRIGGER' }))
  }),
  of('payout.failed', 'a payout fails; moves the clock', async (stage) => {
    const id = await payout(stage)
    const { operator } = stage.operator().operator
    const reference = 'the account is closed'
    await stage.until('PAYOUT_FAILED', () => operator.markPayoutFailed(id, { reference }))
  }),
]
