import { type Static, Type } from 'typebox'
import { KEYS_AT_FULL_RATE } from '#callers/keys.ts'
import { KEY_PERMISSIONS } from '#callers/roles.ts'
import {
  Currency,
  Field,
  Instant,
  Line,
  ListOf,
  ListQuery,
  Name,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import {
  clearable,
  Responder,
  ResponderChange,
  type StoredResponder,
  URL_LENGTH,
} from './responder_schema.ts'

export { KEYS_AT_FULL_RATE }

const COUNTRIES_MAX = 300
const RETRIES_MAX = 20
const WEEK_SECONDS = 7 * 24 * 60 * 60
export const DAYS_MAX = 365
const RATE_MAX = 1_000_000
const CARD_DETAILS_MAX = 1_000_000
const API_KEYS_MAX = 100_000
/** A petabyte. */
const STORED_BYTES_MAX = 1e15
/** `card_verification_tries` stores at most so many wrong tries of a card. */
export const VERIFICATION_TRIES_MAX = 100

const IdentityCheck = OneOf(['DOCUMENT', 'FACIAL_SIMILARITY_VIDEO'])
const Days = Type.Integer({ minimum: 1, maximum: DAYS_MAX })

const expiredIdvPolicy = {
  /** D-24. */
  days_prior_expiration: Type.Integer({
    minimum: 0,
    maximum: 10 * DAYS_MAX,
    description: 'Days before the expiry of a document at which its user is warned; default 30.',
  }),
  applicable_user_status: Type.Array(OneOf(['ACTIVE']), {
    maxItems: 1,
    description: 'Statuses of the users that are warned; default ACTIVE.',
  }),
}

const OPERATOR = 'Only the operator may change it.'
const EXPIRY_WARNINGS =
  'Warnings about expiring documents; none by default. Once a day the newest passport, identity ' +
  `card or visa of each INDIVIDUAL is looked at. ${OPERATOR}`

/** Settings that only the operator changes (D-25): they bind the tenant or open the platform. */
const operatorSettings = {
  pci_compliant: Type.Boolean({
    description: `Whether the tenant may handle card numbers in clear; default false. ${OPERATOR}`,
  }),
  expired_idv_policy: Type.Object(expiredIdvPolicy, {
    description: EXPIRY_WARNINGS,
  }),
  rate_limit_per_second: Type.Number({
    minimum: 1,
    maximum: RATE_MAX,
    description: `Average requests per second of a key or a session; default 100. ${OPERATOR}`,
  }),
  rate_limit_burst: Type.Integer({
    minimum: 1,
    maximum: RATE_MAX,
    description: `Requests that each of them may send at once; default 200. ${OPERATOR}`,
  }),
  /** D-1005. */
  tenant_rate_limit_per_second: Type.Number({
    minimum: 1,
    maximum: KEYS_AT_FULL_RATE * RATE_MAX,
    description:
      'Average requests per second of all API keys and sessions of the tenant together, those of ' +
      `its merchants among them; by default four times \`rate_limit_per_second\`. ${OPERATOR}`,
  }),
  tenant_rate_limit_burst: Type.Integer({
    minimum: 1,
    maximum: KEYS_AT_FULL_RATE * RATE_MAX,
    description:
      'Requests that all of them may send at once; by default four times ' +
      `\`rate_limit_burst\`. ${OPERATOR}`,
  }),
  api_keys_max: Type.Integer({
    minimum: 1,
    maximum: API_KEYS_MAX,
    description: `API keys that the tenant may have at a time; default 200. ${OPERATOR}`,
  }),
  stored_bytes_max: Type.Integer({
    minimum: 0,
    maximum: STORED_BYTES_MAX,
    description:
      'Bytes that the files of the tenant may have together; default 2,000,000,000 in sandbox, ' +
      `no limit in live. ${OPERATOR}`,
  }),
  /** D-1003. */
  card_details_per_hour: Type.Integer({
    minimum: 1,
    maximum: CARD_DETAILS_MAX,
    description:
      'Card and token numbers that are shown to the tenant within an hour of its clock, by ' +
      `\`:reveal\` and in widgets; default 1,000 in live, no limit in sandbox. ${OPERATOR}`,
  }),
  allow_private_endpoints: Type.Boolean({
    description:
      'Whether webhooks and the responder may be at loopback addresses of the machine of the ' +
      'program: in sandbox only, while HOST and PUBLIC_URL are loopback addresses, and then by ' +
      `default. Other addresses that are not public are never called. ${OPERATOR}`,
  }),
}

const consent = Type.Boolean({
  description: 'True when users have read the privacy notices and consented; false is not valid.',
})

const clientSettings = {
  default_currency: Field(
    'ISO 4217 currency of a funding that states none; default AED.',
    Currency,
  ),
  /** D-42. */
  time_zone: Type.String({
    maxLength: 64,
    description:
      'IANA time zone of the days of limits, charges, reports and embossing, such as Asia/Dubai; ' +
      'default UTC.',
  }),
  allowed_issuing_countries: Type.Array(Type.String({ maxLength: 3 }), {
    maxItems: COUNTRIES_MAX,
    description: 'ISO 3166-1 countries whose documents are accepted; empty accepts all (default).',
  }),
  require_document_verification: Type.Boolean({
    description: 'Whether a new INDIVIDUAL must verify its identity; default false.',
  }),
  checks: Type.Array(IdentityCheck, {
    maxItems: 2,
    uniqueItems: true,
    description: 'Checks of an identity verification; both by default.',
  }),
  privacy_notices_read_consent_given: consent,
  require_kyc: Type.Boolean({
    description: 'Whether an INDIVIDUAL must pass KYC to become ACTIVE; default false.',
  }),
  /** D-47. */
  hold_days: Field('Days after which a hold expires; default 7.', Days),
  clearing_hold_days: Type.Integer({
    minimum: 0,
    maximum: DAYS_MAX,
    description: 'Days that the rest of a hold remains after a clearing; default 30, 0 for none.',
  }),
  /** D-62. */
  webhook_retry_seconds: Type.Array(Type.Integer({ minimum: 1, maximum: WEEK_SECONDS }), {
    maxItems: RETRIES_MAX,
    description:
      'Seconds before each repeated delivery of an event, each longer by up to a tenth; empty ' +
      'means one attempt. Default 5, 60, 300, 1800, 7200, 18000, 36000, 86400.',
  }),
  atm_deposit: Type.Boolean({
    description: 'Whether deposits at ATMs are accepted; default true.',
  }),
  /** D-122. */
  card_verification_max_tries: Type.Integer({
    minimum: 0,
    maximum: VERIFICATION_TRIES_MAX,
    description:
      'Wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours that block requests ' +
      'without a reading of the card (1022), until 24 hours after the last; default 10, 0 never ' +
      'blocks.',
  }),
  /** D-1020. */
  card_order_hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description:
      'Hour of the day of `time_zone` at which physical cards are ordered from the bureau; ' +
      'default 0, midnight. Cards issued before a change keep their hour.',
  }),
  /** D-1062. */
  dispute_provisional_credit: Field(
    'When the cardholder gets the amount of a dispute before it is decided: never, when it is ' +
      'submitted, or when the chargeback has left; taken back if the dispute is lost. ' +
      'Default NONE.',
    OneOf(['NONE', 'AT_SUBMISSION', 'AT_CHARGEBACK']),
  ),
  /** D-1090. */
  challenge_messenger: Field(
    'How the one-time codes of challenges go out: to `challenge_url`, as a mail to the user, or ' +
      'not at all: then cardholders approve payments in an app of the client. Default NONE.',
    OneOf(['NONE', 'SERVER', 'MAIL']),
  ),
  challenge_url: Type.String({
    minLength: 1,
    maxLength: URL_LENGTH,
    description:
      'URL that gets the codes by POST, signed as questions to the responder; in live mode https ' +
      'at a public address. None by default. `responder:rotateSecret` answers the secret.',
  }),
  /** D-140. */
  second_factor_required: Type.Boolean({
    description:
      'Whether members who sign in to the portal need a second factor: without one they may only ' +
      'set one up. Default true in live, false in sandbox. May be changed by an owner in a ' +
      'session, and by the operator; no API key of the tenant may.',
  }),
}

