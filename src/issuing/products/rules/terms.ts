/** The terms of a product: the defaults of D-29, then the changes to them. */

import type { Profile } from '#kit/profile.ts'
import { isCurrency } from '#lib/currency.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type {
  Emv,
  NewProduct,
  PinSettings,
  ProductChanges,
  Production,
  ResponderPolicy,
  StoredAuthSettings,
  StoredCharge,
  StoredPinSettings,
} from '../schema.ts'
import { changedCharges } from './charges.ts'
import { changedRange, type PanRange, wholeRange } from './range.ts'
import { changedAmount, mergeAuthSettings } from './settings.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** A term that a product leaves unset has its strictest value (D-315, D-325). */
    readonly strict_terms: boolean
  }
}

/** Everything of a product that a client sets. Amounts are minor units of `currency`. */
export type ProductTerms = PanRange & {
  name: string
  description: string | null
  currency: string
  bin: string
  link_account_to_card: boolean
  virtual_to_physical_expiry_duration: number
  initial_status_of_physical_card: 'INACTIVE' | 'ACTIVE'
  initial_status_of_virtual_card: 'INACTIVE' | 'ACTIVE'
  card_validity_months: number
  /** Products of versions before have no verification. */
  pin: StoredPinSettings
  auth_settings: StoredAuthSettings
  allowed_countries_id: string | null
  allowed_mccs_id: string | null
  allowed_merchants_id: string | null
  num_of_cards_per_user: number | null
  partial_approval: boolean
  identify_above: bigint | null
  otp_3ds: boolean
  responder: ResponderPolicy
  clearing_tolerance_percent: number
  /** The largest credit without a purchase; null: any in sandbox, none in live (D-315). */
  unlinked_credit_max_amount: bigint | null
  unlinked_credit_max_daily_amount: bigint | null
  /** null is the default of the deployment. */
  emv: Emv | null
  /** How the bureau makes its cards; null has every default. */
  production: Production | null
  charges: StoredCharge[]
  allow_negative_charges: boolean
}

/** The amounts of a product itself, each null if it is not set. */
type ProductAmount =
  | 'identify_above'
  | 'unlinked_credit_max_amount'
  | 'unlinked_credit_max_daily_amount'

/**
 * The columns that a change writes: the sent members, and those that are computed at each change.
 */
export type TermChanges = Partial<ProductTerms> &
  Pick<ProductTerms, keyof PanRange | 'pin' | 'auth_settings' | 'charges' | ProductAmount>

/** The number of digits between BIN and check digit. */
type BodyLength = (bin: string) => number

const defaults = {
  description: null,
  link_account_to_card: true,
  virtual_to_physical_expiry_duration: 30,
  initial_status_of_physical_card: 'INACTIVE',
  initial_status_of_virtual_card: 'INACTIVE',
  card_validity_months: 36,
  pin: { length: 4, max_tries: 3, refuse_weak: true },
  auth_settings: {},
  allowed_countries_id: null,
  allowed_mccs_id: null,
  allowed_merchants_id: null,
  num_of_cards_per_user: null,
  partial_approval: false,
  identify_above: null,
  otp_3ds: false,
  responder: 'ASK',
  clearing_tolerance_percent: 15,
  unlinked_credit_max_amount: null,
  unlinked_credit_max_daily_amount: null,
  emv: null,
  production: null,
  charges: [],
  allow_negative_charges: false,
} satisfies Partial<ProductTerms>

/** The terms of a new product; `known` are faults that were found before. */
export function checkNewTerms(
  input: Omit<NewProduct, 'id'>,
  bodyLength: BodyLength,
  known: readonly Fault[] = [],
): Result<ProductTerms, 'validation_failed'> {
  const { name, currency, bin } = input
  const start = { ...defaults, name, currency, bin, ...wholeRange(bodyLength(bin)) }
  const result = checkTerms(start, input, bodyLength, known)
  return result.ok ? ok({ ...start, ...result.value }) : result
}

/**
 * The columns that a change of the terms writes. Fails with every fault of it and those already
 * known.
 */
export function checkTerms(
  before: ProductTerms,
  changes: ProductChanges,
  bodyLength: BodyLength,
  known: readonly Fault[] = [],
): Result<TermChanges, 'validation_failed'> {
  const { pan_range, auth_settings, pin, charges: sent, ...plain } = changes
  const currency = changes.currency ?? before.currency
  const bin = changes.bin ?? before.bin
  const { range, faults } = changedRange(
    bin === before.bin ? before : wholeRange(bodyLength(bin)),
    pan_range,
  )
  faults.push(...known)
  if (!isCurrency(currency)) {
    faults.push({ path: 'currency', message: 'is not a currency of ISO 4217' })
    return fail('validation_failed', { errors: faults })
  }
  const currencies = { from: before.currency, to: currency, prefix: 'auth_settings.' }
  const merged = mergeAuthSettings(before.auth_settings, auth_settings ?? {}, currencies)
  const amounts = changedAmounts(before, changes, currency)
  const { charges, faults: ofCharges } = changedCharges(sent, before.charges, currencies)
  faults.push(...merged.faults, ...amounts.faults, ...ofCharges)
  if (faults.length > 0) return fail('validation_failed', { errors: faults })
  return ok({
    ...plain,
    ...range,
    pin: { ...before.pin, ...pin },
    auth_settings: merged.settings,
    charges,
    ...amounts.set,
  })
}

function changedAmounts(before: ProductTerms, changes: ProductChanges, currency: string) {
  const faults: Fault[] = []
  const changed = (name: ProductAmount): bigint | null => {
    const stored = { minor: before[name] ?? undefined, currency: before.currency }
    const { minor, faults: found } = changedAmount(changes[name], stored, currency, name)
    faults.push(...found)
    return minor ?? null
  }
  const set = {
    identify_above: changed('identify_above'),
    unlinked_credit_max_amount: changed('unlinked_credit_max_amount'),
    unlinked_credit_max_daily_amount: changed('unlinked_credit_max_daily_amount'),
  }
  return { set, faults }
}

/** The rules for the PINs of a product: without a verification it is by a PVV (D-1015). */
export const pinRules = (pin: StoredPinSettings): PinSettings => ({ verification: 'PVV', ...pin })

/** The rule of a product, or the default of the deployment: in live REQUIRED (D-325). */
export const emvInForce = (emv: Emv | null, { strict_terms }: Pick<Profile, 'strict_terms'>): Emv =>
  emv ?? (strict_terms ? 'REQUIRED' : 'WAIVED')
