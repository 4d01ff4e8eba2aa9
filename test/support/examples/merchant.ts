/** Merchants of the operator, and their orders from checkout to refund. */

import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'
import { form, pdf } from '#test/support/files.ts'
import { payOut as payOutCaptured } from '#test/support/network/payouts.ts'
import { browserOf, buy, pay } from '#test/support/network/purchases.ts'
import { FIRST_DAY, importFile } from '#test/support/network/settlements.ts'
import { makeStuckPayment } from '#test/support/network/stuck.ts'
import type { Cards } from './cards.ts'
import { addEndpoint, followDeliveries } from './endpoints.ts'
import type { Body, Story } from './story.ts'

/** Returns the id and the key pair of a merchant of the tenant. */
export async function openMerchant({ call }: Story, tenant_id: string): Promise<Body> {
  const fees = [{ currency: 'AED', percent: 2.5, fixed: 1, refund_fee: 0.5, chargeback_fee: 15 }]
  const shop = {
    tenant_id,
    name: 'Palm Books',
    descriptor: 'PALM BOOKS DUBAI',
    mcc: '5942',
    city: 'Dubai',
    kept_cards: true,
    fees,
  }
  const merchant = await call('createMerchant', { body: shop })
  const params = { id: merchant.id }
  await call('listMerchants', { query: { tenant_id, limit: 1 } })
  await call('getMerchant', { params })
  const brand = { display_name: 'Palm Books Dubai', brand_color: '#0b6e4f' }
  await call('updateMerchant', { params, body: brand })
  const pair = await call('createMerchantKey', { params })
  await call('listMerchantKeys', { params, query: { limit: 1 } })
  const key = { ...params, key_id: pair.id }
  return {
    id: merchant.id,
    pair,
    tenant_id,
    revoke: () => call('revokeMerchantKey', { params: key }),
  }
}

const lines = [{ sku: 'BOOK-1', title: 'A history of Dubai', quantity: 1, price: '89.00' }]
const checkout = {
  reference: 'ORDER-1001',
  total: '89.00',
  currency: 'AED',
  confirm_callback_url: 'https://shop.example/thanks',
  reject_callback_url: 'https://shop.example/failed',
  order: { customer: { first_name: 'Layla', last_name: 'Aziz', reference: 'C-204' }, lines },
}

/**
 * Two orders are paid: one is captured and refunded, one is left until its deadline. An endpoint of
 * the merchant gets their events.
 */
export async function sell(
  story: Story,
  merchant: Body,
  { card }: Cards,
  now: Date,
): Promise<void> {
  const { call, prepare, shop, world } = story
  const { public_key, private_key } = merchant.pair
  const { token } = await call('createMerchantToken', { body: { public_key, private_key } })
  shop(token)
  const endpoint = await addEndpoint(story)
  const payer = await prepare('revealCard', { params: { id: card.id } })
  const opened = await call('createCheckout', { body: checkout })
  await pay(browserOf(world), opened.checkout_url, payer, { keep_card: 'en-1' })
  const params = { reference: checkout.reference }
  await call('listOrders', { query: { limit: 1 } })
  await call('getOrder', { params })
  await call('captureOrder', { params, body: { total: '89.00' } })
  await call('refundOrder', { params, body: { total: '20.00', currency: 'AED' } })
  await call('totalOrders', { query: { refund: 'partial' } })
  await call('listCaptures', { query: { limit: 1 } })
  await call('listRefunds', { query: { reference: checkout.reference } })
  await disputeOrder(story, merchant.id)
  await call('getStatement')
  await payAgain(story)
  await buy(world, token, payer)
  await endStuck(story, await makeStuckPayment(world, token))
  await followDeliveries(story, endpoint, now)
}

/** The network takes a part of the captured order back, twice; one of them is contested. */
async function disputeOrder({ call, prepare }: Story, merchant_id: string): Promise<void> {
  const body = { merchant_id, reference: checkout.reference, amount: 9, reason: 'NOT_RECEIVED' }
  const { dispute_id: id } = await call('recordChargeback', {
    body: { ...body, reason_code: '13.1' },
  })
  await call('listChargebacks', { query: { status: 'NEEDS_RESPONSE' } })
  const evidence = {
    shipping_tracking: 'Falcon, F-204',
    proof_of_delivery: 'Signed on 12 November',
  }
  await sendFiles({ call }, id)
  await call('answerChargeback', { params: { id }, body: evidence })
  await call('recordChargebackStep', { params: { id }, body: { step: 'WIN' } })
  await call('getChargeback', { params: { id } })
  const other = await prepare('recordChargeback', { body })
  await call('acceptChargeback', { params: { id: other.dispute_id } })
}

