/** Kinds of events by what they are about. */

import type { Event, WebhookEvent } from '../../api/types.ts'

type Group = 'users' | 'accounts' | 'cards' | 'transactions' | 'orders'

/** Every kind that may be subscribed to. */
const GROUP_OF: Readonly<Record<WebhookEvent, Group>> = {
  USER_CREATED: 'users',
  USER_STATUS_CHANGE: 'users',
  IDENTITY_VERIFICATION: 'users',
  KYC_RESULT: 'users',
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
  ORDER_AUTHORIZED: 'orders',
  ORDER_CAPTURED: 'orders',
  ORDER_REFUNDED: 'orders',
  ORDER_CAPTURE_EXPIRING: 'orders',
  ORDER_EXPIRED: 'orders',
}

export const isKind = (text: string): text is WebhookEvent => Object.hasOwn(GROUP_OF, text)

export const KINDS: readonly WebhookEvent[] = Object.keys(GROUP_OF).filter(isKind)

const GROUPS: readonly Group[] = ['transactions', 'cards', 'users', 'accounts', 'orders']

export const kindsByGroup: readonly (readonly [Group, readonly WebhookEvent[]])[] = GROUPS.map(
  (group) => [group, KINDS.filter((kind) => GROUP_OF[kind] === group)],
)

/** Members of events that name an object, the nearest first, with the page of such objects. */
const PAGES = [
  ['order_id', 'orders'],
  ['card_id', 'cards'],
  ['account_id', 'accounts'],
  ['user_id', 'users'],
  ['webhook_id', 'webhooks'],
] as const

/** The object that an event is about: its id and its page. */
export function subjectOf(event: Event): { id: string; to: string } | undefined {
  const members = new Map(Object.entries(event))
  const transaction = Object(members.get('card_transaction'))
  if (typeof transaction.id === 'string') {
    return { id: transaction.id, to: `/transactions/${transaction.id}` }
  }
  const holders: object[] = [event, ...members.values()].filter(
    (value) => typeof value === 'object' && value !== null,
  )
  for (const [name, page] of PAGES) {
    const id = holders.map((holder) => new Map(Object.entries(holder)).get(name)).find(Boolean)
    if (typeof id === 'string') return { id, to: `/${page}/${id}` }
  }
  return undefined
}
