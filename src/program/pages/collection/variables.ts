/**
 * Variables of the collections: which one has the id of an object, and their values in a fresh
 * sandbox (D-846).
 */

import { type OpenApi, operationsIn } from '#lib/openapi.ts'
import { DEMO_CARD, DEMO_TENANT, DEMO_USER, demoTenant } from '#sandbox/known.ts'
import { parametersIn } from './document.ts'

export type Variable = { name: string; value: string; description: string }

/** The variable of the object that a path names, by the segment before its parameter. */
const BY_SEGMENT: Readonly<Record<string, string>> = {
  users: 'user_id',
  idv: 'user_id',
  identifications: 'identification_id',
  files: 'file_id',
  kyc: 'kyc_request_id',
  matches: 'match_id',
  cardproducts: 'card_product_id',
  cards: 'card_id',
  cardorders: 'card_order_id',
  bulkissuances: 'bulk_issuance_id',
  allowedcountries: 'country_list_id',
  allowedmccs: 'mcc_list_id',
  allowedmerchants: 'merchant_list_id',
  backtests: 'backtest_id',
  stoporders: 'stop_order_id',
  tokens: 'token_id',
  accounts: 'account_id',
  charges: 'charge_id',
  balancelimits: 'balance_limit_id',
  velocitylimits: 'velocity_limit_id',
  transactions: 'transaction_id',
  authorizations: 'transaction_id',
  disputes: 'dispute_id',
  challenges: 'challenge_id',
  chargebacks: 'chargeback_id',
  clearings: 'clearing_id',
  clearingexports: 'clearing_export_id',
  records: 'clearing_record_number',
  networks: 'network_name',
  webhooks: 'webhook_id',
  deliveries: 'delivery_id',
  responderrequests: 'responder_request_id',
  webhookreceivers: 'webhook_receiver_id',
  tenants: 'tenant_id',
  merchants: 'merchant_id',
  keys: 'key_id',
  payouts: 'payout_id',
  payments: 'payment_id',
  settlements: 'settlement_id',
  orders: 'order_reference',
  'kept-cards': 'kept_card_id',
  sessions: 'session_id',
  passkeys: 'passkey_id',
  invitations: 'invitation_id',
  members: 'member_id',
  owners: 'owner_id',
}

/** The same segment below that of another object. */
const BY_SEGMENTS: Readonly<Record<string, string>> = {
  'merchants/{id}/keys': 'merchant_key_id',
  'disputes/{id}/files': 'dispute_file_id',
}

/** The endpoints and the disputes of a shop are other objects than those of a tenant. */
const OF_SHOPS: Readonly<Record<string, string>> = {
  disputes: 'chargeback_id',
  webhooks: 'endpoint_id',
  deliveries: 'endpoint_delivery_id',
}

/** The variables of values that only the reader has, by the member of the request. */
const OF_SECRETS: Readonly<Record<string, string>> = {
  public_key: 'public_key',
  private_key: 'private_key',
  token: 'mail_token',
  challenge: 'sign_in_challenge',
  code: 'one_time_code',
}

/** A second object of a kind whose variable has the first. */
const BY_MEMBER: Readonly<Record<string, string>> = {
  recipient_account_id: 'recipient_account_id',
  transaction_id: 'transaction_id',
}

export const MERCHANT_TOKEN = 'merchant_token'

/**
 * The values that only the reader's own sandbox has; a start writes them to DATA_DIR/sandbox.json.
 */
export const SECRETS: readonly Variable[] = [
  { name: 'api_key', value: '', description: '`tenant.api_key` of sandbox.json' },
  { name: 'operator_key', value: '', description: '`operator_key` of sandbox.json' },
  { name: 'public_key', value: '', description: '`merchant.public_key` of sandbox.json' },
  { name: 'private_key', value: '', description: '`merchant.private_key` of sandbox.json' },
]

/** Known before a sandbox is there (D-12). */
const OF_DEMO: Readonly<Record<string, string>> = {
  tenant_id: DEMO_TENANT,
  card_product_id: demoTenant.card_product_id,
  user_id: DEMO_USER,
  card_id: DEMO_CARD,
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  [MERCHANT_TOKEN]: 'Kept by Authentication of the merchant API.',
  recipient_account_id: 'A second account of the same currency.',
  mail_token:
    'Token of the link in a mail; `GET /v1/operator/mails` lists the mails of the sandbox.',
  sign_in_challenge: 'Challenge of a sign-in that needs a second factor.',
  one_time_code: 'Code of the member’s authenticator.',
}

/** A path in the parts between its slashes; `{id}:verb` is one part. */
export type Part = { text: string; parameter?: string; verb: string; variable: string }

/** Throws if no variable is known for a parameter, so that a new path gets one here. */
export function partsOf(path: string, prefix: string): Part[] {
  const segments = path.split('/').slice(1)
  return segments.map((text, at) => {
    const [, parameter, verb = ''] = /^\{(\w+)\}(.*)$/.exec(text) ?? []
    if (parameter === undefined) return { text, verb: '', variable: '' }
    const before = segments[at - 1] ?? ''
    const own = prefix.startsWith('/api/') ? OF_SHOPS : {}
    const below = segments.slice(Math.max(0, at - 3), at).join('/')
    const variable = BY_SEGMENTS[below] ?? own[before] ?? BY_SEGMENT[before]
    if (variable === undefined)
      throw new Error(`give ${path} a variable in src/program/pages/collection/variables.ts`)
    return { text, parameter, verb, variable }
  })
}

/** The variable of the object, by each id that the examples have of it. */
export function variablesOfIds(documents: readonly OpenApi[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const document of documents) {
    for (const { path, operation } of operationsIn(document)) {
      for (const { parameter, variable } of partsOf(path, document.servers[0].url)) {
        const sent = parametersIn(operation, 'path').find(({ name }) => name === parameter)
        if (typeof sent?.example === 'string') found.set(sent.example, variable)
      }
    }
  }
  return found
}

/** `value` of the member `name` as a request sends it: ids and secrets are variables. */
export function withVariables(
  value: unknown,
  ids: ReadonlyMap<string, string>,
  name = '',
): unknown {
  if (Array.isArray(value)) return value.map((one) => withVariables(one, ids, name))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, one]) => [key, withVariables(one, ids, key)]),
    )
  if (typeof value !== 'string') return value
  const variable = isPlaceholder(value) ? OF_SECRETS[name] : (BY_MEMBER[name] ?? ids.get(value))
  return variable === undefined ? value : `{{${variable}}}`
}

/** The placeholder that D-381 puts in the place of a secret, cut to its length. */
const isPlaceholder = (value: string): boolean => /^([ps]k_)?EXAMPL/.test(value)

/** All that `text` names. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)

/** A variable of the collection, with its value in a fresh sandbox; the requests `by` keep it. */
export function variableOf(name: string, by: readonly string[]): Variable {
  const kept = by.length > 0 ? `Kept by ${by.map((one) => `“${one}”`).join(', ')}.` : ''
  const demo = OF_DEMO[name] ? 'At first of the demo tenant.' : ''
  const description = [DESCRIPTIONS[name] ?? kept, demo].filter((text) => text !== '').join(' ')
  return { name, value: OF_DEMO[name] ?? '', description }
}
