/** Every kind of event that can be subscribed to (D-60), as the documentation lists it. */

export type EventKind = {
  event: string
  /** When it is emitted. */
  emitted: string
  /** The card, user, account, transaction or order whose events stay in order. */
  object: string
  /** The members of the payload beside `event`, `id` and `created`. */
  members: readonly string[]
  /** No code emits it yet, so it cannot be subscribed to (D-130). */
  isUnbuilt?: true
}

const note = 'note {category, description, extras}'
const fullTransaction =
  'card_transaction {id, card_id, account_id, user_id, message_type, transaction_type, status, ' +
  'status_code, status_description, amount, currency, billing_amount, billing_currency, ' +
  'merchant {id, name, mcc, city, country}, pos {entry_mode, environment, terminal_id}, ' +
  'approval_code, rrn, stan, cleared_amount, refunded_amount, hold_expires, ' +
  'reference_transaction_id, events[], created, modified}'
const order =
  'order {id, merchant_id, reference, order_number, status, total, currency, total_refund, ' +
  'capture_expiration, created_at, updated_at}'

export const eventKinds = [
  {
    event: 'CARD_STATUS_CHANGE',
    emitted: "A card's status or its reason code changes, by a call or by a rule.",
    object: 'card',
    members: [
      'card_status_change {card_id, old_status, new_status, old_status_reason_code, ' +
        `status_reason_code, ${note}}`,
    ],
  },
  {
    event: 'TRANSACTION',
    emitted: 'A transaction is decided, raised, reversed, cleared or refunded; declines too.',
    object: 'transaction',
    members: [fullTransaction],
  },
  {
    event: 'KYC_RESULT',
    emitted: 'A KYC request is submitted, and again when it is processed.',
    object: 'user',
    members: [
      'kyc_policy',
      'kyc_id',
      'user_id',
      'note',
      'old_status',
      'status',
      'status_code',
      'status_description',
      'modified',
    ],
  },
  {
    event: 'USER_CREATED',
    emitted: 'A user is created, of any type.',
    object: 'user',
    members: ['user_id', 'user_type', 'status', 'status_reason_code'],
  },
  {
    event: 'USER_STATUS_CHANGE',
    emitted: "A user's status or its reason code changes; also for reason A6.",
    object: 'user',
    members: [
      'user_id',
      'old_status',
      'old_status_reason_code',
      'new_status',
      'new_status_reason_code',
      'user_type',
      'note',
      'User_status_change {the full user}',
    ],
  },
  {
    event: 'USER_DOCUMENT_ALERT',
    emitted: 'A document of a user has expired or is about to.',
    object: 'user',
    members: ['user_id', 'identification_id', 'document_type', 'expiry_date'],
  },
  {
    event: 'IDENTITY_VERIFICATION',
    emitted:
      'An applicant gets a token: at creation (I0), by B2 or B2E. Without a token: a user is ' +
      'not verified, for B1 or any other reason that is not a pass.',
    object: 'user',
    members: [
      'user_id',
      'applicant_id',
      'sdk_token',
      'note',
      'status',
      'old_status_reason_code',
      'status_reason_code',
      'status_description',
      'modified',
    ],
  },
  {
    event: 'PIN_CHANGE',
    emitted: "A card's PIN is set or changed. The event does not contain the PIN.",
    object: 'card',
    members: ['card_id'],
  },
  {
    event: 'EXPIRED_AUTH',
    emitted: 'A hold ends without being cleared.',
    object: 'transaction',
    members: [fullTransaction],
  },
  {
    event: 'CHARGE_APPLIED',
    emitted: 'A fee is taken from an account. Not built yet: it cannot be subscribed to.',
    object: 'account',
    members: ['account_id', 'card_id', 'charge', 'amount', 'currency'],
    isUnbuilt: true,
  },
  {
    event: 'ACCOUNT_STATUS_CHANGE',
    emitted: "An account's status changes.",
    object: 'account',
    members: ['account_id', 'old_status', 'new_status', 'note'],
  },
  {
    event: 'CARD_PROVISIONING',
    emitted: 'A card is put into a wallet, or the provisioning data are wrong (status REFUSED).',
    object: 'card',
    members: ['card_id', 'token_id (of a token)', 'wallet', 'device_name', 'status'],
  },
  {
    event: 'TOKEN_NOTIFICATION',
    emitted: 'A wallet token is suspended, resumed or deleted.',
    object: 'card',
    members: ['card_id', 'token_id', 'wallet', 'old_status', 'new_status'],
  },
  {
    event: 'SUCCESSFULLY_CREATED',
    emitted: 'A card or an account is created.',
    object: 'card or account',
    members: ['card_id (of a card)', 'account_id', 'user_id', 'card_product_id'],
  },
  {
    event: 'CARD_DELIVERY_PARTNER_ASSIGNED',
    emitted: 'A courier takes over the delivery of a physical card.',
    object: 'card',
    members: ['card_id', 'delivery_partner', 'tracking_number'],
  },
  {
    event: 'CARD_DELIVERY_STATUS_CHANGED',
    emitted: 'The making or the delivery of a physical card moves on.',
    object: 'card',
    members: ['card_id', 'old_status', 'new_status', 'delivery_partner', 'tracking_number'],
  },
  {
    event: 'ORDER_AUTHORIZED',
    emitted: 'A checkout is paid and its order is open.',
    object: 'order',
    members: [order],
  },
  {
    event: 'ORDER_CAPTURED',
    emitted: 'An order is captured.',
    object: 'order',
    members: [order],
  },
  {
    event: 'ORDER_REFUNDED',
    emitted: 'An order is refunded, in whole or in part.',
    object: 'order',
    members: [order],
  },
  {
    event: 'ORDER_CAPTURE_EXPIRING',
    emitted: '24 hours and 2 hours before the capture window of an open order ends.',
    object: 'order',
    members: [order],
  },
  {
    event: 'ORDER_EXPIRED',
    emitted: 'The capture window of an open order ended without a capture.',
    object: 'order',
    members: [order],
  },
] as const satisfies readonly EventKind[]

/** Sent to one subscription by its `:ping`; not to be subscribed to. Its object is the webhook. */
export const PING = 'PING'

const isBuilt = (kind: EventKind): boolean => kind.isUnbuilt !== true

/** The kinds that can be subscribed to. */
export const eventNames = eventKinds.filter(isBuilt).map(({ event }) => event)
