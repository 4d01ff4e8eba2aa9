/** The kinds of payments that a day is made of. */

import type { SimulatedAuthorization } from '../../api/types.ts'
import type { traffic } from '../../i18n/en/traffic.ts'

export type PaymentKind = keyof typeof traffic.kinds

type Body = Omit<SimulatedAuthorization, 'card_id' | 'card_number' | 'amount' | 'currency'>

export type Mixed = {
  kind: PaymentKind
  /** The weight at first. */
  weight: number
  /** Major units. */
  least: number
  most: number
  body: Body
}

const shop = (name: string, mcc: string, country = 'AE') => ({ merchant: { name, mcc, country } })

export const mix: readonly Mixed[] = [
  {
    kind: 'groceries',
    weight: 6,
    least: 3,
    most: 25,
    body: { ...shop('Green Market', '5411'), entry_mode: 'CONTACTLESS' },
  },
  {
    kind: 'online',
    weight: 5,
    least: 5,
    most: 40,
    body: { ...shop('Palm Books', '5942'), entry_mode: 'ECOMMERCE', three_ds: 'AUTHENTICATED' },
  },
  {
    kind: 'fuel',
    weight: 3,
    least: 8,
    most: 30,
    body: { ...shop('Desert Fuel', '5541'), entry_mode: 'CHIP' },
  },
  {
    kind: 'subscriptions',
    weight: 2,
    least: 3,
    most: 10,
    body: { ...shop('Streamly', '4899', 'US'), entry_mode: 'CREDENTIAL_ON_FILE' },
  },
  {
    kind: 'travel',
    weight: 2,
    least: 10,
    most: 60,
    body: { ...shop('Seaside Hotel', '7011', 'GR'), entry_mode: 'CHIP' },
  },
  {
    kind: 'atm',
    weight: 1,
    least: 10,
    most: 50,
    body: {
      ...shop('ATM Marina Mall', '6011'),
      ...({ entry_mode: 'CHIP', transaction_type: 'WITHDRAWAL' } as const),
    },
  },
  {
    kind: 'risky',
    weight: 1,
    least: 10,
    most: 50,
    body: { ...shop('Lucky Star', '7995', 'MT'), entry_mode: 'ECOMMERCE' },
  },
  {
    kind: 'wrong_cvv2',
    weight: 1,
    least: 5,
    most: 40,
    // One card of a thousand has this value, and its payment passes.
    body: { ...shop('Palm Books', '5942'), entry_mode: 'ECOMMERCE', cvv2: '0000' },
  },
  {
    kind: 'too_large',
    weight: 1,
    least: 800_000,
    most: 900_000,
    body: { ...shop('Golden Souk', '5944'), entry_mode: 'CHIP' },
  },
]

/** Payments of each hour of a usual day, from midnight; only their proportions count. */
export const PROFILE: readonly number[] = [
  ...[4, 2, 1, 1, 1, 2, 6, 14, 22, 20, 20, 26],
  ...[38, 36, 26, 22, 24, 30, 40, 44, 38, 28, 18, 9],
]
