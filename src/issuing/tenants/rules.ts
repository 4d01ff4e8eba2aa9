/** Settings of a tenant: defaults, merging, and checks of a change (D-25, D-104). */

import type { Profile } from '#kit/profile.ts'
import { toAlpha3 } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import { isTimeZone } from '#lib/window.ts'
import {
  KEYS_AT_FULL_RATE,
  OPERATOR_SETTINGS,
  OWNER_SETTINGS,
  type SettingsChange,
  type StoredSettings,
  type TenantSettings,
} from './schema.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Clients may name pages and endpoints without TLS, as on a developer's machine (D-65). */
    readonly plain_http: boolean
    /** A tenant may receive webhooks at loopback addresses (D-115, D-1004). */
    readonly private_endpoints: boolean
    /** A tenant may answer the questions of its responder by calls (D-510). */
    readonly responder_listener: boolean
    /** Card details shown to a tenant within an hour, if its settings do not say (D-1003). */
    readonly card_details_per_hour: number | null
    /** Bytes of the files of a tenant, if its settings do not say (D-1005). */
    readonly stored_bytes_max: number | null
    /** Members of a tenant need a second factor if its settings do not say otherwise (D-140). */
    readonly second_factor: boolean
  }
}

export { VERIFICATION_TRIES_MAX } from './schema.ts'

/** The settings that depend on the deployment; the stricter value if it is not known. */
type Permitted = Pick<
  Profile,
  'private_endpoints' | 'second_factor' | 'card_details_per_hour' | 'stored_bytes_max'
>
const STRICT: Permitted = {
  private_endpoints: false,
  second_factor: true,
  card_details_per_hour: 1_000,
  stored_bytes_max: null,
}

type OfOthers =
  | 'second_factor_required'
  | 'tenant_rate_limit_per_second'
  | 'tenant_rate_limit_burst'

/**
 * All defaults but those of a deployment and those that follow from other settings; among them the
 * rate of D-11 and the schedule of D-62.
 */
export const DEFAULTS: Omit<TenantSettings, OfOthers> = {
  default_currency: 'AED',
  time_zone: 'UTC',
  allowed_issuing_countries: [],
  pci_compliant: false,
  require_document_verification: false,
  checks: ['DOCUMENT', 'FACIAL_SIMILARITY_VIDEO'],
  require_kyc: false,
  hold_days: 7,
  clearing_hold_days: 30,
  webhook_retry_seconds: [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400],
  atm_deposit: true,
  card_verification_max_tries: 10,
  card_order_hour: 0,
  dispute_provisional_credit: 'NONE',
  challenge_messenger: 'NONE',
  rate_limit_per_second: 100,
  rate_limit_burst: 200,
  api_keys_max: 200,
  allow_private_endpoints: true,
}
const POLICY_DEFAULTS = { days_prior_expiration: 30 }
const RESPONDER_DEFAULTS = { timeout_ms: 2000, default_action: 'DECLINE' } as const
const ACTIONS = {
  APPROVE: 'APPROVE',
  approve: 'APPROVE',
  DECLINE: 'DECLINE',
  decline: 'DECLINE',
} as const

/**
 * The settings that apply, from the stored ones. If the deployment permits no private endpoints, or
 * `permitted` is left out, that setting is false whatever is stored (D-115). The deployment decides
 * whether members need a second factor until the tenant sets it (D-140).
 */
export function mergeSettings(
  stored: StoredSettings,
  permitted: Permitted = STRICT,
): TenantSettings {
  const { responder, expired_idv_policy, ...rest } = stored
  const { second_factor: second_factor_required } = permitted
  const { card_details_per_hour, stored_bytes_max } = permitted
  const ofKey = { ...DEFAULTS, ...rest }
  const settings: TenantSettings = {
    ...DEFAULTS,
    second_factor_required,
    ...(card_details_per_hour !== null && { card_details_per_hour }),
    ...(stored_bytes_max !== null && { stored_bytes_max }),
    tenant_rate_limit_per_second: KEYS_AT_FULL_RATE * ofKey.rate_limit_per_second,
    tenant_rate_limit_burst: KEYS_AT_FULL_RATE * ofKey.rate_limit_burst,
    ...rest,
  }
  settings.allow_private_endpoints &&= permitted.private_endpoints
  if (responder?.url !== undefined || responder?.listener) {
    const { default_action, ...set } = { ...RESPONDER_DEFAULTS, ...responder }
    settings.responder = { ...set, default_action: ACTIONS[default_action] }
  }
  if (expired_idv_policy) {
    settings.expired_idv_policy = {
      ...POLICY_DEFAULTS,
      applicable_user_status: ['ACTIVE'],
      ...expired_idv_policy,
    }
  }
  return settings
}

type EndpointPolicy = { https_only: boolean; allow_private: boolean }
type Caller = {
  is_operator: boolean
  /** Acts in a session of an owner of the tenant. */
  is_owner?: boolean
  profile: Permitted & Pick<Profile, 'plain_http' | 'responder_listener'>
  /** The fault of a URL that is called, or undefined (D-65). */
  faultOfEndpoint: (url: string, policy: EndpointPolicy) => string | undefined
}

