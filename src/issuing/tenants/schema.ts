import { type Static, Type } from 'typebox'
import {
  Currency,
  Instant,
  Line,
  ListOf,
  ListQuery,
  Name,
  Nullable,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'

const COUNTRIES_MAX = 300
const RETRIES_MAX = 20
const WEEK_SECONDS = 7 * 24 * 60 * 60
const DAYS_MAX = 365
const RATE_MAX = 1_000_000
const URL_LENGTH = 2000
/** The most wrong tries of a card that are kept: `card_verification_tries` holds no more. */
export const VERIFICATION_TRIES_MAX = 100

const IdentityCheck = OneOf(['DOCUMENT', 'FACIAL_SIMILARITY_VIDEO'])
const Days = Type.Integer({ minimum: 1, maximum: DAYS_MAX })

const expiredIdvPolicy = {
  /** How many days before a document's expiry its user is warned (D-24). */
  days_prior_expiration: Type.Integer({ minimum: 0, maximum: 10 * DAYS_MAX }),
  applicable_user_status: Type.Array(OneOf(['ACTIVE']), { maxItems: 1 }),
}
/** Not built yet: refused in any form but null (D-130). */
const responder = {
  url: Type.String({ minLength: 1, maxLength: URL_LENGTH }),
  /** How long an authorization waits for it (D-58). */
  timeout_ms: Type.Integer({ minimum: 500, maximum: 3000 }),
  /** What becomes of the authorization when it does not answer in time. */
  default_action: OneOf(['APPROVE', 'DECLINE']),
}

/** Settings that only the operator changes (D-25): they bind the tenant or open the platform. */
const operatorSettings = {
  pci_compliant: Type.Boolean(),
  expired_idv_policy: Type.Object(expiredIdvPolicy),
  rate_limit_per_second: Type.Number({ minimum: 1, maximum: RATE_MAX }),
  rate_limit_burst: Type.Integer({ minimum: 1, maximum: RATE_MAX }),
  allow_private_endpoints: Type.Boolean(),
}

const clientSettings = {
  /** Of a funding that names none. */
  default_currency: Currency,
  /** Where the days of limits begin (D-42): a name such as Asia/Dubai. */
  time_zone: Type.String({ maxLength: 64 }),
  /** Documents of other countries are refused; empty means that every country will do. */
  allowed_issuing_countries: Type.Array(Type.String({ maxLength: 3 }), {
    maxItems: COUNTRIES_MAX,
  }),
  require_document_verification: Type.Boolean(),
  checks: Type.Array(IdentityCheck, { maxItems: 2, uniqueItems: true }),
  privacy_notices_read_consent_given: Type.Boolean(),
  require_kyc: Type.Boolean(),
  /** After so many days a hold ends by itself (D-47). */
  hold_days: Days,
  /** So long stays held what a clearing left of its hold (D-47); 0 releases it at once. */
  clearing_hold_days: Type.Integer({ minimum: 0, maximum: DAYS_MAX }),
  /** Waits before each repeated delivery of an event (D-62); empty means a single attempt. */
  webhook_retry_seconds: Type.Array(Type.Integer({ minimum: 1, maximum: WEEK_SECONDS }), {
    maxItems: RETRIES_MAX,
  }),
  atm_deposit: Type.Boolean(),
  /**
   * So many wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours block what is asked
   * without the card being read (D-122); 0 neither counts nor blocks.
   */
  card_verification_max_tries: Type.Integer({ minimum: 0, maximum: VERIFICATION_TRIES_MAX }),
}

/**
 * Every setting with its default in the place of what was never set; the optional ones have none.
 */
export const TenantSettings = Type.Object(
  {
    ...clientSettings,
    ...operatorSettings,
    privacy_notices_read_consent_given: Type.Optional(Type.Boolean()),
    expired_idv_policy: Type.Optional(Type.Object(expiredIdvPolicy)),
  },
  { title: 'TenantSettings' },
)
export type TenantSettings = Static<typeof TenantSettings>

/** A PUT changes what it names; null takes a setting back to its default (D-3, D-104). */
export const SettingsChange = Strict({
  default_currency: Type.Optional(Nullable(clientSettings.default_currency)),
  time_zone: Type.Optional(Nullable(clientSettings.time_zone)),
  allowed_issuing_countries: Type.Optional(Nullable(clientSettings.allowed_issuing_countries)),
  require_document_verification: Type.Optional(
    Nullable(clientSettings.require_document_verification),
  ),
  checks: Type.Optional(Nullable(clientSettings.checks)),
  privacy_notices_read_consent_given: Type.Optional(
    Nullable(clientSettings.privacy_notices_read_consent_given),
  ),
  require_kyc: Type.Optional(Nullable(clientSettings.require_kyc)),
  hold_days: Type.Optional(Nullable(clientSettings.hold_days)),
  clearing_hold_days: Type.Optional(Nullable(clientSettings.clearing_hold_days)),
  webhook_retry_seconds: Type.Optional(Nullable(clientSettings.webhook_retry_seconds)),
  atm_deposit: Type.Optional(Nullable(clientSettings.atm_deposit)),
  card_verification_max_tries: Type.Optional(Nullable(clientSettings.card_verification_max_tries)),
  responder: Type.Optional(
    Nullable(
      Strict({
        url: Type.Optional(Nullable(responder.url)),
        timeout_ms: Type.Optional(Nullable(responder.timeout_ms)),
        default_action: Type.Optional(Nullable(responder.default_action)),
      }),
    ),
  ),
  pci_compliant: Type.Optional(Nullable(operatorSettings.pci_compliant)),
  expired_idv_policy: Type.Optional(
    Nullable(
      Strict({
        days_prior_expiration: Type.Optional(Nullable(expiredIdvPolicy.days_prior_expiration)),
        applicable_user_status: Type.Optional(Nullable(expiredIdvPolicy.applicable_user_status)),
      }),
    ),
  ),
  rate_limit_per_second: Type.Optional(Nullable(operatorSettings.rate_limit_per_second)),
  rate_limit_burst: Type.Optional(Nullable(operatorSettings.rate_limit_burst)),
  allow_private_endpoints: Type.Optional(Nullable(operatorSettings.allow_private_endpoints)),
})
export type SettingsChange = Static<typeof SettingsChange>

export const OPERATOR_SETTINGS: readonly string[] = Object.keys(operatorSettings)

/** What of the settings was set; this and nothing else is stored. */
export type StoredSettings = Partial<
  Omit<TenantSettings, 'expired_idv_policy'> & {
    /** Was taken before D-130, and has no effect. */
    responder: object
    expired_idv_policy: Partial<TenantSettings['expired_idv_policy']>
  }
>

const tenant = {
  id: Uuid,
  name: Name,
  settings: TenantSettings,
  created: Instant,
  modified: Instant,
}
export const Tenant = Type.Object(tenant, { title: 'Tenant' })
export type Tenant = Static<typeof Tenant>

export const NewTenant = Strict({
  id: Type.Optional(Uuid),
  name: Name,
  settings: Type.Optional(SettingsChange),
})
export type NewTenant = Static<typeof NewTenant>

/** A tenant with its first API key, which is told here and never again (D-101). */
export const TenantWithKey = Type.Object(
  { ...tenant, api_key: Type.String() },
  { title: 'TenantWithKey' },
)

const clientPermissions = ['read', 'write', 'cards:reveal'] as const
const ClientPermission = OneOf(clientPermissions)
export type ClientPermission = Static<typeof ClientPermission>
export const EVERY_CLIENT_PERMISSION: readonly ClientPermission[] = clientPermissions

export const NewApiKey = Strict({
  permissions: Type.Array(ClientPermission, { minItems: 1, maxItems: 3, uniqueItems: true }),
})
export type NewApiKey = Static<typeof NewApiKey>

const apiKey = {
  id: Uuid,
  /** The first and last characters of the key. */
  hint: Line,
  permissions: Type.Array(Type.String()),
  created: Instant,
}
export const ApiKey = Type.Object(apiKey, { title: 'ApiKey' })
/** The key itself is told here and never again (D-101). */
export const ApiKeyWithKey = Type.Object(
  { ...apiKey, key: Type.String() },
  { title: 'ApiKeyWithKey' },
)

export const ApiKeyPath = Strict({ id: Uuid, key_id: Uuid })
export const Deleted = Type.Object({ id: Uuid, deleted: Type.Boolean() }, { title: 'Deleted' })

export const TenantList = ListOf(Tenant)
export const ApiKeyList = ListOf(ApiKey)
export const AnyList = ListQuery({})

/** Beside the id where two tenants use the same one (D-213). */
export const TenantQuery = Strict({ tenant_id: Type.Optional(Uuid) })
export type TenantQuery = Static<typeof TenantQuery>
