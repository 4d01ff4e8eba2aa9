/** What a sandbox gives the payment page. */

import type { Context } from '#kit/context.ts'
import type { CardForm } from './rules/card.ts'

/** `slow` is approved too, but its payment is held up before it is sent (D-708). */
export const testCardKinds = ['approved', 'funds', 'code', 'slow'] as const
export type TestCardKind = (typeof testCardKinds)[number]

/** Minor units. */
export type Price = { amount: bigint; currency: string }

/** Cards of the tenant with which its payment pages are tried (D-707). */
export type TestCards = {
  /** As a customer types it; undefined where there is none, or too little money for the price. */
  find: (ctx: Context, kind: TestCardKind, price: Price) => Promise<CardForm | undefined>
  /** Makes those that are missing, and adds money where there is too little. */
  make: (ctx: Context, price: Price) => Promise<void>
}