/** Every setting, or its default; the optional ones have none. */
export const TenantSettings = Type.Object(
  {
    ...clientSettings,
    ...operatorSettings,
    privacy_notices_read_consent_given: Type.Optional(consent),
    challenge_url: Type.Optional(clientSettings.challenge_url),
    expired_idv_policy: Type.Optional(operatorSettings.expired_idv_policy),
    card_details_per_hour: Type.Optional(operatorSettings.card_details_per_hour),
    stored_bytes_max: Type.Optional(operatorSettings.stored_bytes_max),
    responder: Type.Optional(Responder),
  },
  { title: 'TenantSettings', description: 'Every setting that applies to a tenant.' },
)
export type TenantSettings = Static<typeof TenantSettings>

/** A PUT changes what is sent; null restores the default of a setting (D-3, D-104). */
export const SettingsChange = Strict({
  default_currency: clearable(clientSettings.default_currency),
  time_zone: clearable(clientSettings.time_zone),
  allowed_issuing_countries: clearable(clientSettings.allowed_issuing_countries),
  require_document_verification: clearable(clientSettings.require_document_verification),
  checks: clearable(clientSettings.checks),
  privacy_notices_read_consent_given: clearable(clientSettings.privacy_notices_read_consent_given),
  require_kyc: clearable(clientSettings.require_kyc),
  hold_days: clearable(clientSettings.hold_days),
  clearing_hold_days: clearable(clientSettings.clearing_hold_days),
  webhook_retry_seconds: clearable(clientSettings.webhook_retry_seconds),
  atm_deposit: clearable(clientSettings.atm_deposit),
  card_verification_max_tries: clearable(clientSettings.card_verification_max_tries),
  card_order_hour: clearable(clientSettings.card_order_hour),
  dispute_provisional_credit: clearable(clientSettings.dispute_provisional_credit),
  challenge_messenger: clearable(clientSettings.challenge_messenger),
  challenge_url: clearable(clientSettings.challenge_url),
  second_factor_required: clearable(clientSettings.second_factor_required),
  responder: clearable(ResponderChange),
  pci_compliant: clearable(operatorSettings.pci_compliant),
  expired_idv_policy: clearable(
    Strict(
      {
        days_prior_expiration: clearable(expiredIdvPolicy.days_prior_expiration),
        applicable_user_status: clearable(expiredIdvPolicy.applicable_user_status),
      },
      { description: EXPIRY_WARNINGS },
    ),
  ),
  rate_limit_per_second: clearable(operatorSettings.rate_limit_per_second),
  rate_limit_burst: clearable(operatorSettings.rate_limit_burst),
  tenant_rate_limit_per_second: clearable(operatorSettings.tenant_rate_limit_per_second),
  tenant_rate_limit_burst: clearable(operatorSettings.tenant_rate_limit_burst),
  api_keys_max: clearable(operatorSettings.api_keys_max),
  stored_bytes_max: clearable(operatorSettings.stored_bytes_max),
  card_details_per_hour: clearable(operatorSettings.card_details_per_hour),
  allow_private_endpoints: clearable(operatorSettings.allow_private_endpoints),
})
export type SettingsChange = Static<typeof SettingsChange>

