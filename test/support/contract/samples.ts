/**
 * One request that succeeds for every operation of both documents. The tests that are generated
 * from the documents start from these, and name the operations that have none.
 */

import { randomUUID } from 'node:crypto'
import { form, pdf } from '../files.ts'
import { NETWORK } from '../network/networks.ts'
import { anotherPin, format4 } from '../network/pins.ts'
import { newCheckout } from '../network/purchases.ts'
import type { World } from '../world.ts'
import { type Belongings, freshBin } from './belongings.ts'
import type { Operation } from './operations.ts'
import { bodyOf, none, of, type Sample, type SampleOf, type Samples } from './sample.ts'
import { ofChips } from './samples_of_chips.ts'
import { ofClearings } from './samples_of_clearings.ts'
import { ofControls } from './samples_of_controls.ts'
import { ofEndpoints } from './samples_of_endpoints.ts'
import { cookieFor, ofMembers } from './samples_of_members.ts'

const ofOrder =
  (kind: 'order' | 'captured_order', body?: Record<string, unknown>): SampleOf =>
  ({ ids }) => ({ params: { reference: ids[kind] ?? 'none' }, ...(body && { body }) })

const ofDocument =
  (sample: Sample = {}): SampleOf =>
  ({ ids }) => ({
    ...sample,
    params: { user_id: ids.user, identification_id: ids.identification },
  })
const ofFile: SampleOf = ({ ids }) => ({
  params: { user_id: ids.user, identification_id: ids.identification, file_id: ids.file },
})
const upload = ofDocument({ form: form({ name: 'file', value: pdf(), file_name: 'a.pdf' }) })
const DOCUMENTS = '/v1/users/{user_id}/identifications'
const DOCUMENT = `${DOCUMENTS}/{identification_id}`
const FILE = `${DOCUMENT}/files/{file_id}`

const money = { currency: 'AED', amount: 1 }

