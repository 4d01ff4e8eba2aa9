/** The switches of `auth_settings`. */
import type { AuthSettings, SimulateAuthorizationBody } from './types.ts'

export type AuthSwitch = {
  name: Exclude<keyof AuthSettings, 'min_amount' | 'max_amount'>
  /** The status code of a payment that the product declines, and of one that the card declines. */
  product_code: string
  card_code: string
  /** Members of a simulated authorization that is declined if only this switch is off. */
  sample: Partial<SimulateAuthorizationBody>
  /** The hour in the time zone of the tenant, 0 to 23, at which it is; absent for any hour. */
  hour?: number
}

/** All switches, in the order in which they are checked. */
export const authSwitches: readonly AuthSwitch[] = [
  {
    name: 'atm',
    product_code: '1832',
    card_code: '1862',
    sample: { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' },
  },
  { name: 'pos', product_code: '1863', card_code: '1863', sample: { entry_mode: 'CONTACTLESS' } },
  { name: 'chip', product_code: '1864', card_code: '1864', sample: { entry_mode: 'CHIP' } },
  {
    name: 'magstripe',
    product_code: '1865',
    card_code: '1865',
    sample: { entry_mode: 'MAGSTRIPE' },
  },
  {
    name: 'chip_fallback',
    product_code: '1866',
    card_code: '1866',
    sample: { entry_mode: 'FALLBACK' },
  },
  {
    name: 'pin_absent',
    product_code: '1837',
    card_code: '1867',
    sample: { entry_mode: 'CONTACTLESS' },
  },
  {
    name: 'ecommerce_3ds',
    product_code: '1839',
    card_code: '1869',
    sample: { three_ds: 'AUTHENTICATED' },
  },
  { name: 'ecommerce_non_3ds', product_code: '1838', card_code: '1868', sample: {} },
  {
    name: 'ecommerce_without_cvv2',
    product_code: '1840',
    card_code: '1870',
    sample: { three_ds: 'ATTEMPTED' },
  },
  {
    name: 'quasi_cash',
    product_code: '1841',
    card_code: '1871',
    sample: { transaction_type: 'QUASI_CASH' },
  },
  {
    name: 'account_funding',
    product_code: '1842',
    card_code: '1872',
    sample: { transaction_type: 'ACCOUNT_FUNDING' },
  },
  {
    name: 'credit',
    product_code: '1843',
    card_code: '1873',
    sample: { transaction_type: 'ORIGINAL_CREDIT' },
  },
  {
    name: 'account_verification_without_cvv2',
    product_code: '1844',
    card_code: '1874',
    sample: { transaction_type: 'VERIFICATION', amount: 0 },
  },
  {
    name: 'cash_in',
    product_code: '1899',
    card_code: '1899',
    sample: { transaction_type: 'DEPOSIT' },
  },
  {
    name: 'cash_out',
    product_code: '1900',
    card_code: '1900',
    sample: { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' },
  },
  {
    name: 'atm_deposit',
    product_code: '1901',
    card_code: '1901',
    sample: { transaction_type: 'DEPOSIT' },
  },
  {
    name: 'atm_night',
    product_code: '1903',
    card_code: '1903',
    sample: { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP' },
    hour: 3,
  },
  {
    name: 'incoming_transfers',
    product_code: '1849',
    card_code: '1849',
    sample: { transaction_type: 'ORIGINAL_CREDIT' },
  },
  {
    name: 'outgoing_transfers',
    product_code: '1850',
    card_code: '1850',
    sample: { transaction_type: 'TRANSFER' },
  },
  {
    name: 'recurring',
    product_code: '1895',
    card_code: '1895',
    sample: { entry_mode: 'CREDENTIAL_ON_FILE' },
  },
]