/**
 * Settings that protect the members themselves are changed by an owner's session alone (D-1008).
 */
export const OWNER_SETTINGS: readonly string[] = ['second_factor_required']
export const OPERATOR_SETTINGS: readonly string[] = Object.keys(operatorSettings)

/** The settings that were set; nothing else is stored. */
export type StoredSettings = Partial<
  Omit<TenantSettings, 'expired_idv_policy' | 'responder'> & {
    responder: StoredResponder
    expired_idv_policy: Partial<TenantSettings['expired_idv_policy']>
  }
>

/** D-1005. */
export const Usage = Type.Object(
  {
    stored_bytes: Type.Integer({ description: 'Bytes of the files of the tenant.' }),
    stored_bytes_max: Type.Optional(
      Type.Integer({ description: 'Bytes that they may have; absent if there is no limit.' }),
    ),
    api_keys: Type.Integer({ description: 'API keys of the tenant that are not revoked.' }),
    api_keys_max: Type.Integer({ description: 'API keys that it may have.' }),
  },
  { title: 'Usage', description: 'How much of its quotas a tenant uses.' },
)
export type Usage = Static<typeof Usage>

const tenant = {
  id: Field('Id of the tenant.', Uuid),
  name: Field('Name of the tenant.', Name),
  settings: TenantSettings,
  created: Field('When the tenant was created.', Instant),
  modified: Field('When the tenant was last changed.', Instant),
}
export const Tenant = Type.Object(tenant, { title: 'Tenant' })
export type Tenant = Static<typeof Tenant>

