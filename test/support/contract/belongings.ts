/** A tenant with one of everything, made by way of the API, so that tests have ids to ask with. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { api as issuing } from '#client/generated/issuing/api.ts'
import { createExporting, importSuspended } from '../clearing/suspended.ts'
import { form, pdf } from '../files.ts'
import { PROTECTION_KEY } from '../network/key_blocks.ts'
import { NETWORK } from '../network/networks.ts'
import { payOut } from '../network/payouts.ts'
import { preparePins } from '../network/pins.ts'
import { buy, buyAndKeep } from '../network/purchases.ts'
import { importFile } from '../network/settlements.ts'
import { makeStuckPayment } from '../network/stuck.ts'
import { type Access, createAccess, createInvitation } from '../portal/belongings.ts'
import { type BelongingMember, createBelongingMember, memberWith } from '../portal/browser.ts'
import { insertQuestion } from '../questions.ts'
import { until } from '../services/receiver.ts'
import type { TestTenant, World } from '../world.ts'
import { createKnownChallenge } from './challenges.ts'
import { createChargeback, createDisputes, uploadShopEvidence } from './disputes.ts'

/** One of everything that has an id. */
export type Ids = {
  tenant: string
  api_key: string
  /** A key that nobody uses, and a session of the member that no request comes with. */
  unused_key: string
  other_session: string
  /** An invitation that is open, and another member. */
  invitation: string
  colleague: string
  /** The only owner of a team of its own. */
  sole_owner: string
  /** A passkey of the member whom a second factor guards. */
  passkey: string
  user: string
  /** Users that wait: two for KYC, of which one has a request, one for IDV, one for review. */
  applicant: string
  hopeful: string
  unverified: string
  business: string
  kyc: string
  /** An entry of a watchlist that may be a user. */
  match: string
  identification: string
  file: string
  card_product: string
  country_list: string
  mcc_list: string
  merchant_list: string
  balance_limit: string
  velocity_limit: string
  backtest: string
  /** A DRAFT. */
  bulk_issuance: string
  card: string
  /** Physical cards: to be made, ordered, on their way. */
  plastic: string
  ordered_plastic: string
  shipped_plastic: string
  /** The batch of the ordered one. */
  card_order: string
  stop_order: string
  token: string
  /** A card of the user without an account. */
  unlinked_card: string
  account: string
  charge: string
  other_account: string
  transaction: string
  /** A transaction that is settled, and disputes of it: a DRAFT, a SUBMITTED and a REPRESENTED one. */
  settled: string
  dispute: string
  submitted_dispute: string
  represented_dispute: string
  /** The file of the DRAFT. */
  dispute_file: string
  /** A card whose product has one-time codes, and a challenge of it that waits. */
  challenged_card: string
  challenge: string
  /** A question to the responder that waits for an answer. */
  question: string
  event: string
  webhook: string
  /** A receiver for trying webhooks. */
  receiver: string
  delivery: string
  merchant: string
  merchant_key: string
  /** A clearing file with a record in suspense. */
  clearing: string
  /** A tenant with an outgoing clearing file, and a message for the next one. */
  exporting: string
  clearing_export: string
  /** A settlement file that was imported; it belongs to no tenant. */
  settlement: string
  /** An endpoint of the merchant, with a delivery to it. */
  endpoint: string
  endpoint_delivery: string
  /** References of orders: one to capture, one captured. Only if orders are requested. */
  order?: string
  captured_order?: string
  /** A chargeback of that one, which the merchant has not answered. */
  chargeback?: string
  /** A file of its evidence. */
  chargeback_file?: string
  /** A payout of the merchant; only if orders are requested. */
  payout?: string
  stuck_payment?: string
  kept_card?: string
}

