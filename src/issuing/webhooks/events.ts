/** Every kind of event that can be subscribed to (D-60), as the documentation lists it. */

import type { TProperties } from 'typebox'
import * as payloads from './payloads.ts'

export type EventKind = {
  event: string
  /** When it is emitted. */
  emitted: string
  /** The card, user, account, transaction or order whose events stay in order. */
  object: string
  /** The members of the payload beside `event`, `id` and `created`. */
  payload: TProperties
  /** No code emits it yet, so it cannot be subscribed to (D-130). */
  isUnbuilt?: true
}

export const eventKinds = [
  {
    event: 'CARD_STATUS_CHANGE',
    emitted: "A card's status or its reason code changes, by a call or by a rule.",
    object: 'card',
    payload: payloads.cardStatusChange,
  },
  {
    event: 'TRANSACTION',
    emitted: 'A transaction is decided, raised, reversed, cleared or refunded; declines too.',
    object: 'transaction',
    payload: payloads.transaction,
  },
  {
    event: 'KYC_RESULT',
    emitted: 'A KYC request is submitted, and again when it is processed.',
    object: 'user',
    payload: payloads.kycResult,
  },
  {
    event: 'USER_CREATED',
    emitted: 'A user is created, of any type.',
    object: 'user',
    payload: payloads.userCreated,
  },
  {
    event: 'USER_STATUS_CHANGE',
    emitted: "A user's status or its reason code changes; also for reason A6.",
    object: 'user',
    payload: payloads.userStatusChange,
  },
  {
    event: 'USER_DOCUMENT_ALERT',
    emitted: 'A document of a user has expired or is about to.',
    object: 'user',
    payload: payloads.documentAlert,
  },
  {
    event: 'IDENTITY_VERIFICATION',
    emitted:
      'An applicant gets a token: at creation (I0), by B2 or B2E. Without a token: a user is ' +
      'not verified, for B1 or any other reason that is not a pass.',
    object: 'user',
    payload: payloads.identityVerification,
  },
  {
    event: 'PIN_CHANGE',
    emitted: "A card's PIN is set or changed. The event does not contain the PIN.",
    object: 'card',
    payload: payloads.pinChange,
  },
  {
    event: 'EXPIRED_AUTH',
    emitted: 'A hold ends without being cleared.',
    object: 'transaction',
    payload: payloads.transaction,
  },
  {
    event: 'CHARGE_APPLIED',
    emitted: 'A charge is taken from an account.',
    object: 'charge',
    payload: payloads.chargeApplied,
  },
  {
    event: 'ACCOUNT_STATUS_CHANGE',
    emitted: "An account's status changes.",
    object: 'account',
    payload: payloads.accountStatusChange,
  },
  {
    event: 'CARD_PROVISIONING',
    emitted: 'A card is put into a wallet, or the provisioning data are wrong (status REFUSED).',
    object: 'card',
    payload: payloads.cardProvisioning,
  },
  {
    event: 'TOKEN_NOTIFICATION',
    emitted: 'A wallet token is suspended, resumed or deleted.',
    object: 'card',
    payload: payloads.tokenNotification,
  },
  {
    event: 'SUCCESSFULLY_CREATED',
    emitted: 'A card or an account is created.',
    object: 'card or account',
    payload: payloads.successfullyCreated,
  },
  {
    event: 'CARD_DELIVERY_PARTNER_ASSIGNED',
    emitted: 'A courier takes over the delivery of a physical card.',
    object: 'card',
    payload: payloads.deliveryPartnerAssigned,
  },
  {
    event: 'CARD_DELIVERY_STATUS_CHANGED',
    emitted: 'The making or the delivery of a physical card moves on.',
    object: 'card',
    payload: payloads.deliveryStatusChanged,
  },
  {
    event: 'ORDER_AUTHORIZED',
    emitted: 'A checkout is paid and its order is open.',
    object: 'order',
    payload: payloads.orderOpen,
  },
  {
    event: 'ORDER_CAPTURED',
    emitted: 'An order is captured.',
    object: 'order',
    payload: payloads.orderCaptured,
  },
  {
    event: 'ORDER_REFUNDED',
    emitted: 'An order is refunded, in whole or in part.',
    object: 'order',
    payload: payloads.orderRefunded,
  },
  {
    event: 'ORDER_CAPTURE_EXPIRING',
    emitted: '24 hours and 2 hours before the capture window of an open order ends.',
    object: 'order',
    payload: payloads.orderCaptureExpiring,
  },
  {
    event: 'ORDER_EXPIRED',
    emitted: 'The capture window of an open order ended without a capture.',
    object: 'order',
    payload: payloads.orderOpen,
  },
] as const satisfies readonly EventKind[]

/** Sent to one subscription by its `:ping`; not to be subscribed to. Its object is the webhook. */
export const PING = 'PING'

const isBuilt = (kind: EventKind): boolean => kind.isUnbuilt !== true

/** The kinds that can be subscribed to. */
export const eventNames = eventKinds.filter(isBuilt).map(({ event }) => event)
