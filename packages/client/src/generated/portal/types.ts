export interface SecondFactors {
  /** Whether codes by time are set up. */
  totp: boolean
  /** How many passkeys there are. */
  passkeys: number
  /** How many recovery codes were not used. */
  recovery_codes: number
}

export type Problem = {
  /**
   * Format: uri
   * The page that describes the code.
   */
  type: string
  /** The HTTP status in words. */
  title: string
  /** The HTTP status. */
  status: number
  /** The fault, in a sentence for a person. */
  detail: string
  /** The fault, for a program; it never changes. */
  code: string
  /**
   * Format: uuid
   * Id of the request, as in the logs.
   */
  request_id: string
  /** Every fault of the request. */
  errors?: {
    /** The member at fault, as a dotted path. */
    path: string
    /** The fault of the member. */
    message: string
  }[]
} & {
  [key: string]: unknown
}

export interface TotpSecret {
  /** The secret in base 32, to be typed into an app. */
  secret: string
  /** The same as an `otpauth` URI, to be shown as a QR code. */
  uri: string
}

export interface RecoveryCodes {
  /** Codes for when the app is lost, each valid once. Only this answer has them. */
  recovery_codes: string[]
}

export interface Member {
  /**
   * Format: uuid
   * Id of the member, which audit records name.
   */
  id: string
  /** E-mail address as it was written. */
  email: string
  /** Role of the member. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /** Whether a sign-in needs a second factor. */
  second_factor: boolean
  /**
   * Format: date-time
   * When the person became a member, in real time.
   */
  created: string
}

export interface SignedIn {
  member: Member
}

export interface Challenge {
  /** Challenge that the second step repeats; valid once, for five minutes. */
  challenge: string
}

/** Every setting that applies to a tenant. */
export interface TenantSettings {
  /** ISO 4217 currency of a funding that states none; default AED. */
  default_currency: string
  /** IANA time zone of the days of limits, charges, reports and embossing, such as Asia/Dubai; default UTC. */
  time_zone: string
  /** ISO 3166-1 countries whose documents are accepted; empty accepts all (default). */
  allowed_issuing_countries: string[]
  /** Whether a new INDIVIDUAL must verify its identity; default false. */
  require_document_verification: boolean
  /** Checks of an identity verification; both by default. */
  checks: ('DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO')[]
  /** True when users have read the privacy notices and consented; false is not valid. */
  privacy_notices_read_consent_given?: boolean
  /** Whether an INDIVIDUAL must pass KYC to become ACTIVE; default false. */
  require_kyc: boolean
  /** Days after which a hold expires; default 7. */
  hold_days: number
  /** Days that the rest of a hold remains after a clearing; default 30, 0 for none. */
  clearing_hold_days: number
  /** Seconds before each repeated delivery of an event, each longer by up to a tenth; empty means one attempt. Default 5, 60, 300, 1800, 7200, 18000, 36000, 86400. */
  webhook_retry_seconds: number[]
  /** Whether deposits at ATMs are accepted; default true. */
  atm_deposit: boolean
  /** Wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours that block requests without a reading of the card (1022), until 24 hours after the last; default 10, 0 never blocks. */
  card_verification_max_tries: number
  /** Hour of the day of `time_zone` at which physical cards are ordered from the bureau; default 0, midnight. Cards issued before a change keep their hour. */
  card_order_hour: number
  /** When the cardholder gets the amount of a dispute before it is decided: never, when it is submitted, or when the chargeback has left; taken back if the dispute is lost. Default NONE. */
  dispute_provisional_credit: 'NONE' | 'AT_SUBMISSION' | 'AT_CHARGEBACK'
  /** How the one-time codes of challenges go out: to `challenge_url`, as a mail to the user, or not at all: then cardholders approve payments in an app of the client. Default NONE. */
  challenge_messenger: 'NONE' | 'SERVER' | 'MAIL'
  /** URL that gets the codes by POST, signed as questions to the responder; in live mode https at a public address. None by default. `responder:rotateSecret` answers the secret. */
  challenge_url?: string
  /** Whether members who sign in to the portal need a second factor: without one they may only set one up. Default true in live, false in sandbox. May be changed by an owner in a session, and by the operator; no API key of the tenant may. */
  second_factor_required: boolean
  /** Whether the tenant may handle card numbers in clear; default false. Only the operator may change it. */
  pci_compliant: boolean
  /** Warnings about expiring documents; none by default. Once a day the newest passport, identity card or visa of each INDIVIDUAL is looked at. Only the operator may change it. */
  expired_idv_policy?: {
    /** Days before the expiry of a document at which its user is warned; default 30. */
    days_prior_expiration: number
    /** Statuses of the users that are warned; default ACTIVE. */
    applicable_user_status: 'ACTIVE'[]
  }
  /** Average requests per second of a key or a session; default 100. Only the operator may change it. */
  rate_limit_per_second: number
  /** Requests that each of them may send at once; default 200. Only the operator may change it. */
  rate_limit_burst: number
  /** Average requests per second of all API keys and sessions of the tenant together, those of its merchants among them; by default four times `rate_limit_per_second`. Only the operator may change it. */
  tenant_rate_limit_per_second: number
  /** Requests that all of them may send at once; by default four times `rate_limit_burst`. Only the operator may change it. */
  tenant_rate_limit_burst: number
  /** API keys that the tenant may have at a time; default 200. Only the operator may change it. */
  api_keys_max: number
  /** Bytes that the files of the tenant may have together; default 2,000,000,000 in sandbox, no limit in live. Only the operator may change it. */
  stored_bytes_max?: number
  /** Card and token numbers that are shown to the tenant within an hour of its clock, by `:reveal` and in widgets; default 1,000 in live, no limit in sandbox. Only the operator may change it. */
  card_details_per_hour?: number
  /** Whether webhooks and the responder may be at loopback addresses of the machine of the program: in sandbox only, while HOST and PUBLIC_URL are loopback addresses, and then by default. Other addresses that are not public are never called. Only the operator may change it. */
  allow_private_endpoints: boolean
  /** Responder that decides on authorizations: `url` or the listener; none by default. */
  responder?: {
    /** URL that is asked by POST; in live mode https at a public address. */
    url?: string
    /** True if the tenant answers by calls of /simulate/responderrequests instead of at a `url`; in sandbox only. */
    listener?: boolean
    /** Milliseconds within which it must answer; default 2000. */
    timeout_ms: number
    /** Action without a valid answer; default DECLINE (1852). */
    default_action: 'APPROVE' | 'DECLINE'
    /** Signing secret, only in the answer that makes it. */
    secret?: string
  }
}