export type Merchant = { public_key: string; private_key: string; token: string }
export type Belongings = {
  tenant: TestTenant
  ids: Ids
  bin: string
  merchant: Merchant
  /** The number of the card, whose product has the PIN keys of pins.ts. */
  card_number: string
  /** Card number, expiry date and CVV2 of another card than that of `ids`. */
  provisionable: object
  /** An owner, whose `challenge` waits for `code`. */
  member: BelongingMember
  /** Links, codes and passkeys that wait to be used. */
  access: Access
  /** The session of one of the operator's team who only reviews. */
  reviewer_cookie: string
}

let bins = 700_000
/** A BIN that this process has not used. */
export const freshBin = () => String(bins++)

/**
 * Makes a tenant with one of everything: an active user, a card with 1,000.00 AED, an authorization
 * of 10.00 AED, a subscription that was pinged, a merchant. Orders need the issuer's port open.
 */
export async function createBelongings(world: World, { orders = false } = {}): Promise<Belongings> {
  world.setNetworks([NETWORK])
  const tenant = await world.otherTenant({ pci_compliant: true })
  const ask = asker(world, tenant.api_key)
  const operate = asker(world, world.operator_key)
  const operated = `/v1/operator/tenants/${tenant.id}`
  const bin = freshBin()

  const [key, , user, product, webhook, sold] = await Promise.all([
    operate('POST', `${operated}/keys`, { permissions: ['read'] }),
    operate('POST', `${operated}/funding`, { currency: 'AED', amount: 5000 }),
    ask('POST', '/v1/users', { first_name: 'Aisha', last_name: 'Khan' }),
    ask('POST', '/v1/cardproducts', { ...newProduct, bin }),
    ask('POST', '/v1/webhooks', newWebhook),
    createMerchant(world, tenant.id),
  ])
  const protection = `${operated}/cardproducts/${product.id}/keyblockprotectionkey`
  await operate('PUT', protection, { components: [PROTECTION_KEY] })
  const card_body = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  const card = await ask('POST', '/v1/cards', card_body)
  const other = await ask('POST', '/v1/cards', card_body)
  const unlinked = await createUnlinkedCard(world, tenant, user.id)
  const load = `/v1/accounts/${card.account_id}:loadfunds`
  await ask('POST', load, { currency: 'AED', amount: 1000 })
  const purchase = { card_id: card.id, amount: 10, currency: 'AED' }
  const transaction = await ask('POST', '/v1/simulate/authorizations', purchase)
  assert.equal(transaction.status_code, '0000')
  const delivery = await ask('POST', `/v1/webhooks/${webhook.id}:ping`)
  const receiver = await ask('POST', '/v1/simulate/webhookreceivers', {})
  const wallet = { ...(await cardData(ask, card.id)), wallet: 'OTHER' }
  const token = await ask('POST', '/v1/cards:provision', wallet)
  const charges = `/v1/accounts/${card.account_id}:charge`
  const charge = await ask('POST', charges, { currency: 'AED', amount: 1, description: 'Letter' })
  const stops = `/v1/cards/${card.id}/stoporders`
  const stop_order = await ask('POST', stops, { merchant_id: 'STOPPED1' })
  const draft = { card_product_id: product.id, number_of_cards: 2, status: 'DRAFT' }
  const bulk = await ask('POST', '/v1/bulkissuances', draft)
  const { other_session, ...member } = await createBelongingMember(world, tenant.id)
  const reviewer = await memberWith(world, 'operator_compliance', null)
  const unused = await operate('POST', `${operated}/keys`, { permissions: ['read'] })
  const access = await createAccess(world, member, tenant.id)
  return {
    tenant,
    bin,
    member,
    access,
    reviewer_cookie: reviewer.browser.cookie,
    merchant: sold.merchant,
    card_number: await preparePins(world, card.id, tenant.api_key),
    provisionable: await cardData(ask, other.id),
    ids: {
      tenant: tenant.id,
      api_key: key.id,
      unused_key: unused.id,
      other_session,
      invitation: (await createInvitation(world, member.cookie)).id,
      passkey: access.passkey,
      colleague: (await memberWith(world, 'viewer', tenant.id)).id,
      sole_owner: (await memberWith(world, 'owner', (await world.otherTenant()).id)).id,
      user: user.id,
      ...(await createWaiting(world, tenant)),
      ...(await createDocuments(world, tenant, user.id)),
      card_product: product.id,
      ...(await createLists(ask)),
      ...(await createLimits(ask, card.account_id)),
      backtest: await createBacktest(ask),
      stop_order: stop_order.id,
      bulk_issuance: bulk.id,
      card: card.id,
      ...(await createPhysicalCards(world, tenant, { ...card_body, account_id: other.account_id })),
      token: token.id,
      unlinked_card: unlinked,
      account: card.account_id,
      charge: charge.id,
      other_account: other.account_id,
      transaction: transaction.id,
      ...(await createDisputes(world, tenant.api_key, card.id)),
      ...(await createChallenge(world, tenant, user.id)),
      question: await insertQuestion(world, tenant, transaction),
      event: delivery.event_id,
      webhook: webhook.id,
      receiver: receiver.id,
      delivery: delivery.id,
      settlement: await importFile(world.db),
      clearing: await importSuspended(world, tenant.id),
      ...(await createExporting(world)),
      ...sold.ids,
      ...(await createEndpoint(world, sold.merchant)),
      ...(orders && (await createOrders(world, tenant, card.id, sold.merchant, sold.ids.merchant))),
    },
  }
}

