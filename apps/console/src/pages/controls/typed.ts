/** A control as it is typed: every field of every kind, as text. */

import type {
  BalanceLimit,
  CountryList,
  MccList,
  MerchantList,
  VelocityLimit,
} from '../../api/types.ts'

export type Typed = {
  name: string
  mode: 'ENFORCED' | 'SHADOW'
  active: boolean
  /** Whether a list allows what it names, or declines it. */
  allow: boolean
  /** Countries, categories or merchants, with commas or lines between them. */
  items: string
  /** Merchants that are declined. */
  blocked: string
  currency: string
  type: string
  min_amount: string
  max_amount: string
  frequency: string
  period: string
  scope: string
}

export const NEW: Typed = {
  name: '',
  mode: 'ENFORCED',
  active: true,
  allow: true,
  items: '',
  blocked: '',
  currency: 'AED',
  type: 'CUMULATIVE',
  min_amount: '',
  max_amount: '',
  frequency: '',
  period: 'DAILY',
  scope: 'ALL',
}

const textOf = (value: number | string | undefined): string =>
  value === undefined ? '' : String(value)

export function typedOfLimit(limit: VelocityLimit | BalanceLimit): Typed {
  const velocity = 'transaction_scope' in limit ? limit : undefined
  return {
    ...NEW,
    name: textOf(limit.description),
    mode: limit.mode,
    currency: limit.currency,
    type: limit.type,
    min_amount: textOf(limit.min_amount),
    max_amount: textOf(limit.max_amount),
    frequency: textOf(velocity?.frequency),
    period: textOf(velocity?.period),
    scope: velocity?.transaction_scope?.[0] ?? 'ALL',
  }
}

export function typedOfList(list: CountryList | MccList): Typed {
  const { name, mode, active, allow } = list
  const items = 'mccs' in list ? list.mccs : list.country_codes
  return { ...NEW, name, mode, active, allow, items: items.join(', ') }
}

export function typedOfMerchants({ name, mode, active, merchants }: MerchantList): Typed {
  const idsOf = (isAllowed: boolean) =>
    merchants
      .filter(({ allow }) => allow === isAllowed)
      .map(({ merchant_id }) => merchant_id)
      .join(', ')
  return { ...NEW, name, mode, active, items: idsOf(true), blocked: idsOf(false) }
}
