/** The entered values, as the API takes them; null removes what a limit had. */

import { amountOf, plainDigits } from '../../parts/typed_text.ts'
import type { Typed } from './typed.ts'

const itemsOf = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '')

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

const amountOrNull = (text: string, currency: string): string | null =>
  text.trim() === '' ? null : amountOf(text, currency)

/** A text that is no number goes to the server as 0, and the server says what is wrong with it. */
const numberOrNull = (text: string): number | null =>
  text.trim() === '' ? null : Number(plainDigits(text)) || 0

const PERIODS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME'] as const
const SCOPES = ['PURCHASES', 'WITHDRAWALS', 'ALL'] as const

export function velocityBody(typed: Typed) {
  const isCumulative = typed.type !== 'PER_TRANSACTION'
  return {
    description: orNull(typed.name),
    mode: typed.mode,
    type: isCumulative ? ('CUMULATIVE' as const) : ('PER_TRANSACTION' as const),
    currency: typed.currency,
    min_amount: amountOrNull(typed.min_amount, typed.currency),
    max_amount: amountOrNull(typed.max_amount, typed.currency),
    frequency: numberOrNull(typed.frequency),
    period: PERIODS.find((period) => period === typed.period) ?? null,
    transaction_scope: [SCOPES.find((scope) => scope === typed.scope) ?? 'ALL'],
  }
}

export const balanceBody = (typed: Typed) => ({
  description: orNull(typed.name),
  mode: typed.mode,
  type: typed.type === 'PER_USER' ? ('PER_USER' as const) : ('PER_ACCOUNT' as const),
  currency: typed.currency,
  min_amount: amountOrNull(typed.min_amount, typed.currency),
  max_amount: amountOrNull(typed.max_amount, typed.currency),
})

const listBody = ({ name, mode, active }: Typed) => ({ name: name.trim(), mode, active })

export const countriesBody = (typed: Typed) => ({
  ...listBody(typed),
  allow: typed.allow,
  country_codes: itemsOf(typed.items).map((code) => code.toUpperCase()),
})

export const mccsBody = (typed: Typed) => ({
  ...listBody(typed),
  allow: typed.allow,
  mccs: itemsOf(plainDigits(typed.items)),
})

export const merchantsBody = (typed: Typed) => ({
  ...listBody(typed),
  merchants: [
    ...itemsOf(typed.items).map((merchant_id) => ({ merchant_id, allow: true })),
    ...itemsOf(typed.blocked).map((merchant_id) => ({ merchant_id, allow: false })),
  ],
})