/** Two files of evidence, of which one is taken away again. */
async function sendFiles({ call }: Pick<Story, 'call'>, id: string): Promise<void> {
  const upload = (file_name: string) => ({
    params: { id },
    form: { ...form({ name: 'file', value: pdf(), file_name }), shown: { file: file_name } },
  })
  const { id: file_id } = await call('uploadChargebackFiles', upload('delivery-note.pdf'))
  const params = { id, file_id }
  await call('listChargebackFiles', { params: { id }, query: { limit: 1 } })
  await call('getChargebackFile', { params })
  await call('downloadChargebackFile', { params })
  await call('deleteChargebackFile', { params })
}

/** The shop takes what was agreed on from the card that it keeps, and forgets the card. */
async function payAgain({ call }: Story): Promise<void> {
  const { data } = await call('listKeptCards', { query: { customer: 'C-204' } })
  const params = { id: data[0].id }
  await call('getKeptCard', { params })
  const sale = { reference: 'ORDER-1001-2', total: '15.00', currency: 'AED' }
  await call('payWithKeptCard', { params, body: { ...sale, description: 'Reading club, May' } })
  await call('deleteKeptCard', { params })
}

/** The operator ends a payment that would wait for ever. */
async function endStuck({ call }: Story, id: string): Promise<void> {
  await call('listStuckPayments', { query: { limit: 1 } })
  const body = { outcome: 'DECLINED', note: 'Telephone with the issuer, case 2001' }
  await call('endStuckPayment', { params: { id }, body })
}

/** The operator pays one payout, whose first transfer fails. The captures are of the day before. */
export async function payOut({ call, world }: Story, tenant_id: string): Promise<void> {
  const id = await payOutCaptured(world, tenant_id)
  await call('listPayouts', { query: { limit: 1 } })
  await call('getPayout', { params: { id } })
  await call('listPayoutsAsOperator', { query: { status: 'PENDING' } })
  const failed = { reference: 'The bank does not know the account.' }
  await call('markPayoutFailed', { params: { id }, body: failed })
  await call('markPayoutPaid', { params: { id }, body: { reference: 'TRANSFER-2001' } })
}

/**
 * The operator imports a clearing file, one record of which waits in suspense and is returned, and
 * writes the file that returns it.
 */
export async function clearFile({ call, world }: Story, tenant_id: string): Promise<void> {
  // Its own id and reference, so that it is the same whatever ran before in the process.
  const record = presentment('4000000000000002', 12_500n, {
    DE31: '70000000000000000000010',
  })
  const file = await clearingFile([record], { id: '0012611280000001234500001' })
  const parts = form(
    { name: 'tenant_id', value: tenant_id },
    { name: 'file', value: file, file_name: 'T112.bin' },
  )
  const shown = { tenant_id, file: '(binary)' }
  const { id } = await call('importClearing', { form: { ...parts, shown } })
  await world.sweeper.runDueJobs(tenant_id)
  await call('listClearings', { query: { limit: 1 } })
  await call('getClearing', { params: { id } })
  await call('listClearingRecords', { params: { id }, query: { state: 'SUSPENDED' } })
  const params = { id, number: '2' }
  await call('getClearingRecord', { params })
  const body = { action: 'RETURN', note: 'The network takes it back.' }
  await call('resolveClearingRecord', { params, body })
  const written = await call('exportClearing', { body: { tenant_id, institution: '12345678901' } })
  await call('listClearingExports', { query: { tenant_id, limit: 1 } })
  await call('downloadClearingExport', { params: { id: written.id }, query: { tenant_id } })
}

/** The books of the day on which the shop sold, and a settlement file. */
export async function reconcileDay(
  { call, world }: Story,
  tenant_id: string,
  now: Date,
): Promise<void> {
  const date = now.toISOString().slice(0, 10)
  await call('getReconciliation', { query: { date, tenant_id } })
  const params = { id: await importFile(world.db, FIRST_DAY) }
  await call('listSettlements', { query: { limit: 1 } })
  await call('getSettlement', { params })
}