export interface Tenant {
  /**
   * Format: uuid
   * Id of the tenant.
   */
  id: string
  /**
   * Format: not-blank
   * Name of the tenant.
   */
  name: string
  settings: TenantSettings
  /**
   * Format: date-time
   * When the tenant was created.
   */
  created: string
  /**
   * Format: date-time
   * When the tenant was last changed.
   */
  modified: string
}

export interface PresentSession {
  member: Member
  tenant?: Tenant
  /** Header with which a request of the operator’s team names the tenant that it acts for; only for a member of that team. */
  tenant_header?: string
  /** Role of the member. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /** Permissions that the member may give to an API key. */
  permissions: ('read' | 'write' | 'cards:reveal' | 'cards:widget')[]
  /** Operations that the role may call, by `operationId`. */
  operations: string[]
  /**
   * Format: date-time
   * When the session ends, used or not, in real time.
   */
  expires: string
  /** Whether the session may only set up a second factor, which the tenant requires and the member lacks. */
  second_factor_required: boolean
}

export interface Session {
  /**
   * Format: uuid
   * Id of the session.
   */
  id: string
  /** Whether it is the session of this request. */
  current: boolean
  /**
   * Format: date-time
   * When the sign-in was, in real time.
   */
  created: string
  /**
   * Format: date-time
   * When it was used last, to ten seconds.
   */
  last_used: string
  /**
   * Format: date-time
   * When it ends, used or not.
   */
  expires: string
  /** User agent of the browser. */
  user_agent: string
  /** IP address that the sign-in came from. */
  address: string
}

/** Options that the browser passes to `navigator.credentials.get`. */
export interface PasskeyRequest {
  [key: string]: unknown
}

export interface PasskeyRequestOptions {
  options: PasskeyRequest
}

/** Options that the browser passes to `navigator.credentials.create`. */
export interface PasskeyCreation {
  [key: string]: unknown
}

export interface PasskeyCreationOptions {
  options: PasskeyCreation
}

export interface Passkey {
  /** Id of the credential, in base64url. */
  id: string
  /**
   * Format: not-blank
   * Name by which the member knows the passkey.
   */
  name: string
  /**
   * Format: date-time
   * When it was registered, in real time.
   */
  created: string
  /**
   * Format: date-time
   * When it was used last, in real time.
   */
  last_used?: string
}

export interface Registered {
  member: Member
  tenant: Tenant
  /** First API key of the tenant, returned only once. */
  api_key: string
}

/** Nothing. */
export type ToConfirm = Record<string, never>

export interface KeyWithValue {
  /**
   * Format: uuid
   * Id of the key, which audit records name.
   */
  id: string
  /**
   * Format: not-blank
   * Name of the key; keys of the operator may have none.
   */
  name?: string
  /** First characters of the key. */
  prefix: string
  /** Permissions of the key. */
  permissions: string[]
  /**
   * Format: date-time
   * When the key was created.
   */
  created: string
  /** Id of the member that made the key, or `operator`. */
  created_by: string
  /** E-mail address of that member when the key was made; also of a former one. */
  created_by_email?: string
  /** The API key, returned only once. */
  api_key: string
}