export const NewTenant = Strict({
  id: Type.Optional(Field('Id of the new tenant; generated when absent.', Uuid)),
  name: Field('Name of the tenant.', Name),
  settings: Type.Optional(Field('Settings that differ from their defaults.', SettingsChange)),
})
export type NewTenant = Static<typeof NewTenant>

/** The key is returned by the creation alone (D-101). */
export const TenantWithKey = Type.Object(
  { ...tenant, api_key: Type.String({ description: 'First API key, returned only once.' }) },
  { title: 'TenantWithKey' },
)

const ClientPermission = OneOf(KEY_PERMISSIONS)
export type ClientPermission = Static<typeof ClientPermission>

export const NewApiKey = Strict({
  permissions: Type.Array(ClientPermission, {
    minItems: 1,
    maxItems: KEY_PERMISSIONS.length,
    uniqueItems: true,
    description: 'Permissions of the key.',
  }),
})
export type NewApiKey = Static<typeof NewApiKey>

const apiKey = {
  id: Field('Id of the key.', Uuid),
  hint: Field('First and last characters of the key.', Line),
  permissions: Type.Array(Type.String(), { description: 'Permissions of the key.' }),
  created: Field('When the key was created.', Instant),
  created_by: Type.String({
    description: 'Id of the member that made the key, or `operator`.',
  }),
  created_by_email: Type.Optional(
    Type.String({ description: 'E-mail address of that member when the key was made.' }),
  ),
}
export const ApiKey = Type.Object(apiKey, { title: 'ApiKey' })
/** The key is returned by the creation alone (D-101). */
export const ApiKeyWithKey = Type.Object(
  { ...apiKey, key: Type.String({ description: 'The API key, returned only once.' }) },
  { title: 'ApiKeyWithKey' },
)

export const ApiKeyPath = Strict({
  id: Field('Id of the tenant.', Uuid),
  key_id: Field('Id of the key.', Uuid),
})
export const Deleted = Type.Object(
  {
    id: Field('Id of the deleted object.', Uuid),
    deleted: Type.Boolean({ description: 'Always true.' }),
  },
  { title: 'Deleted' },
)

export const TenantList = ListOf(Tenant)
export const ApiKeyList = ListOf(ApiKey)
export const AnyList = ListQuery({})

/** Clients choose ids, so two tenants may use the same one (D-213). */
export const TenantQuery = Strict({
  tenant_id: Type.Optional(
    Field('Tenant of the object; required if several tenants use the same id.', Uuid),
  ),
})
export type TenantQuery = Static<typeof TenantQuery>