/** Whether the change may be made and is sound; answers what is to be stored. */
export function checkSettings(
  stored: StoredSettings,
  change: SettingsChange,
  caller: Caller,
): Result<StoredSettings, 'permission_missing' | 'validation_failed'> {
  const reserved = OPERATOR_SETTINGS.filter((name) => name in change)
  if (!caller.is_operator && reserved.length > 0) {
    return fail('permission_missing', {
      detail: `Only the operator may set ${reserved.join(', ')}.`,
      extra: { permission: 'operator' },
      errors: reserved.map((path) => ({ path, message: 'may only be set by the operator' })),
    })
  }
  const ofOwners = OWNER_SETTINGS.filter((name) => name in change)
  if (!caller.is_operator && !caller.is_owner && ofOwners.length > 0) {
    return fail('permission_missing', {
      detail: `Only an owner may set ${ofOwners.join(', ')}, in a session of the console.`,
      errors: ofOwners.map((path) => ({ path, message: 'may only be set by an owner’s session' })),
    })
  }
  const next = withAlpha3(withoutNulls({ ...stored, ...mergedMembers(stored, change) }))
  const errors = [
    ...faultsOf(change, next, caller.profile),
    ...(change.responder ? faultsOfResponder(change.responder, next, caller) : []),
    ...faultsOfMessenger(change, next, caller),
  ]
  return errors.length > 0 ? fail('validation_failed', { errors }) : ok(next)
}

/** Nested objects merge member by member; arrays and plain values are replaced (D-104). */
function mergedMembers(stored: StoredSettings, change: SettingsChange): SettingsChange {
  const { expired_idv_policy, responder } = change
  return {
    ...change,
    ...(responder && { responder: mergedResponder(stored.responder, responder) }),
    ...(expired_idv_policy && {
      expired_idv_policy: { ...stored.expired_idv_policy, ...expired_idv_policy },
    }),
  }
}

type ResponderChange = NonNullable<SettingsChange['responder']>

/** A URL takes the place of the listener, and the listener that of a URL (D-510). */
function mergedResponder(stored: StoredSettings['responder'], change: ResponderChange) {
  const merged = { ...stored, ...change }
  if (change.url) return { ...merged, listener: null }
  if (change.listener) return { ...merged, url: null }
  return { ...merged, listener: merged.listener || null }
}

type WithoutNulls<Value> = Value extends readonly unknown[]
  ? Value
  : Value extends object
    ? { [Member in keyof Value]: WithoutNulls<NonNullable<Value[Member]>> }
    : Value

function withoutNulls<Value extends object>(value: Value): WithoutNulls<Value> {
  const entries = Object.entries(value)
    .filter(([, member]) => member !== null)
    .map(([name, member]) => [name, isObject(member) ? withoutNulls(member) : member])
  // Entries lose the names of their members; the result is the same object less its nulls.
  return Object.fromEntries(entries) as WithoutNulls<Value>
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Countries are stored once each, as alpha-3; `faultsOf` reports an unknown one. */
function withAlpha3(settings: StoredSettings): StoredSettings {
  const countries = settings.allowed_issuing_countries
  if (!countries) return settings
  const codes = new Set(countries.map((country) => toAlpha3(country) ?? country))
  return { ...settings, allowed_issuing_countries: [...codes] }
}

function faultsOf(change: SettingsChange, next: StoredSettings, permitted: Permitted): Fault[] {
  const faults: Fault[] = []
  const found = (path: string, message: string) => faults.push({ path, message })
  const { time_zone } = next
  const { default_currency } = change

  if (default_currency && !isCurrency(default_currency)) {
    found('default_currency', 'is not a currency of ISO 4217')
  }
  if (time_zone !== undefined && !isTimeZone(time_zone)) {
    found('time_zone', 'is not the name of a time zone, such as Asia/Dubai')
  }
  for (const [at, country] of (change.allowed_issuing_countries ?? []).entries()) {
    if (toAlpha3(country) !== undefined) continue
    found(`allowed_issuing_countries.${at}`, 'is not a country of ISO 3166-1')
  }
  if (change.privacy_notices_read_consent_given === false) {
    found('privacy_notices_read_consent_given', 'must be true: set it when users have consented')
  }
  if (change.allow_private_endpoints === true && !permitted.private_endpoints) {
    found(
      'allow_private_endpoints',
      'may be true in sandbox only, while HOST and PUBLIC_URL are loopback addresses',
    )
  }
  return faults
}

function faultsOfResponder(
  change: ResponderChange,
  next: StoredSettings,
  { profile, faultOfEndpoint }: Caller,
): Fault[] {
  const path = 'responder.url'
  const listener = 'responder.listener'
  const { url, listener: isListener } = next.responder ?? {}
  if (change.listener && change.url) {
    return [{ path: listener, message: 'excludes `url`: send one of them' }]
  }
  if (isListener && !profile.responder_listener) {
    return [{ path: listener, message: 'may be true in sandbox only' }]
  }
  if (isListener) return []
  if (url === undefined) return [{ path, message: 'is required: null removes the responder' }]
  const { allow_private_endpoints: allow_private } = mergeSettings(next, profile)
  const fault = faultOfEndpoint(url, { https_only: !profile.plain_http, allow_private })
  return fault === undefined ? [] : [{ path, message: fault }]
}

/** One-time codes go to a server under the rules of the responder (D-1090). */
function faultsOfMessenger(
  change: SettingsChange,
  next: StoredSettings,
  { profile, faultOfEndpoint }: Caller,
): Fault[] {
  const path = 'challenge_url'
  if (!('challenge_url' in change) && !('challenge_messenger' in change)) return []
  const { challenge_url: url, challenge_messenger } = next
  if (url === undefined) {
    const isNeeded = challenge_messenger === 'SERVER'
    return isNeeded ? [{ path, message: 'is required where the messenger is SERVER' }] : []
  }
  const { allow_private_endpoints: allow_private } = mergeSettings(next, profile)
  const fault = faultOfEndpoint(url, { https_only: !profile.plain_http, allow_private })
  return fault === undefined ? [] : [{ path, message: fault }]
}
