/** The fields that lead a request to a wanted outcome. */

import type { Account } from '../../api/types.ts'
import type { simulator } from '../../i18n/en/simulator.ts'
import { initial, type Typed } from './typed.ts'

export type OutcomeName = keyof typeof simulator.outcomes

export type Outcome = {
  name: OutcomeName
  /** The status code that is expected. */
  code: string
  /** The status of the card; an active one by default. */
  status?: 'SUSPENDED' | 'INACTIVE' | 'TERMINATED'
  values?: Partial<Typed>
}

/** The category of cash machines. */
const CASH = '6011'

export const outcomes: readonly Outcome[] = [
  { name: 'approved', code: '0000' },
  { name: 'funds', code: '1016' },
  { name: 'cvv2', code: '1022', values: { cvv2: '0000' } },
  {
    name: 'pin',
    code: '1017',
    values: { type: 'WITHDRAWAL', mcc: CASH, channel: 'CHIP', pin: '0001' },
  },
  { name: 'chip', code: '1810', values: { channel: 'CHIP', cryptogram: 'WRONG' } },
  { name: 'expiry', code: '1804', values: { expiry: '2099-12' } },
  { name: 'suspended', code: '1003', status: 'SUSPENDED' },
  { name: 'inactive', code: '1806', status: 'INACTIVE' },
  { name: 'ended', code: '1809', status: 'TERMINATED' },
]

/** The fields that an outcome may have set before. */
const CLEARED = ['type', 'channel', 'pin', 'cvv2', 'expiry', 'cryptogram'] as const

/** More than there is, and an amount that every account has. */
const BEYOND = 1
const USUAL = '20.00'

/**
 * The fields of the form for an outcome; `account` is that of the card. The shop that was chosen
 * stays, with its category; only that of a cash machine goes with the withdrawal.
 */
export function valuesOf(
  { name, values }: Outcome,
  account: Account | undefined,
  present: Typed,
): Partial<Typed> {
  const cleared = Object.fromEntries(CLEARED.map((field) => [field, initial[field]]))
  const available = account?.available_balance ?? 0
  const amount = name === 'funds' ? (available + BEYOND).toFixed(2) : USUAL
  const currency = account === undefined ? {} : { currency: account.currency }
  const mcc = present.mcc === CASH ? initial.mcc : present.mcc
  return { ...cleared, mcc, amount, ...currency, ...values }
}
