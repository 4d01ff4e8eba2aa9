/** The settings of a tenant by their groups, with how each is typed (D-3). */

import type { Settings, SettingsChanges, Usage } from '../../api/types.ts'
import { plainDigits } from '../typed_text.ts'

export type SettingName = Exclude<keyof Settings, 'responder' | 'expired_idv_policy'>
export type Kind = 'text' | 'number' | 'decision' | 'texts' | 'numbers'

type Setting = {
  name: SettingName
  kind: Kind
  /** Only the operator, or an owner, may change it: the page shows it to the others. */
  is_operators?: true
  is_owners?: true
  /** The member of the usage that it limits. */
  used?: keyof Usage
}

export type SettingGroup = {
  name: 'program' | 'identity' | 'holds' | 'security' | 'operator'
  settings: readonly Setting[]
}

export const GROUPS: readonly SettingGroup[] = [
  {
    name: 'program',
    settings: [
      { name: 'default_currency', kind: 'text' },
      { name: 'time_zone', kind: 'text' },
      { name: 'card_order_hour', kind: 'number' },
      { name: 'webhook_retry_seconds', kind: 'numbers' },
      { name: 'challenge_messenger', kind: 'text' },
      { name: 'challenge_url', kind: 'text' },
    ],
  },
  {
    name: 'identity',
    settings: [
      { name: 'require_document_verification', kind: 'decision' },
      { name: 'checks', kind: 'texts' },
      { name: 'allowed_issuing_countries', kind: 'texts' },
      { name: 'require_kyc', kind: 'decision' },
      { name: 'privacy_notices_read_consent_given', kind: 'decision' },
    ],
  },
  {
    name: 'holds',
    settings: [
      { name: 'hold_days', kind: 'number' },
      { name: 'clearing_hold_days', kind: 'number' },
      { name: 'atm_deposit', kind: 'decision' },
      { name: 'card_verification_max_tries', kind: 'number' },
    ],
  },
  {
    name: 'security',
    settings: [{ name: 'second_factor_required', kind: 'decision', is_owners: true }],
  },
  {
    name: 'operator',
    settings: [
      { name: 'pci_compliant', kind: 'decision', is_operators: true },
      { name: 'rate_limit_per_second', kind: 'number', is_operators: true },
      { name: 'rate_limit_burst', kind: 'number', is_operators: true },
      { name: 'tenant_rate_limit_per_second', kind: 'number', is_operators: true },
      { name: 'tenant_rate_limit_burst', kind: 'number', is_operators: true },
      { name: 'api_keys_max', kind: 'number', is_operators: true, used: 'api_keys' },
      { name: 'stored_bytes_max', kind: 'number', is_operators: true, used: 'stored_bytes' },
      { name: 'card_details_per_hour', kind: 'number', is_operators: true },
      { name: 'allow_private_endpoints', kind: 'decision', is_operators: true },
    ],
  },
]

/** The entered value, as the API takes it. An empty field is the default, which null restores. */
export function changesOf(name: SettingName, kind: Kind, typed: string): SettingsChanges {
  const text = typed.trim()
  return { [name]: text === '' ? null : READ[kind](text) }
}

const itemsOf = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '')

/**
 * A text that is no number goes to the server as it is, and the server says what is wrong with it.
 */
const numberOf = (text: string): number | string =>
  Number.isNaN(Number(plainDigits(text))) ? text : Number(plainDigits(text))

const READ: Record<Kind, (text: string) => unknown> = {
  text: (text) => text,
  number: numberOf,
  decision: (text) => text === 'true',
  texts: itemsOf,
  numbers: (text) => itemsOf(text).map(numberOf),
}

/** The value of a setting as it is typed. */
export function typedOf(value: Settings[SettingName]): string {
  if (value === undefined) return ''
  return Array.isArray(value) ? value.join(', ') : String(value)
}