export interface Key {
  /**
   * Format: uuid
   * Id of the key, which audit records name.
   */
  id: string
  /**
   * Format: not-blank
   * Name of the key; keys of the operator may have none.
   */
  name?: string
  /** First characters of the key. */
  prefix: string
  /** Permissions of the key. */
  permissions: string[]
  /**
   * Format: date-time
   * When the key was created.
   */
  created: string
  /** Id of the member that made the key, or `operator`. */
  created_by: string
  /** E-mail address of that member when the key was made; also of a former one. */
  created_by_email?: string
  /**
   * Format: date-time
   * When it was used last, in real time, to ten seconds.
   */
  last_used?: string
}

export interface MadeInvitation {
  /**
   * Format: uuid
   * Id of the invitation.
   */
  id: string
  /** Address that is invited, in lower case. */
  email: string
  /** Role that the invited person is to have. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /**
   * Format: date-time
   * When the invitation was made, in real time.
   */
  created: string
  /**
   * Format: date-time
   * When its link ends, in real time.
   */
  expires: string
  /** Link to send to the person, where this deployment sends no mails. Only this answer contains it. */
  link?: string
}

export interface Invitation {
  /**
   * Format: uuid
   * Id of the invitation.
   */
  id: string
  /** Address that is invited, in lower case. */
  email: string
  /** Role that the invited person is to have. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /**
   * Format: date-time
   * When the invitation was made, in real time.
   */
  created: string
  /**
   * Format: date-time
   * When its link ends, in real time.
   */
  expires: string
}

export interface OperatorInvited {
  /**
   * Format: uuid
   * Id of the invitation.
   */
  id: string
  /** Address that is invited, in lower case. */
  email: string
  /** Role that the invited person is to have. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /**
   * Format: date-time
   * When the invitation was made, in real time.
   */
  created: string
  /**
   * Format: date-time
   * When its link ends, in real time.
   */
  expires: string
  /** Link to send to the person; valid once. Only this answer contains it. */
  link: string
}

export interface KeyOfMember {
  /**
   * Format: uuid
   * Id of the key, which audit records name.
   */
  id: string
  /**
   * Format: not-blank
   * Name of the key; keys of the operator may have none.
   */
  name?: string
  /** First characters of the key. */
  prefix: string
  /** Permissions of the key. */
  permissions: string[]
  /**
   * Format: date-time
   * When the key was created.
   */
  created: string
  /** Id of the member that made the key, or `operator`. */
  created_by: string
  /** E-mail address of that member when the key was made; also of a former one. */
  created_by_email?: string
  /** Whether it can do more than a key that the new role may make; true of a removed member. */
  exceeds_role: boolean
}

export interface ChangedMember {
  /**
   * Format: uuid
   * Id of the member, which audit records name.
   */
  id: string
  /** E-mail address as it was written. */
  email: string
  /** Role of the member. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /** Whether a sign-in needs a second factor. */
  second_factor: boolean
  /**
   * Format: date-time
   * When the person became a member, in real time.
   */
  created: string
  /** API keys that the member has made and that were revoked with this. */
  revoked_keys: KeyOfMember[]
  /** API keys that the member has made and that still work: the member may know them. */
  kept_keys: KeyOfMember[]
}

export interface RemovedMember {
  /** API keys that the member has made and that were revoked with this. */
  revoked_keys: KeyOfMember[]
  /** API keys that the member has made and that still work: the member may know them. */
  kept_keys: KeyOfMember[]
}

/** Nothing. */
export type Accepted = Record<string, never>

export interface CreateRegistrationBody {
  /**
   * Format: mailbox
   * E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and marks of direction around it do not count.
   */
  email: string
  /** Password of 12 to 128 characters: no common one, not the e-mail, not the organization. */
  password: string
  /**
   * Format: not-blank
   * Name of the organization, which becomes the tenant.
   */
  organization: string
}

export interface ConfirmRegistrationBody {
  /** `token` of the link in the mail. */
  token: string
}

export interface SignInBody {
  /**
   * Format: mailbox
   * E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and marks of direction around it do not count.
   */
  email: string
  /** Password. */
  password: string
}

export interface ListSessionsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface VerifySignInBody {
  /** `challenge` of the first step. */
  challenge: string
  /** Code of the second factor: six digits, of which those of 30 seconds before and after count too, or a recovery code, whose capitals, spaces and hyphen do not count. */
  code: string
}

