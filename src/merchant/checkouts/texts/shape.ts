/** The texts of the payment page. */

import type { TestCardKind } from '../provider.ts'
import type { CardFault, CardField } from '../rules/card.ts'
import type { Reason } from '../rules/declined.ts'

export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

/** A heading and its meaning for the customer. */
type Notice = { title: string; text: string }

export type Texts = {
  direction: 'ltr' | 'rtl'
  other: { language: Language; name: string }
  title: string
  /** Texts of the order beside the form. */
  summary: string
  details: string
  order: string
  quantity: string
  item: string
  more: string
  subtotal: string
  shipping: string
  tax: string
  discount: string
  total: string
  form: string
  pay: string
  paying: string
  back: string
  terms: string
  support: string
  labels: Record<CardField, string>
  hints: Record<CardField, string>
  /** One line each beside a field that is half as wide as a phone. */
  faults: Record<CardField, Partial<Record<CardFault, string>> & Record<'empty' | 'wrong', string>>
  check: string
  declined: string
  reasons: Record<Reason, string>
  /** How many tries are left: one, two. */
  tries: readonly string[]
  safe: string
  reload: string
  stale: Notice
  cancelled: Notice
  late: Notice
  unasked: Notice
  /** The page of the card's issuer (3-D Secure). */
  challenge: {
    title: string
    /** Before the last digits of the number. */
    sent: string
    resent: string
    shop: string
    amount: string
    card: string
    /** Before its last digits. */
    ends: string
    code: string
    hint: string
    faults: Record<'empty' | 'unreadable' | 'wrong', string>
    confirm: string
    confirming: string
    resend: string
    cancel: string
    safe: string
    /** Texts where the bank itself has asked: by a code, or in its app. */
    bank: {
      name: string
      code: string
      app: string
      go_on: string
      going_on: string
      safe: string
      waiting: string
      unanswered: string
    }
    /** Texts of the sandbox: the one before the code, and the reason for it. */
    test: { code: string; text: string }
  }
  processing: Notice
  checking: Notice
  paid: Notice
  rejected: Notice
  ended: Notice
  replaced: Notice
  closed: Notice
  paid_elsewhere: Notice
  paying_elsewhere: Notice
  unknown: Notice
  failed: Notice
  back_to_form: string
  /** Cards that the shop keeps. `consent` is around the name of the shop (CONSENT_VERSION). */
  kept: {
    title: string
    card: string
    expires: string
    expired: string
    another: string
    remove: string
    consent: readonly [before: string, after: string]
  }
  /** Texts of the sandbox. */
  test: {
    badge: string
    title: string
    hint: string
    kinds: Record<TestCardKind, string>
    missing: Notice
    make: string
  }
}