/** Lists that no card or product names. */
async function createLists(ask: ReturnType<typeof asker>) {
  const make = async (path: string, entries: object) =>
    String((await ask('POST', `/v1/${path}`, { name: 'Unused', ...entries })).id)
  const merchants = [{ merchant_id: 'SHOP1', allow: false }]
  return {
    country_list: await make('allowedcountries', { country_codes: ['ARE'] }),
    mcc_list: await make('allowedmccs', { mccs: ['5411'] }),
    merchant_list: await make('allowedmerchants', { merchants }),
  }
}

/** Limits that no sample reaches; the velocity limit is linked to the account. */
async function createLimits(ask: ReturnType<typeof asker>, account_id: string) {
  const most = { currency: 'AED', max_amount: 100_000 }
  const balance = await ask('POST', '/v1/balancelimits', { ...most, type: 'PER_ACCOUNT' })
  const velocity = await ask('POST', '/v1/velocitylimits', { ...most, type: 'PER_TRANSACTION' })
  const links = `/v1/accounts/${account_id}/velocitylimits`
  await ask('POST', `${links}:link`, { ids: [velocity.id] })
  return { balance_limit: String(balance.id), velocity_limit: String(velocity.id) }
}

/** A backtest of a period without decisions. */
async function createBacktest(ask: ReturnType<typeof asker>): Promise<string> {
  const period = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' }
  const proposal = { allowed_mccs: { allow: false, mccs: ['7995'] } }
  const { id } = await ask('POST', '/v1/controls:backtest', { ...period, ...proposal })
  return String(id)
}

/** The body that puts a card into a wallet. */
export async function cardData(ask: ReturnType<typeof asker>, id: string): Promise<object> {
  const { card_number, expiry_date, cvv2 } = await ask('GET', `/v1/cards/${id}:reveal`)
  return { card_number, expiry_date, cvv2 }
}