export interface CreateTotpBody {
  /** The password of the member. It may be left out for five minutes after a sign-in with a second factor. */
  password?: string
}

export interface DeleteTotpBody {
  /** The password of the member. It may be left out for five minutes after a sign-in with a second factor. */
  password?: string
}

export interface ConfirmTotpBody {
  /** Six digits, as the app shows them. */
  code: string
}

export interface SignInWithPasskeyBody {
  /** Result of `navigator.credentials.get`, by its `toJSON`. */
  credential: {
    /** Id of the credential, in base64url. */
    id: string
    /** The same id. */
    rawId: string
    /** The kind of the credential. */
    type: 'public-key'
    /** Results of extensions: none is used. */
    clientExtensionResults: Record<string, never>
    /** Answer of the authenticator. */
    response: {
      /** Data that the browser signed for: challenge and origin, as JSON. */
      clientDataJSON: string
      /** Relying party, flags and counter of the authenticator. */
      authenticatorData: string
      /** The signature by the private key of the passkey. */
      signature: string
      /** The person for whom it was registered. */
      userHandle?: string
    }
  }
}

export interface CreatePasskeyBody {
  /** The password of the member. It may be left out for five minutes after a sign-in with a second factor. */
  password?: string
}

export interface ListPasskeysAnswer {
  /** All passkeys, oldest first. */
  data: Passkey[]
  /** False: there are at most 20. */
  has_more: boolean
}

export interface ConfirmPasskeyBody {
  /**
   * Format: not-blank
   * Name by which the member knows the passkey.
   */
  name: string
  /** Result of `navigator.credentials.create`, by its `toJSON`. */
  credential: {
    /** Id of the credential, in base64url. */
    id: string
    /** The same id. */
    rawId: string
    /** The kind of the credential. */
    type: 'public-key'
    /** Results of extensions: none is used. */
    clientExtensionResults: Record<string, never>
    /** Answer of the authenticator. */
    response: {
      /** Data that the browser signed for: challenge and origin, as JSON. */
      clientDataJSON: string
      /** The new public key, with what the authenticator says of it. */
      attestationObject: string
      /** How it can be reached. */
      transports?: string[]
    }
  }
}

export interface DeletePasskeyBody {
  /** The password of the member. It may be left out for five minutes after a sign-in with a second factor. */
  password?: string
}

export interface RequestPasswordResetBody {
  /**
   * Format: mailbox
   * E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and marks of direction around it do not count.
   */
  email: string
}

export interface CheckPasswordResetBody {
  /** `token` of the link in the mail. */
  token: string
}

export interface ConfirmPasswordResetBody {
  /** `token` of the link in the mail. */
  token: string
  /** Password of 12 to 128 characters: no common one, not the e-mail, not the organization. */
  password: string
  /**
   * Whether every second factor is removed too: for who has lost it, or finds one that somebody else has added.
   * @default false
   */
  remove_factors?: boolean
}

export interface CreateInvitationBody {
  /**
   * Format: mailbox
   * E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and marks of direction around it do not count.
   */
  email: string
  /** Role that the invited person is to have. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
}

export interface ListInvitationsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface AcceptInvitationBody {
  /** `token` of the link in the mail. */
  token: string
  /** Password of 12 to 128 characters: no common one, not the e-mail, not the organization. */
  password: string
}

export interface InviteOperatorBody {
  /**
   * Format: mailbox
   * E-mail address; capitals, the form of its domain (Unicode or A-labels), and blanks and marks of direction around it do not count.
   */
  email: string
}

export interface ListMembersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateMemberBody {
  /** New role of the member. */
  role:
    | 'owner'
    | 'developer'
    | 'finance'
    | 'compliance'
    | 'support'
    | 'viewer'
    | 'operator_owner'
    | 'operator_compliance'
    | 'operator_support'
  /** Whether the API keys that the member has made are revoked. By default they are where one of them can do more than a key of the new role, and always of a removed member. */
  revoke_keys?: boolean
}

export interface UpdateMemberHeaders {
  'if-match'?: string
}

export interface DeleteMemberBody {
  /** Whether the API keys that the member has made are revoked. By default they are where one of them can do more than a key of the new role, and always of a removed member. */
  revoke_keys?: boolean
}

export interface DeleteMemberHeaders {
  'if-match'?: string
}

export interface ResetMemberFactorsBody {
  /** The password of the member. It may be left out for five minutes after a sign-in with a second factor. */
  password?: string
}

export interface CreateKeyBody {
  /**
   * Format: not-blank
   * Purpose of the key.
   */
  name: string
  /** Permissions of the key: at most those that the role may give. */
  permissions: ('read' | 'write' | 'cards:reveal' | 'cards:widget')[]
}

export interface ListKeysQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Only keys that this member has made.
   */
  created_by?: string
}
