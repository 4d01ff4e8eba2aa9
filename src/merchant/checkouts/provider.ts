/** The parts that a sandbox gives the payment page. */

import type { Context } from '#kit/context.ts'
import type { Secret } from '#lib/secret.ts'
import type { CardForm } from './rules/card.ts'

/** `slow` is approved too, but its payment is held up before it is sent (D-708). */
export const testCardKinds = ['approved', 'three_ds', 'funds', 'code', 'slow'] as const
export type TestCardKind = (typeof testCardKinds)[number]

/** Minor units. */
export type Price = { amount: bigint; currency: string }

/** Cards of the tenant with which its payment pages are tried (D-707). */
export type TestCards = {
  /**
   * The card as a customer types it; undefined if there is none, or too little money for the price.
   */
  find: (ctx: Context, kind: TestCardKind, price: Price) => Promise<CardForm | undefined>
  /** Makes those that are missing, and adds money if there is too little. */
  make: (ctx: Context, price: Price) => Promise<void>
}

/** The issuer of a card, as it asks the cardholder for a one-time code. */
export type Issuer = {
  bank: string
  /** The last two digits of the number to which the code goes. */
  mobile_ends: string
  /** How an issuer that is asked over the wire has the cardholder confirm; absent in a sandbox. */
  way?: 'code' | 'app'
}

/**
 * Whether a card takes part in 3-D Secure (D-740): its issuer asks, or cannot ask (ATTEMPTED), or
 * the card does not take part (NONE).
 */
export type Enrollment = { issuer: Issuer } | { three_ds: 'ATTEMPTED' | 'NONE' }

/** A payment as the cardholder confirmed it; the merchant as the authorization names it. */
export type Confirmed = Price & { merchant: { id: string; name: string } }

/** The server of the issuers to which the payment page turns before a payment. */
export type Authenticator = {
  enroll: (ctx: Context, pan: Secret) => Promise<Enrollment>
  /** The value by which the issuer knows that the cardholder confirmed it; not of every card. */
  prove: (ctx: Context, pan: Secret, confirmed: Confirmed) => Promise<Secret | undefined>
}
