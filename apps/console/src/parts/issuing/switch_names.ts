/** The switches of `auth_settings`, in the order in which pages show them. */

import type { CardProduct } from '../../api/types.ts'

export const SWITCHES = [
  'pos',
  'atm',
  'chip',
  'magstripe',
  'chip_fallback',
  'pin_absent',
  'ecommerce_3ds',
  'ecommerce_non_3ds',
  'ecommerce_without_cvv2',
  'recurring',
  'quasi_cash',
  'account_funding',
  'credit',
  'account_verification_without_cvv2',
  'cash_in',
  'cash_out',
  'atm_deposit',
  'incoming_transfers',
  'outgoing_transfers',
] as const satisfies readonly (keyof CardProduct['auth_settings'])[]

export type SwitchName = (typeof SWITCHES)[number]
