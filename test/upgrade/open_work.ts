/** Work of each job that a release leaves undone, and where it is seen once a job has done it. */

import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { asker, type Belongings, capture, freshBin } from '#test/support/contract/belongings.ts'
import { browserOf, listenWith, newCheckout, sendPayment } from '#test/support/network/purchases.ts'
import type { World } from '#test/support/world.ts'

/**
 * Ids of rows of the tenant `$1` whose job has not run. The fixture has some of each, and none of
 * these is left once the jobs have.
 */
export const OPEN_WORK: Readonly<Record<string, string>> = {
  'audit records to be chained': 'select record_id as id from audit_pending where tenant_id = $1',
  'events without a number':
    'select id from events where tenant_id = $1 and place is not null and number is null',
  'deliveries of webhooks': 'select id from deliveries where tenant_id = $1 and due is not null',
  'messages of the acquirer':
    'select id from acquirer_messages where tenant_id = $1 and due is not null',
  'cards to be embossed': 'select id from cards where tenant_id = $1 and emboss_due is not null',
  'holds to expire':
    'select id from transactions where tenant_id = $1 and hold_expires is not null',
  'open checkouts': 'select id from checkouts where tenant_id = $1 and due is not null',
  'orders before their deadline': 'select id from orders where tenant_id = $1 and due is not null',
  'captures to be paid out':
    'select id from order_operations where tenant_id = $1 and payable is not null',
  'bulk issuances': 'select id from bulk_issuances where tenant_id = $1 and due is not null',
  'charges without funds': 'select id from charges where tenant_id = $1 and due is not null',
  backtests: `select id from backtests where tenant_id = $1 and status = 'RUNNING'`,
  'tokens of widgets': `select encode(digest, 'hex') as id from widget_tokens where tenant_id = $1`,
}

/** A tenant that has one of everything gets more that waits. `port` is the issuer's, and is closed. */
export async function leaveOpen(
  world: World,
  made: Belongings,
  port: { close: () => Promise<void> },
): Promise<void> {
  const { ids, tenant, merchant } = made
  const ask = asker(world, tenant.api_key)
  // It waits for the operator and for no job, and doctor reports it.
  const stuck = `/v1/operator/payments/${ids.stuck_payment}:end`
  const ending = { outcome: 'DECLINED', note: 'Telephone with the issuer' }
  await asker(world, world.operator_key)('POST', stuck, ending)
  await capture(world, merchant, String(ids.order))
  const bulk = { number_of_cards: 3, name_on_card: 'GIFT CARD', status: 'SUBMITTED' }
  await ask('POST', '/v1/bulkissuances', { card_product_id: ids.card_product, ...bulk })
  await issueForACharge(world, made)
  const widget = { widget: 'CARD_DETAILS', origin: 'https://app.example.com' }
  await ask('POST', `/v1/cards/${ids.card}:widgettoken`, widget)
  const options = { key: null, headers: { authorization: `Bearer ${merchant.token}` } }
  const open = () => world.request('POST', '/api/v1.0/checkouts', newCheckout(), options)
  await open()
  await port.close()
  await payUnanswered(world, made, (await open()).body.checkout_url)
}

/** The card has no funds for its first charge, and another charge comes with each month. */
async function issueForACharge(world: World, { tenant }: Belongings): Promise<void> {
  const ask = asker(world, tenant.api_key)
  const user = await ask('POST', '/v1/users', { first_name: 'Sara', last_name: 'Nasser' })
  const product = await ask('POST', '/v1/cardproducts', {
    name: 'Monthly',
    currency: 'AED',
    bin: freshBin(),
    charges: ['ISSUING', 'MONTHLY'].map((type) => ({ type, amount: 5 })),
  })
  const wanted = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  await ask('POST', '/v1/cards', wanted)
}

/** The issuer never answers the payment, whose outcome is unknown: it is to be reversed. */
async function payUnanswered(world: World, made: Belongings, url: string): Promise<void> {
  const ended = Promise.withResolvers<never>()
  ended.promise.catch(() => {})
  const silent = await listenWith(world, {
    submit: () => ended.promise,
    tenantOfPan: createTenantFinder(world.services),
  })
  const card = await asker(world, made.tenant.api_key)('GET', `/v1/cards/${made.ids.card}:reveal`)
  await sendPayment(browserOf(world), url, card)
  ended.reject(new Error('this issuer answers nothing'))
  await silent.close()
}

/** Those of the rows `$2` of `OPEN_WORK` that have not come to the end that their job brings. */
export const NOT_ENDED: Readonly<Record<string, string>> = {
  'deliveries of webhooks': unless('deliveries', `status = 'DELIVERED'`),
  'messages of the acquirer': unless('acquirer_messages', `status = 'APPROVED'`),
  'holds to expire': unless('transactions', `status in ('EXPIRED', 'VOIDED')`),
  'open checkouts': unless('checkouts', `status = 'EXPIRED'`),
  'orders before their deadline': unless('orders', 'released'),
  'bulk issuances': unless('bulk_issuances', `status = 'COMPLETED'`),
  backtests: unless('backtests', `status = 'COMPLETED'`),
}

function unless(table: string, end: string): string {
  return `select id, status from ${table}
    where tenant_id = $1 and id = any ($2::uuid[]) and not (${end})`
}
