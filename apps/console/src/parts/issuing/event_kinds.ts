/** Kinds of events by what they are about. */

import type { Event, WebhookEvent } from '../../api/types.ts'
import { moneyText } from '../values.tsx'

type Group = 'users' | 'accounts' | 'cards' | 'transactions' | 'orders'

/** Every kind that may be subscribed to. */
const GROUP_OF: Readonly<Record<WebhookEvent, Group>> = {
  USER_CREATED: 'users',
  CARD_DETAILS_LIMIT: 'cards',
  USER_STATUS_CHANGE: 'users',
  IDENTITY_VERIFICATION: 'users',
  KYC_RESULT: 'users',
  SCREENING_MATCH: 'users',
  USER_DOCUMENT_ALERT: 'users',
  SUCCESSFULLY_CREATED: 'cards',
  ACCOUNT_STATUS_CHANGE: 'accounts',
  CHARGE_APPLIED: 'accounts',
  CARD_STATUS_CHANGE: 'cards',
  CARD_DELIVERY_PARTNER_ASSIGNED: 'cards',
  CARD_DELIVERY_STATUS_CHANGED: 'cards',
  PIN_CHANGE: 'cards',
  CARD_PROVISIONING: 'cards',
  TOKEN_NOTIFICATION: 'cards',
  TRANSACTION: 'transactions',
  EXPIRED_AUTH: 'transactions',
  DISPUTE_STATUS_CHANGE: 'transactions',
  DISPUTE_DEADLINE: 'transactions',
  CHALLENGE_CREATED: 'transactions',
  ORDER_AUTHORIZED: 'orders',
  ORDER_CAPTURED: 'orders',
  ORDER_REFUNDED: 'orders',
  ORDER_CAPTURE_EXPIRING: 'orders',
  ORDER_EXPIRED: 'orders',
  CHARGEBACK_STATUS_CHANGE: 'orders',
  PAYOUT_CREATED: 'orders',
  PAYOUT_PAID: 'orders',
  PAYOUT_FAILED: 'orders',
}

export const isKind = (text: string): text is WebhookEvent => Object.hasOwn(GROUP_OF, text)

export const KINDS: readonly WebhookEvent[] = Object.keys(GROUP_OF).filter(isKind)

const GROUPS: readonly Group[] = ['transactions', 'cards', 'users', 'accounts', 'orders']

export const kindsByGroup: readonly (readonly [Group, readonly WebhookEvent[]])[] = GROUPS.map(
  (group) => [group, KINDS.filter((kind) => GROUP_OF[kind] === group)],
)

/** Members of events that name an object, the nearest first, with the page of such objects. */
const PAGES = [
  ['card_id', 'cards'],
  ['account_id', 'accounts'],
  ['user_id', 'users'],
] as const

/** The object that an event is about: its id and its page. */
export function subjectOf(event: Event): { id: string; to: string } | undefined {
  const members = new Map(Object.entries(event))
  const reference = members.get('reference')
  if (event.event.startsWith('ORDER_') && typeof reference === 'string') {
    return { id: reference, to: `/orders/${encodeURIComponent(reference)}` }
  }
  const transaction = Object(members.get('card_transaction'))
  if (typeof transaction.id === 'string') {
    return { id: transaction.id, to: `/transactions/${transaction.id}` }
  }
  const webhook_id = members.get('webhook_id')
  if (typeof webhook_id === 'string') {
    const page = members.has('merchant_id') ? 'endpoints' : 'webhooks'
    return { id: webhook_id, to: `/${page}/${webhook_id}` }
  }
  for (const [name, page] of PAGES) {
    const id = holdersOf(event)
      .map((holder) => holder[name])
      .find(Boolean)
    if (typeof id === 'string') return { id, to: `/${page}/${id}` }
  }
  return undefined
}

const holdersOf = (event: Event): Record<string, unknown>[] =>
  [event, ...Object.values(event)].filter(
    (value): value is Record<string, unknown> => typeof value === 'object' && value !== null,
  )

/** The event in the words of the API: `Palm Books · AED 12.50 · PENDING`. */
export function summaryOf(event: Event): string {
  const members: Record<string, unknown> = Object.assign({}, ...holdersOf(event).toReversed())
  const { merchant, amount, currency, status, new_status, status_code } = members
  const name = Object(merchant).name
  const isMoney = typeof amount === 'number' && typeof currency === 'string'
  const state = new_status ?? status
  const texts = [name, isMoney && moneyText(amount, currency), state, status_code]
  return texts.filter((text) => typeof text === 'string' && text !== '').join(' · ')
}