const samples: Samples = {
  ...ofMembers,
  ...ofControls,
  ...ofChips,
  ...ofClearings,
  ...ofEndpoints,
  'GET /v1/audit': none,
  'GET /v1/operator/audit': none,
  'GET /v1/tenantsettings': none,
  'GET /v1/tenantsettings/usage': none,
  'PUT /v1/tenantsettings': () => ({ body: { hold_days: 5 } }),
  'POST /v1/tenantsettings/responder:rotateSecret': none,
  'POST /v1/operator/tenants': () => ({ body: { id: randomUUID(), name: 'Another' } }),
  'GET /v1/operator/tenants': none,
  'GET /v1/operator/tenants/{id}': of('tenant'),
  'GET /v1/operator/tenants/{id}/settings': of('tenant'),
  'PUT /v1/operator/tenants/{id}/settings': of('tenant', { pci_compliant: true }),
  'GET /v1/operator/tenants/{id}/usage': of('tenant'),
  'POST /v1/operator/tenants/{id}/keys': of('tenant', { permissions: ['read'] }),
  'GET /v1/operator/tenants/{id}/keys': of('tenant'),
  'DELETE /v1/operator/tenants/{id}/keys/{key_id}': ({ ids }) => ({
    params: { id: ids.tenant, key_id: ids.api_key },
  }),
  'POST /v1/operator/tenants/{id}/funding': of('tenant', money),
  'GET /v1/operator/tenants/{id}/funding': of('tenant'),
  'GET /v1/operator/funding': none,
  'GET /v1/operator/rates': none,
  'GET /v1/health': none,
  'GET /v1/operator/processes': none,
  'GET /v1/operator/jobs': none,
  'GET /v1/operator/reconciliation': ({ ids }) => ({
    params: { date: '2026-11-25', tenant_id: ids.tenant ?? '' },
  }),
  'GET /v1/operator/networks': none,
  'POST /v1/operator/networks/{name}:exchangekeys': () => ({
    params: { name: NETWORK.name },
    body: { use: 'ZAK' },
  }),
  'GET /v1/operator/settlements': none,
  'GET /v1/operator/settlements/{id}': of('settlement'),
  'PUT /v1/operator/rates': bodyOf(({ ids }) => ({
    tenant_id: ids.tenant,
    rates: [{ from: 'USD', to: 'AED', rate: '3.6725' }],
  })),
  'GET /v1/operator/tenants/{id}/programaccounts': of('tenant'),

  'POST /v1/users': bodyOf(() => ({ id: randomUUID(), first_name: 'Omar', last_name: 'Aziz' })),
  'GET /v1/users': none,
  'POST /v1/users:search': () => ({ body: { name: 'Aisha' } }),
  'GET /v1/users/{id}': of('user'),
  'PUT /v1/users/{id}': of('user', { last_name: 'Aziz' }),
  'PUT /v1/users/{id}:changeStatus': of('user', {
    status: 'SUSPENDED',
    status_reason_code: 'S0',
    note: 'asked for it',
  }),
  'GET /v1/users/{id}/statuschanges': of('user'),
  'GET /v1/users/{id}:getLinkedRelationships': of('user'),
  'POST /v1/users/{id}:getLinkedRelationships': of('user'),

  [`POST ${DOCUMENTS}`]: ({ ids }) => ({
    params: { user_id: ids.user },
    body: { id: randomUUID(), type: 'PASSPORT', number: 'A1', issuance_date: '2020-01-01' },
  }),
  [`GET ${DOCUMENTS}`]: ({ ids }) => ({ params: { user_id: ids.user } }),
  [`GET ${DOCUMENT}`]: ofDocument(),
  [`PUT ${DOCUMENT}`]: ofDocument({ body: { number: 'B2' } }),
  [`PUT ${DOCUMENT}/files`]: upload,
  [`POST ${DOCUMENT}/files`]: upload,
  [`GET ${DOCUMENT}/files`]: ofDocument(),
  [`GET ${FILE}`]: ofFile,
  [`GET ${FILE}:browse`]: ofFile,
  [`GET ${FILE}:download`]: ofFile,
  [`DELETE ${FILE}`]: ofFile,

  'POST /v1/users/{id}/kyc': of('hopeful', { kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' }),
  'GET /v1/users/kyc/{id}': of('kyc'),
  'POST /v1/users/kyc:search': () => ({ body: { limit: 10 } }),
  'GET /v1/operator/reviews': none,
  'POST /v1/operator/users/{id}:approve': of('business', { note: 'documents checked' }),
  'POST /v1/operator/users/{id}:reject': of('business', { reason: 'documents are missing' }),
  'POST /v1/operator/identifications/{id}:verify': of('identification', { reason: 'seen' }),
  'POST /v1/operator/identifications/{id}:reject': of('identification', { reason: 'blurred' }),
  'POST /v1/operator/kyc/{id}:approve': of('kyc', { note: 'clear' }),
  'POST /v1/operator/kyc/{id}:reject': of('kyc', { reason: 'listed' }),
  'GET /v1/operator/matches': ({ ids }) => ({ params: { tenant_id: ids.tenant } }),
  'POST /v1/operator/matches/{id}:dismiss': of('match', { reason: 'born later' }),
  'POST /v1/operator/matches/{id}:confirm': of('match', { reason: 'the same person' }),
  'POST /v1/simulate/idv/{user_id}': ({ ids }) => ({
    params: { user_id: ids.unverified },
    body: { result: 'CLEAR' },
  }),
  'POST /v1/simulate/kyc/{id}': of('kyc', { result: 'OK' }),

  'POST /v1/cardproducts': bodyOf(() => ({
    id: randomUUID(),
    name: 'Gold',
    currency: 'AED',
    bin: freshBin(),
  })),
  'GET /v1/cardproducts': none,
  'GET /v1/cardproducts/{id}': of('card_product'),
  'PUT /v1/cardproducts/{id}': of('card_product', { name: 'Silver' }),
  'PUT /v1/simulate/cardproducts/{id}/keys': of('card_product', { pvki: '2' }),

  'POST /v1/cards': bodyOf(({ ids }) => ({
    id: randomUUID(),
    user_id: ids.user,
    card_product_id: ids.card_product,
    account_id: ids.account,
    card_type: 'VIRTUAL',
  })),
  'GET /v1/cards': none,
  'GET /v1/cards/{id}': of('card'),
  'PUT /v1/cards/{id}': of('card', { name_on_card: 'A KHAN' }),
  'GET /v1/cards/{id}/authsettings': of('card'),
  'PUT /v1/cards/{id}/authsettings': of('card', { atm: false }),
  'PUT /v1/cards/{id}:statuschange': of('card', { status: 'SUSPENDED', status_reason_code: 'S0' }),
  'POST /v1/cards/{id}:link': ({ ids }) => ({
    params: { id: ids.unlinked_card },
    body: { user_id: ids.user },
  }),
  'GET /v1/cards/{id}:reveal': of('card'),
  'PUT /v1/operator/cards/{id}:statuschange': of('card', {
    status: 'SUSPENDED',
    status_reason_code: 'S1',
  }),
  'PUT /v1/operator/cards/{id}/fulfillment': of('plastic', { fulfillment_status: 'ORDERED' }),
  'POST /v1/simulate/cards/{id}:emboss': of('plastic'),
  'POST /v1/simulate/cards/{id}:ship': of('ordered_plastic', { delivery_partner: 'Falcon' }),
  'POST /v1/simulate/cards/{id}:deliver': of('shipped_plastic'),
  'POST /v1/simulate/cards/{id}:failDelivery': of('ordered_plastic'),
  'PUT /v1/cards/{id}:changepin': ({ ids, card_number }) => ({
    params: { id: ids.card },
    body: { enc_pin: format4(anotherPin(), card_number) },
  }),
  'POST /v1/cards/{id}:widgettoken': of('card', {
    widget: 'CARD_DETAILS',
    origin: 'https://shop.example',
  }),

  'POST /v1/cards:provision': bodyOf(({ provisionable }) => ({
    ...provisionable,
    wallet: 'APPLE',
    device_name: 'Phone',
  })),

  'GET /v1/cards/{id}/tokens': of('card'),
  'GET /v1/tokens/{id}': of('token'),
  'PUT /v1/tokens/{id}': of('token', { status: 'SUSPENDED' }),
  'GET /v1/tokens/{id}:reveal': of('token'),

  'POST /v1/bulkissuances': bodyOf(({ ids }) => ({
    id: randomUUID(),
    card_product_id: ids.card_product,
    number_of_cards: 2,
    amount: 1,
  })),
  'GET /v1/cardorders': none,
  'GET /v1/cardorders/{id}': of('card_order'),
  'POST /v1/operator/cardorders:send': bodyOf(({ ids }) => ({ tenant_id: ids.tenant })),
  'GET /v1/operator/bureauanswers': none,

  'GET /v1/bulkissuances': none,
  'GET /v1/bulkissuances/{id}': of('bulk_issuance'),
  'PUT /v1/bulkissuances/{id}': of('bulk_issuance', { name_on_card: 'GIFT CARD' }),

  'GET /v1/accounts': none,
  'GET /v1/funding': none,
  'GET /v1/accounts/{id}': of('account'),
  'GET /v1/accounts/{id}/transactions': of('account'),
  'GET /v1/cards/{id}/accounts': of('card'),
  'PUT /v1/accounts/{id}:statuschange': of('account', { status: 'SUSPENDED' }),
  'POST /v1/accounts/{id}:loadfunds': of('account', money),
  'POST /v1/accounts/{id}:unloadfunds': of('account', money),
  'POST /v1/transfers': bodyOf(({ ids }) => ({
    sender_account_id: ids.account,
    recipient_account_id: ids.other_account,
    ...money,
  })),

  'GET /v1/transactions': none,
  'GET /v1/transactions/{id}': of('transaction'),
  'GET /v1/transactions/{id}/entries': of('transaction'),
  'GET /v1/transactions/{id}/trace': of('transaction'),
  'GET /v1/transactions/{id}/messages': of('transaction'),
  'GET /v1/statistics/authorizations': none,
  'GET /v1/search': ({ ids }) => ({ params: { q: ids.transaction } }),

  'POST /v1/webhooks': bodyOf(() => ({
    endpoint: 'http://127.0.0.1:9/unused',
    events: ['CARD_STATUS_CHANGE'],
  })),
  'GET /v1/webhooks': none,
  'GET /v1/webhooks/{id}': of('webhook'),
  'PUT /v1/webhooks/{id}': of('webhook', { events: ['USER_CREATED'] }),
  'DELETE /v1/webhooks/{id}': of('webhook'),
  'POST /v1/webhooks/{id}:rotateSecret': of('webhook'),
  'POST /v1/webhooks/{id}:ping': of('webhook'),
  'POST /v1/webhooks/{id}:recover': of('webhook', { since: '2025-01-01T00:00:00Z' }),
  'GET /v1/webhooks/{id}/deliveries': of('webhook'),
  'GET /v1/deliveries': ({ ids }) => ({ params: { object_id: ids.webhook } }),
  'GET /v1/deliveries/{id}': of('delivery'),
  'POST /v1/deliveries/{id}:resend': of('delivery'),
  'GET /v1/events': none,
  'GET /v1/objectevents': ({ ids }) => ({ params: { object_id: ids.card } }),

  'GET /v1/simulate/clock': none,
  'PUT /v1/simulate/clock': () => ({ body: { advance: 'PT1H' } }),
  'POST /v1/simulate/authorizations': bodyOf(({ ids }) => ({ card_id: ids.card, ...money })),
  'POST /v1/simulate/authorizations/{id}:increment': of('transaction', { amount: 1 }),
  'POST /v1/simulate/authorizations/{id}:reverse': of('transaction', { amount: 1 }),
  'POST /v1/simulate/authorizations/{id}:clear': of('transaction', { amount: 1 }),
  'GET /v1/simulate/responderrequests': none,
  'POST /v1/simulate/responderrequests/{id}:answer': of('question', { approved: true }),
  'POST /v1/simulate/webhookreceivers': () => ({ body: { answer_status: 200 } }),
  'GET /v1/simulate/webhookreceivers': none,
  'GET /v1/simulate/webhookreceivers/{id}': of('receiver'),
  'PUT /v1/simulate/webhookreceivers/{id}': of('receiver', { answer_status: 500 }),
  'DELETE /v1/simulate/webhookreceivers/{id}': of('receiver'),
  'GET /v1/simulate/webhookreceivers/{id}/requests': of('receiver'),
  'POST /v1/simulate/refunds': bodyOf(({ ids }) => ({ card_id: ids.card, ...money })),

  'POST /v1/operator/merchants': bodyOf(({ ids }) => ({ tenant_id: ids.tenant, name: 'Toys' })),
  'GET /v1/operator/merchants': none,
  'GET /v1/operator/merchants/{id}': of('merchant'),
  'PUT /v1/operator/merchants/{id}': of('merchant', { display_name: 'Books and toys' }),
  'POST /v1/operator/merchants/{id}/keys': of('merchant'),
  'GET /v1/operator/merchants/{id}/keys': of('merchant'),
  'DELETE /v1/operator/merchants/{id}/keys/{key_id}': ({ ids }) => ({
    params: { id: ids.merchant, key_id: ids.merchant_key },
  }),

  'POST /api/v1.0/merchant/authentication': bodyOf(({ merchant }) => ({
    public_key: merchant.public_key,
    private_key: merchant.private_key,
  })),
  'POST /api/v1.0/checkouts': bodyOf(newCheckout),
  'GET /api/v1.0/kept-cards': none,
  'GET /api/v1.0/kept-cards/{id}': of('kept_card'),
  'DELETE /api/v1.0/kept-cards/{id}': of('kept_card'),
  'POST /api/v1.0/kept-cards/{id}/payments': ({ ids }) => ({
    params: { id: ids.kept_card ?? '' },
    body: { reference: randomUUID(), total: '1.00', currency: 'AED' },
  }),
  'GET /api/v1.0/orders': none,
  'GET /api/v1.0/orders:totals': none,
  'GET /api/v1.0/captures': none,
  'GET /api/v1.0/refunds': none,
  'GET /api/v1.0/statement': none,
  'GET /api/v1.0/payouts': none,
  'GET /api/v1.0/payouts/{id}': of('payout'),
  'GET /v1/operator/payments': none,
  'POST /v1/operator/payments/{id}:end': of('stuck_payment', {
    outcome: 'DECLINED',
    note: 'Mail of the issuer',
  }),
  'GET /v1/operator/payouts': none,
  'POST /v1/operator/payouts/{id}:markPaid': of('payout', { reference: 'TRANSFER 1' }),
  'POST /v1/operator/payouts/{id}:markFailed': of('payout', { reference: 'account closed' }),
  'GET /api/v1.0/orders/{reference}': ofOrder('order'),
  'POST /api/v1.0/orders/{reference}/capture': ofOrder('order', { total: '10.00' }),
  'POST /api/v1.0/orders/{reference}/refund': ofOrder('captured_order', {
    total: '4.00',
    currency: 'AED',
  }),
}

/** A request that succeeds; undefined for an operation without one. */
export const sampleOf = ({ name }: Operation, belongings: Belongings): Sample | undefined =>
  samples[name]?.(belongings)

/** The payload that a sample sends, and its content headers. */
export const contentOf = ({ body, form }: Sample = {}) => ({
  payload: form ? form.payload : body,
  headers: form ? form.headers : {},
})

/** Samples whose operations are gone. */
export const straySamples = (operations: readonly Operation[]): string[] => {
  const names = new Set(operations.map(({ name }) => name))
  return Object.keys(samples).filter((name) => !names.has(name))
}

/** The URL of an operation with its query; parameters that the path lacks belong to that. */
export function urlOf(
  { prefix, path }: Operation,
  params: Readonly<Record<string, string>> = {},
  query: Readonly<Record<string, string>> = {},
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => params[name] ?? '')
  const others = Object.entries(params).filter(([name]) => !path.includes(`{${name}}`))
  const text = new URLSearchParams({ ...Object.fromEntries(others), ...query }).toString()
  return `${prefix}${filled}${text === '' ? '' : `?${text}`}`
}

export type Credential = { key: string | null; headers: Record<string, string> }

export const byKey = (key: string | null): Credential => ({ key, headers: {} })
export const byToken = (token: string): Credential => ({
  key: null,
  headers: { authorization: `Bearer ${token}` },
})
export const anonymous = byKey(null)

/** A caller who may call the operation. */
export function callerOf(
  { permission, path, method }: Operation,
  world: World,
  belongings: Belongings,
) {
  if (permission === 'open') return anonymous
  if (permission === 'merchant') return byToken(belongings.merchant.token)
  if (isOfMembers(permission)) return bySession(world, cookieFor(path, method, belongings))
  return byKey(permission === 'operator' ? world.operator_key : belongings.tenant.api_key)
}

/** Only a session has these permissions. */
export const isOfMembers = (permission: string): boolean =>
  ['member', 'keys', 'team'].includes(permission)

/** A page of the program itself with that cookie. */
export const bySession = ({ origin }: Pick<World, 'origin'>, cookie: string): Credential => ({
  key: null,
  headers: {
    cookie: `bezant_session=${cookie}`,
    origin: origin(),
  },
})

/** A caller whom this API knows, without the permission. */
export function wrongCallerOf({ permission }: Operation, world: World, belongings: Belongings) {
  const { tenant, reviewer_cookie } = belongings
  if (isOfMembers(permission) || permission === 'merchant') {
    return bySession(world, reviewer_cookie)
  }
  return byKey(permission === 'operator' ? tenant.api_key : world.operator_key)
}

/** Whether a sample needs orders among the belongings. */
export const needsOrders = ({ path }: Operation): boolean =>
  /^\/orders\/|\/payouts\/|\/payments\/|^\/kept-cards\//.test(path)

/** Whether a sample succeeds only once or a few times. */
export const usesUp = ({ path }: Operation): boolean => onceOnly.some((way) => way.test(path))
const onceOnly = [
  /^\/session(s\/|s:|$)/,
  /^\/(totp|passkeys|registrations|passwords|invitations):/,
  /^\/cards:provision$/,
  /^(\/operator|\/simulate)?\/(disputes|chargebacks)\/\{id\}/,
  /^\/challenges\/\{id\}/,
  /:link$/,
  /^\/operator\/clearings:export$/,
  /^\/users\/\{id\}\/kyc$/,
  /^\/operator\/(users|kyc|matches|cards|clearings|payouts|payments)\//,
  /^\/simulate\/(idv|kyc|cards|responderrequests)\//,
]