/** Afterwards the tenant's settings are as before. */
export async function createWaiting(world: World, { id, api_key }: TestTenant) {
  const ask = asker(world, api_key)
  const demand = (settings: object) => ask('PUT', '/v1/tenantsettings', settings)
  await demand({ require_kyc: true })
  const applicant = await ask('POST', '/v1/users', { first_name: 'Noor', last_name: 'Saleh' })
  const hopeful = await ask('POST', '/v1/users', { first_name: 'Rami', last_name: 'Saleh' })
  const policy = { kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' }
  const kyc = await ask('POST', `/v1/users/${applicant.id}/kyc`, policy)
  const match = await createMatch(world, id, { ask, policy })
  await demand({ require_document_verification: true })
  const unverified = await ask('POST', '/v1/users', { first_name: 'Dana', last_name: 'Saleh' })
  await demand({ require_kyc: null, require_document_verification: null })
  const names = { business_legal_name: 'Palm LLC', business_dba_name: 'Palm' }
  const business = await ask('POST', '/v1/users', { user_type: 'BUSINESS', ...names })
  return {
    applicant: String(applicant.id),
    hopeful: String(hopeful.id),
    unverified: String(unverified.id),
    business: String(business.id),
    kyc: String(kyc.id),
    match,
  }
}

type Asking = { ask: ReturnType<typeof asker>; policy: object }

/** An entry of a list that the sandbox finds of a user. */
async function createMatch(world: World, tenant_id: string, { ask, policy }: Asking) {
  const listed = await ask('POST', '/v1/users', { first_name: 'Mira', last_name: 'match' })
  await ask('POST', `/v1/users/${listed.id}/kyc`, policy)
  const sweep = world.sweeps.find(({ name }) => name === 'kyc provider')
  const path = `/v1/operator/matches?user_id=${listed.id}`
  // A sweep of a world whose sweeps run may have the check in hand.
  const match = await until('the match of a list', async () => {
    await sweep?.run(await world.ctx(tenant_id))
    const { data } = await asker(world, world.operator_key)('GET', path)
    return data[0]
  })
  return String(match.id)
}

async function createDocuments(world: World, tenant: TestTenant, user_id: string) {
  const documents = `/v1/users/${user_id}/identifications`
  const { id } = await asker(world, tenant.api_key)('POST', documents, { type: 'ADDITIONAL' })
  return { identification: String(id), file: await uploadFile(world, tenant, user_id, id) }
}

export async function uploadFile(
  world: World,
  { api_key: key }: TestTenant,
  user_id: string,
  document_id: string,
): Promise<string> {
  const files = `/v1/users/${user_id}/identifications/${document_id}/files`
  const { payload, headers } = form({ name: 'file', value: pdf(), file_name: 'a.pdf' })
  const { body, text } = await world.request('PUT', files, payload, { key, headers })
  // An upload is answered before its last statement is sent; this is sent after that.
  const read = await world.request('GET', `${files}/${body.id}`, undefined, { key })
  assert.equal(read.status, 200, text)
  return String(body.id)
}

/** The cards share an account, so that there is only one. */
async function createPhysicalCards(world: World, { api_key }: TestTenant, card_body: object) {
  const ask = asker(world, api_key)
  const ordered = await createPhysicalCard(ask, card_body, 'ORDERED')
  const { card_order_id } = await ask('GET', `/v1/cards/${ordered}`)
  return {
    card_order: String(card_order_id),
    plastic: await createPhysicalCard(ask, card_body, 'TO_BE_MADE'),
    ordered_plastic: ordered,
    shipped_plastic: await createPhysicalCard(ask, card_body, 'ON_ITS_WAY'),
  }
}

export async function createPhysicalCard(
  ask: ReturnType<typeof asker>,
  card_body: object,
  stage: 'TO_BE_MADE' | 'ORDERED' | 'ON_ITS_WAY',
): Promise<string> {
  const { id } = await ask('POST', '/v1/cards', { ...card_body, card_type: 'PHYSICAL' })
  if (stage !== 'TO_BE_MADE') await ask('POST', `/v1/simulate/cards/${id}:emboss`)
  const shipment = { delivery_partner: 'Falcon', tracking_number: 'F-1' }
  if (stage === 'ON_ITS_WAY') await ask('POST', `/v1/simulate/cards/${id}:ship`, shipment)
  return String(id)
}

export async function createUnlinkedCard(world: World, { api_key }: TestTenant, user_id: string) {
  const ask = asker(world, api_key)
  const settings = { ...newProduct, bin: freshBin(), link_account_to_card: false }
  const { id: card_product_id } = await ask('POST', '/v1/cardproducts', settings)
  const { id } = await ask('POST', '/v1/cards', { user_id, card_product_id, card_type: 'VIRTUAL' })
  return String(id)
}

/** A card that takes part in 3-D Secure, with a challenge. */
export async function createChallenge(world: World, tenant: TestTenant, user_id: string) {
  const ask = asker(world, tenant.api_key)
  const settings = { ...newProduct, bin: freshBin(), otp_3ds: true }
  const { id: card_product_id } = await ask('POST', '/v1/cardproducts', settings)
  const { id } = await ask('POST', '/v1/cards', { user_id, card_product_id, card_type: 'VIRTUAL' })
  const challenged_card = String(id)
  return { challenged_card, challenge: await createKnownChallenge(world, tenant, challenged_card) }
}

export const newProduct = {
  name: 'Travel',
  currency: 'AED',
  initial_status_of_virtual_card: 'ACTIVE',
}
export const newWebhook = { endpoint: 'http://127.0.0.1:9/unused', events: ['TRANSACTION'] }

export async function createMerchant(world: World, tenant_id: string, settings: object = {}) {
  const operate = asker(world, world.operator_key)
  const fields = { tenant_id, name: 'Books', kept_cards: true, ...settings }
  const { id } = await operate('POST', '/v1/operator/merchants', fields)
  const made = await operate('POST', `/v1/operator/merchants/${id}/keys`)
  const { public_key, private_key } = made
  const path = '/api/v1.0/merchant/authentication'
  const { body } = await world.request('POST', path, { public_key, private_key }, { key: null })
  const merchant = { public_key, private_key, token: String(body.token) }
  return { merchant, ids: { merchant: String(id), merchant_key: String(made.id) } }
}

async function createOrders(
  world: World,
  tenant: TestTenant,
  card_id: string,
  by: Merchant,
  merchant_id: string,
) {
  const card = await asker(world, tenant.api_key)('GET', `/v1/cards/${card_id}:reveal`)
  const [order, captured_order] = [
    await buy(world, by.token, card),
    await buy(world, by.token, card),
  ]
  await capture(world, by, captured_order)
  const kept_card = await buyAndKeep(world, by.token, card)
  const stuck_payment = await makeStuckPayment(world, by.token)
  const payout = await payOut(world, tenant.id)
  const chargeback = await createChargeback(world, merchant_id, captured_order)
  const chargeback_file = await uploadShopEvidence(world, by, chargeback)
  const of_chargeback = { chargeback, chargeback_file }
  return { order, captured_order, kept_card, stuck_payment, payout, ...of_chargeback }
}

/** The kind is one of which no test has an event. */
const newEndpoint = { url: 'http://127.0.0.1:9/unused', events: ['PAYOUT_FAILED'] }

export async function createEndpoint(world: World, { token }: Merchant) {
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  const path = '/api/v1.0/webhooks'
  const { body, text } = await world.request('POST', path, newEndpoint, options)
  const endpoint = String(body.webhook_id)
  const ping = await world.request('POST', `${path}/${endpoint}:ping`, undefined, options)
  assert.equal(ping.status, 200, text)
  return { endpoint, endpoint_delivery: String(ping.body.delivery_id) }
}

export async function capture(world: World, { token }: Merchant, order: string): Promise<void> {
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  const path = `/api/v1.0/orders/${order}/capture`
  const captured = await world.request('POST', path, {}, options)
  assert.equal(captured.body.status, 'SUCCESS', captured.text)
}

/**
 * Asks with a key; fails unless the answer is a success. A machine that is too busy to reach the
 * database answers 503: the same is asked once more, and takes effect once.
 */
export function asker({ request }: World, key: string) {
  return async (method: string, path: string, body?: object) => {
    const headers = method === 'POST' ? { [issuing.idempotencyHeader]: randomUUID() } : {}
    const ask = () => request(method, path, body, { key, headers })
    const first = await ask()
    const answer = first.status === 503 ? await ask() : first
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
}
