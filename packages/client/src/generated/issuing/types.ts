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

export interface ResponderSecret {
  /** Signing secret: whsec_ and 32 bytes in base64. */
  secret: string
}

/** How much of its quotas a tenant uses. */
export interface Usage {
  /** Bytes of the files of the tenant. */
  stored_bytes: number
  /** Bytes that they may have; absent if there is no limit. */
  stored_bytes_max?: number
  /** API keys of the tenant that are not revoked. */
  api_keys: number
  /** API keys that it may have. */
  api_keys_max: number
}

export interface TenantWithKey {
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
  /** First API key, returned only once. */
  api_key: string
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

export interface ApiKeyWithKey {
  /**
   * Format: uuid
   * Id of the key.
   */
  id: string
  /** First and last characters of the key. */
  hint: string
  /** Permissions of the key. */
  permissions: string[]
  /**
   * Format: date-time
   * When the key was created.
   */
  created: string
  /** Id of the member that made the key, or `operator`. */
  created_by: string
  /** E-mail address of that member when the key was made. */
  created_by_email?: string
  /** The API key, returned only once. */
  key: string
}

export interface ApiKey {
  /**
   * Format: uuid
   * Id of the key.
   */
  id: string
  /** First and last characters of the key. */
  hint: string
  /** Permissions of the key. */
  permissions: string[]
  /**
   * Format: date-time
   * When the key was created.
   */
  created: string
  /** Id of the member that made the key, or `operator`. */
  created_by: string
  /** E-mail address of that member when the key was made. */
  created_by_email?: string
}

export interface Deleted {
  /**
   * Format: uuid
   * Id of the deleted object.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface NewUser {
  /**
   * Format: uuid
   * Id of the new user; generated when absent.
   */
  id?: string
  /** Type of the user, INDIVIDUAL by default; cannot be changed later. */
  user_type?:
    | 'INDIVIDUAL'
    | 'BUSINESS'
    | 'DIRECTOR'
    | 'SIGNATURE'
    | 'SHAREHOLDER'
    | 'SHAREHOLDER_BUSINESS'
  /**
   * Format: uuid
   * Id of the parent user, which is ACTIVE, PENDINGKYC, or a business that is PENDINGKYB.
   */
  parent_user_id?: string
  /** Form of address such as MR, up to 64 characters, stored in upper case. */
  title?: string
  /** First name. */
  first_name?: string
  /** Middle name. */
  middle_name?: string
  /** Last name. */
  last_name?: string
  /** Full name in its native script. */
  native_name?: string
  /**
   * Format: date-or-instant
   * Date of birth as YYYY-MM-DD; not in the future.
   */
  date_of_birth?: string
  /**
   * Format: email
   * E-mail address.
   */
  email?: string
  /** Mobile number in international format, valid in its country; returned in E.164. */
  mobile?: string
  /** Phone number in international format, valid in its country; returned in E.164. */
  phone_number?: string
  /** Residential or registered address. */
  address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Gender such as MALE, up to 64 characters, stored in upper case. */
  gender?: string
  /** Language code such as EN, stored in upper case. */
  preferred_language?: string
  /** Place of birth. */
  place_of_birth?: string
  /** Nationality; country codes in it are returned as ISO 3166-1 alpha-3. */
  nationality?: string
  /** Country of residence, ISO 3166-1; returned as alpha-3. */
  country_residence?: string
  /** Country of tax residence, ISO 3166-1; returned as alpha-3. */
  country_tax_residence?: string
  /** Relationship with the parent user such as SON, in upper case. */
  relationship_with_parent?: string
  /** Type of employment such as SALARIED, in upper case. */
  employment_type?: string
  /** Job title. */
  employment_title?: string
  /** Monthly salary in major units, without a currency; up to four decimals. */
  monthly_salary?: number | string
  /** Name of the employer or company. */
  company_name?: string
  /** Address of the employer or company. */
  company_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Country of the employer or company, ISO 3166-1; returned as alpha-3. */
  company_country?: string
  /** Industry code such as I01, stored in upper case. */
  industry_type?: string
  /** Expected monthly balance in major units, without a currency; up to four decimals. */
  expected_monthly_balance?: number | string
  /** Whether the user is a VIP: approvals of its cards have the code 0003. */
  vip?: boolean
  /** Position in the business, of a DIRECTOR or SIGNATURE. */
  designation?: string
  /** Local address of a SHAREHOLDER. */
  local_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Share of the business in percent, as text. */
  shares_percentage?: string
  /** Name of the person who controls the shares. */
  share_controller_name?: string
  /** Type of the business license. */
  license_type?: string
  /**
   * Format: date-or-instant
   * Expiry date of the business license as YYYY-MM-DD.
   */
  license_expiry?: string
  /** Legal name of the business. */
  business_legal_name?: string
  /** Name under which the business trades. */
  business_dba_name?: string
  /**
   * Format: date-or-instant
   * Date of establishment as YYYY-MM-DD.
   */
  date_established?: string
  /** Website of the business. */
  website?: string
  /** Type of incorporation such as LLC, in upper case. */
  incorporation_type?: string
  /** Registration number of the entity. */
  entity_registered_no?: string
  /** Name of the former entity. */
  old_entity_name?: string
  /** Date on which the former entity began to operate; may be empty. */
  old_entity_ops_start_date?: string
  /** Date on which the former entity stopped operating; may be empty. */
  old_entity_ops_end_date?: string
  /** Whether the business is regulated. */
  regulated_entity?: boolean
  /** Name of the regulator. */
  regulator_name?: string
  /** Activities of the business, up to 1000 characters. */
  business_activities?: string
  /** Comma-separated list of other countries of operation; codes are returned as alpha-3. */
  other_operated_countries?: string
  /** Country of tax residence of the business; returned as alpha-3. */
  tax_residence_country?: string
  /** Tax identification number. */
  tin?: string
  /** Name of the external auditor. */
  external_auditor_name?: string
  /** Details of the group that the business belongs to. */
  group_additional_info?: {
    /** Whether the business belongs to a group. */
    group_entity?: boolean
    /** Whether the business is independent. */
    independent_entity?: boolean
    /** Whether the business is a special investment entity. */
    special_investment?: boolean
    /** Details of the entity, up to 1000 characters. */
    entity_details?: string
  }
  /** Declarations about politically exposed persons. */
  pep_check_info?: {
    /** Whether the primary contact is a politically exposed person. */
    pri_pep_check?: boolean
    /** Name of the primary politically exposed person. */
    pri_pep_check_name?: string
    /** Whether the secondary contact is a politically exposed person. */
    sec_pep_check?: boolean
    /** Name of the secondary politically exposed person. */
    sec_pep_check_name?: string
  }
  /** Number of employees, as text. */
  no_of_employees?: string
  /** Whether the business accepts cash. */
  accept_cash_check?: boolean
  /** Annual turnover in major units, without a currency; up to four decimals. */
  annual_turnover?: number | string
  /** Source of funds, up to 200 characters. */
  source_of_funds?: string
  /** Whether the funds come from the UAE. */
  source_fund_uae?: boolean
  /** Declarations of due diligence. */
  due_diligence_declaration?: {
    /** Declaration on bankruptcy. */
    bankruptcy_declaration?: boolean
    /** Declaration on disciplinary measures. */
    disciplinary_declaration?: boolean
    /** Declaration on fraud and money laundering. */
    fraud_aml_declaration?: boolean
    /** Declaration on disqualification. */
    disqualification_declaration?: boolean
    /** Declaration on convictions and accusations. */
    conviction_accusition_declaration?: boolean
    /** Declaration on breaches of law. */
    breach_of_law_declaration?: boolean
  }
  /** Ids of the directors of a BUSINESS, at most 10. They become its children. */
  director_list?: string[]
  /** Ids of the authorized signatories of a BUSINESS, at most 10. They become its children. */
  signature_list?: string[]
  /** Ids of the shareholders of a BUSINESS, at most 10 of type SHAREHOLDER or SHAREHOLDER_BUSINESS. They become its children. */
  shareholder_list?: string[]
}

/** A person or company that may hold cards. */
export interface User {
  /**
   * Format: uuid
   * Id of the user.
   */
  id: string
  /** Type of the user; cannot be changed. */
  user_type:
    | 'INDIVIDUAL'
    | 'BUSINESS'
    | 'DIRECTOR'
    | 'SIGNATURE'
    | 'SHAREHOLDER'
    | 'SHAREHOLDER_BUSINESS'
  /** Status of the user. */
  status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code of the status. */
  status_reason_code: string
  /**
   * Format: uuid
   * Id of the parent user, which is ACTIVE, PENDINGKYC, or a business that is PENDINGKYB.
   */
  parent_user_id?: string
  /** Always false. */
  default_user: boolean
  /** Name of the KYC policy that the user has passed. */
  kyc_policy_passed?: string
  /** Form of address such as MR, up to 64 characters, stored in upper case. */
  title?: string
  /** First name. */
  first_name?: string
  /** Middle name. */
  middle_name?: string
  /** Last name. */
  last_name?: string
  /** Full name in its native script. */
  native_name?: string
  /**
   * Format: date
   * Date of birth as YYYY-MM-DD; not in the future.
   */
  date_of_birth?: string
  /** E-mail address. */
  email?: string
  /** Mobile number in international format, valid in its country; returned in E.164. */
  mobile?: string
  /** Phone number in international format, valid in its country; returned in E.164. */
  phone_number?: string
  /** Residential or registered address. */
  address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Gender such as MALE, up to 64 characters, stored in upper case. */
  gender?: string
  /** Language code such as EN, stored in upper case. */
  preferred_language?: string
  /** Place of birth. */
  place_of_birth?: string
  /** Nationality; country codes in it are returned as ISO 3166-1 alpha-3. */
  nationality?: string
  /** Country of residence, ISO 3166-1; returned as alpha-3. */
  country_residence?: string
  /** Country of tax residence, ISO 3166-1; returned as alpha-3. */
  country_tax_residence?: string
  /** Relationship with the parent user such as SON, in upper case. */
  relationship_with_parent?: string
  /** Type of employment such as SALARIED, in upper case. */
  employment_type?: string
  /** Job title. */
  employment_title?: string
  /** Monthly salary in major units, without a currency; up to four decimals. */
  monthly_salary?: number
  /** Name of the employer or company. */
  company_name?: string
  /** Address of the employer or company. */
  company_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Country of the employer or company, ISO 3166-1; returned as alpha-3. */
  company_country?: string
  /** Industry code such as I01, stored in upper case. */
  industry_type?: string
  /** Expected monthly balance in major units, without a currency; up to four decimals. */
  expected_monthly_balance?: number
  /** Whether the user is a VIP: approvals of its cards have the code 0003. */
  vip?: boolean
  /** Position in the business, of a DIRECTOR or SIGNATURE. */
  designation?: string
  /** Local address of a SHAREHOLDER. */
  local_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string
    /** Second line of the address, up to 200 characters. */
    address_line2?: string
    /** City. */
    city?: string
    /** State, emirate or region. */
    state?: string
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string
  }
  /** Share of the business in percent, as text. */
  shares_percentage?: string
  /** Name of the person who controls the shares. */
  share_controller_name?: string
  /** Type of the business license. */
  license_type?: string
  /**
   * Format: date
   * Expiry date of the business license as YYYY-MM-DD.
   */
  license_expiry?: string
  /** Legal name of the business. */
  business_legal_name?: string
  /** Name under which the business trades. */
  business_dba_name?: string
  /**
   * Format: date
   * Date of establishment as YYYY-MM-DD.
   */
  date_established?: string
  /** Website of the business. */
  website?: string
  /** Type of incorporation such as LLC, in upper case. */
  incorporation_type?: string
  /** Registration number of the entity. */
  entity_registered_no?: string
  /** Name of the former entity. */
  old_entity_name?: string
  /** Date on which the former entity began to operate; may be empty. */
  old_entity_ops_start_date?: string
  /** Date on which the former entity stopped operating; may be empty. */
  old_entity_ops_end_date?: string
  /** Whether the business is regulated. */
  regulated_entity?: boolean
  /** Name of the regulator. */
  regulator_name?: string
  /** Activities of the business, up to 1000 characters. */
  business_activities?: string
  /** Comma-separated list of other countries of operation; codes are returned as alpha-3. */
  other_operated_countries?: string
  /** Country of tax residence of the business; returned as alpha-3. */
  tax_residence_country?: string
  /** Tax identification number. */
  tin?: string
  /** Name of the external auditor. */
  external_auditor_name?: string
  /** Details of the group that the business belongs to. */
  group_additional_info?: {
    /** Whether the business belongs to a group. */
    group_entity?: boolean
    /** Whether the business is independent. */
    independent_entity?: boolean
    /** Whether the business is a special investment entity. */
    special_investment?: boolean
    /** Details of the entity, up to 1000 characters. */
    entity_details?: string
  }
  /** Declarations about politically exposed persons. */
  pep_check_info?: {
    /** Whether the primary contact is a politically exposed person. */
    pri_pep_check?: boolean
    /** Name of the primary politically exposed person. */
    pri_pep_check_name?: string
    /** Whether the secondary contact is a politically exposed person. */
    sec_pep_check?: boolean
    /** Name of the secondary politically exposed person. */
    sec_pep_check_name?: string
  }
  /** Number of employees, as text. */
  no_of_employees?: string
  /** Whether the business accepts cash. */
  accept_cash_check?: boolean
  /** Annual turnover in major units, without a currency; up to four decimals. */
  annual_turnover?: number
  /** Source of funds, up to 200 characters. */
  source_of_funds?: string
  /** Whether the funds come from the UAE. */
  source_fund_uae?: boolean
  /** Declarations of due diligence. */
  due_diligence_declaration?: {
    /** Declaration on bankruptcy. */
    bankruptcy_declaration?: boolean
    /** Declaration on disciplinary measures. */
    disciplinary_declaration?: boolean
    /** Declaration on fraud and money laundering. */
    fraud_aml_declaration?: boolean
    /** Declaration on disqualification. */
    disqualification_declaration?: boolean
    /** Declaration on convictions and accusations. */
    conviction_accusition_declaration?: boolean
    /** Declaration on breaches of law. */
    breach_of_law_declaration?: boolean
  }
  /** Ids of the directors of a BUSINESS, at most 10. They become its children. */
  director_list: string[]
  /** Ids of the authorized signatories of a BUSINESS, at most 10. They become its children. */
  signature_list: string[]
  /** Ids of the shareholders of a BUSINESS, at most 10 of type SHAREHOLDER or SHAREHOLDER_BUSINESS. They become its children. */
  shareholder_list: string[]
  /**
   * Format: date-time
   * When the user was created.
   */
  created: string
  /**
   * Format: date-time
   * When the user was last changed.
   */
  modified: string
}

export interface UserChanges {
  /** Type of the user; cannot be changed. */
  user_type?:
    | 'INDIVIDUAL'
    | 'BUSINESS'
    | 'DIRECTOR'
    | 'SIGNATURE'
    | 'SHAREHOLDER'
    | 'SHAREHOLDER_BUSINESS'
  /**
   * Format: uuid
   * Id of the parent user, which is ACTIVE, PENDINGKYC, or a business that is PENDINGKYB.
   */
  parent_user_id?: string | null
  /** Form of address such as MR, up to 64 characters, stored in upper case. */
  title?: string | null
  /** First name. */
  first_name?: string | null
  /** Middle name. */
  middle_name?: string | null
  /** Last name. */
  last_name?: string | null
  /** Full name in its native script. */
  native_name?: string | null
  /**
   * Format: date-or-instant
   * Date of birth as YYYY-MM-DD; not in the future.
   */
  date_of_birth?: string | null
  /**
   * Format: email
   * E-mail address.
   */
  email?: string | null
  /** Mobile number in international format, valid in its country; returned in E.164. */
  mobile?: string | null
  /** Phone number in international format, valid in its country; returned in E.164. */
  phone_number?: string | null
  /** Residential or registered address. */
  address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string | null
    /** Second line of the address, up to 200 characters. */
    address_line2?: string | null
    /** City. */
    city?: string | null
    /** State, emirate or region. */
    state?: string | null
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string | null
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string | null
  } | null
  /** Gender such as MALE, up to 64 characters, stored in upper case. */
  gender?: string | null
  /** Language code such as EN, stored in upper case. */
  preferred_language?: string | null
  /** Place of birth. */
  place_of_birth?: string | null
  /** Nationality; country codes in it are returned as ISO 3166-1 alpha-3. */
  nationality?: string | null
  /** Country of residence, ISO 3166-1; returned as alpha-3. */
  country_residence?: string | null
  /** Country of tax residence, ISO 3166-1; returned as alpha-3. */
  country_tax_residence?: string | null
  /** Relationship with the parent user such as SON, in upper case. */
  relationship_with_parent?: string | null
  /** Type of employment such as SALARIED, in upper case. */
  employment_type?: string | null
  /** Job title. */
  employment_title?: string | null
  /** Monthly salary in major units, without a currency; up to four decimals. */
  monthly_salary?: number | string | null
  /** Name of the employer or company. */
  company_name?: string | null
  /** Address of the employer or company. */
  company_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string | null
    /** Second line of the address, up to 200 characters. */
    address_line2?: string | null
    /** City. */
    city?: string | null
    /** State, emirate or region. */
    state?: string | null
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string | null
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string | null
  } | null
  /** Country of the employer or company, ISO 3166-1; returned as alpha-3. */
  company_country?: string | null
  /** Industry code such as I01, stored in upper case. */
  industry_type?: string | null
  /** Expected monthly balance in major units, without a currency; up to four decimals. */
  expected_monthly_balance?: number | string | null
  /** Whether the user is a VIP: approvals of its cards have the code 0003. */
  vip?: boolean | null
  /** Position in the business, of a DIRECTOR or SIGNATURE. */
  designation?: string | null
  /** Local address of a SHAREHOLDER. */
  local_address?: {
    /** First line of the address, up to 200 characters. */
    address_line1?: string | null
    /** Second line of the address, up to 200 characters. */
    address_line2?: string | null
    /** City. */
    city?: string | null
    /** State, emirate or region. */
    state?: string | null
    /** Postal code; 00000 for countries without postal codes. */
    postal_code?: string | null
    /** Country, ISO 3166-1 alpha-2 or alpha-3; returned as alpha-3. */
    country?: string | null
  } | null
  /** Share of the business in percent, as text. */
  shares_percentage?: string | null
  /** Name of the person who controls the shares. */
  share_controller_name?: string | null
  /** Type of the business license. */
  license_type?: string | null
  /**
   * Format: date-or-instant
   * Expiry date of the business license as YYYY-MM-DD.
   */
  license_expiry?: string | null
  /** Legal name of the business. */
  business_legal_name?: string | null
  /** Name under which the business trades. */
  business_dba_name?: string | null
  /**
   * Format: date-or-instant
   * Date of establishment as YYYY-MM-DD.
   */
  date_established?: string | null
  /** Website of the business. */
  website?: string | null
  /** Type of incorporation such as LLC, in upper case. */
  incorporation_type?: string | null
  /** Registration number of the entity. */
  entity_registered_no?: string | null
  /** Name of the former entity. */
  old_entity_name?: string | null
  /** Date on which the former entity began to operate; may be empty. */
  old_entity_ops_start_date?: string | null
  /** Date on which the former entity stopped operating; may be empty. */
  old_entity_ops_end_date?: string | null
  /** Whether the business is regulated. */
  regulated_entity?: boolean | null
  /** Name of the regulator. */
  regulator_name?: string | null
  /** Activities of the business, up to 1000 characters. */
  business_activities?: string | null
  /** Comma-separated list of other countries of operation; codes are returned as alpha-3. */
  other_operated_countries?: string | null
  /** Country of tax residence of the business; returned as alpha-3. */
  tax_residence_country?: string | null
  /** Tax identification number. */
  tin?: string | null
  /** Name of the external auditor. */
  external_auditor_name?: string | null
  /** Details of the group that the business belongs to. */
  group_additional_info?: {
    /** Whether the business belongs to a group. */
    group_entity?: boolean | null
    /** Whether the business is independent. */
    independent_entity?: boolean | null
    /** Whether the business is a special investment entity. */
    special_investment?: boolean | null
    /** Details of the entity, up to 1000 characters. */
    entity_details?: string | null
  } | null
  /** Declarations about politically exposed persons. */
  pep_check_info?: {
    /** Whether the primary contact is a politically exposed person. */
    pri_pep_check?: boolean | null
    /** Name of the primary politically exposed person. */
    pri_pep_check_name?: string | null
    /** Whether the secondary contact is a politically exposed person. */
    sec_pep_check?: boolean | null
    /** Name of the secondary politically exposed person. */
    sec_pep_check_name?: string | null
  } | null
  /** Number of employees, as text. */
  no_of_employees?: string | null
  /** Whether the business accepts cash. */
  accept_cash_check?: boolean | null
  /** Annual turnover in major units, without a currency; up to four decimals. */
  annual_turnover?: number | string | null
  /** Source of funds, up to 200 characters. */
  source_of_funds?: string | null
  /** Whether the funds come from the UAE. */
  source_fund_uae?: boolean | null
  /** Declarations of due diligence. */
  due_diligence_declaration?: {
    /** Declaration on bankruptcy. */
    bankruptcy_declaration?: boolean | null
    /** Declaration on disciplinary measures. */
    disciplinary_declaration?: boolean | null
    /** Declaration on fraud and money laundering. */
    fraud_aml_declaration?: boolean | null
    /** Declaration on disqualification. */
    disqualification_declaration?: boolean | null
    /** Declaration on convictions and accusations. */
    conviction_accusition_declaration?: boolean | null
    /** Declaration on breaches of law. */
    breach_of_law_declaration?: boolean | null
  } | null
  /** Ids of the directors of a BUSINESS, at most 10. They become its children. */
  director_list?: string[]
  /** Ids of the authorized signatories of a BUSINESS, at most 10. They become its children. */
  signature_list?: string[]
  /** Ids of the shareholders of a BUSINESS, at most 10 of type SHAREHOLDER or SHAREHOLDER_BUSINESS. They become its children. */
  shareholder_list?: string[]
}

export interface UserStatusChange {
  /**
   * Format: uuid
   * Id of the change.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Status before the change. */
  old_status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code before the change. */
  old_status_reason_code: string
  /** Status after the change. */
  new_status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code after the change. */
  new_status_reason_code: string
  /** Actor that made the change. */
  changed_by: {
    /** Kind of the actor. */
    kind: string
    /** Id of the actor. */
    id: string
  }
  /** Note of the change. */
  note?: string
  /**
   * Format: date-time
   * When the change was made.
   */
  created: string
}

export interface NewIdentification {
  /**
   * Format: uuid
   * Id of the new identification; generated when absent.
   */
  id?: string
  /** Type of the document. */
  type:
    | 'PASSPORT'
    | 'VISA'
    | 'NATIONAL_ID'
    | 'TRADE_LICENSE'
    | 'COMMERCIAL_LICENSE'
    | 'INCORPORATION_CERT'
    | 'INCUMBENCY_CERT'
    | 'MEMORANDUM_ARTICLES'
    | 'BANK_STATEMENT'
    | 'ADDITIONAL'
  /**
   * Format: not-blank
   * Number of the document.
   */
  number?: string
  /** Authority that issued the document. */
  issuance_authority?: string
  /** Place where the document was issued. */
  place_of_issuance?: string
  /**
   * Format: date-or-instant
   * Date of issue, as a date or an ISO 8601 timestamp.
   */
  issuance_date?: string
  /**
   * Format: date-or-instant
   * Date of expiry, after the date of issue.
   */
  expiration_date?: string
  /** Note about the document, up to 1000 characters. */
  identification_note?: string
}

/** An identity document of a user. */
export interface Identification {
  /**
   * Format: uuid
   * Id of the identification.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Type of the document. */
  type:
    | 'PASSPORT'
    | 'VISA'
    | 'NATIONAL_ID'
    | 'TRADE_LICENSE'
    | 'COMMERCIAL_LICENSE'
    | 'INCORPORATION_CERT'
    | 'INCUMBENCY_CERT'
    | 'MEMORANDUM_ARTICLES'
    | 'BANK_STATEMENT'
    | 'ADDITIONAL'
  /** Number of the document. */
  number?: string
  /** Authority that issued the document. */
  issuance_authority?: string
  /** Place where the document was issued. */
  place_of_issuance?: string
  /**
   * Format: date-time
   * Date of issue.
   */
  issuance_date?: string
  /**
   * Format: date-time
   * Date of expiry.
   */
  expiration_date?: string
  /** Note about the document. */
  identification_note?: string
  /** Status of the review of the document. */
  document_status: 'PENDINGKYB' | 'PENDING' | 'VERIFIED' | 'REJECTED'
  /** Reason of the status: I0 before a review, then the text of the reviewer. */
  document_status_reason: string
  /**
   * Format: date-time
   * When the identification was created.
   */
  created: string
  /**
   * Format: date-time
   * When the identification or one of its files last changed.
   */
  modified: string
}

export interface IdentificationChanges {
  /** Type of the document. */
  type?:
    | 'PASSPORT'
    | 'VISA'
    | 'NATIONAL_ID'
    | 'TRADE_LICENSE'
    | 'COMMERCIAL_LICENSE'
    | 'INCORPORATION_CERT'
    | 'INCUMBENCY_CERT'
    | 'MEMORANDUM_ARTICLES'
    | 'BANK_STATEMENT'
    | 'ADDITIONAL'
  /** Number of the document. */
  number?: string | null
  /** Authority that issued the document. */
  issuance_authority?: string | null
  /** Place where the document was issued. */
  place_of_issuance?: string | null
  /** Date of issue, as a date or an ISO 8601 timestamp. */
  issuance_date?: string | null
  /** Date of expiry, after the date of issue. */
  expiration_date?: string | null
  /** Note about the document, up to 1000 characters. */
  identification_note?: string | null
}

export interface IdentificationUpload {
  /**
   * Format: uuid
   * Id of the new file; generated when absent.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the file; that of its part when absent.
   */
  file_name?: string
  /** Must equal the type of the identification. */
  identification_type?:
    | 'PASSPORT'
    | 'VISA'
    | 'NATIONAL_ID'
    | 'TRADE_LICENSE'
    | 'COMMERCIAL_LICENSE'
    | 'INCORPORATION_CERT'
    | 'INCUMBENCY_CERT'
    | 'MEMORANDUM_ARTICLES'
    | 'BANK_STATEMENT'
    | 'ADDITIONAL'
  /** Side or page that the file shows; required if the type has several. */
  identification_document_type?:
    | 'PASSPORT_PAGE1'
    | 'PASSPORT_PAGE2'
    | 'VISA'
    | 'NATIONAL_ID_FRONT'
    | 'NATIONAL_ID_BACK'
    | 'NOT APPLICABLE'
  /** Media type of the file; must fit its name. */
  content_type?: string
  /** Size in bytes; must equal that of the file. */
  size?: number
  /** Metadata as JSON: an object for all files, or an array with one for each. */
  metadata?:
    | {
        /**
         * Format: uuid
         * Id of the new file; generated when absent.
         */
        id?: string
        /**
         * Format: not-blank
         * Name of the file; that of its part when absent.
         */
        file_name?: string
        /** Must equal the type of the identification. */
        identification_type?:
          | 'PASSPORT'
          | 'VISA'
          | 'NATIONAL_ID'
          | 'TRADE_LICENSE'
          | 'COMMERCIAL_LICENSE'
          | 'INCORPORATION_CERT'
          | 'INCUMBENCY_CERT'
          | 'MEMORANDUM_ARTICLES'
          | 'BANK_STATEMENT'
          | 'ADDITIONAL'
        /** Side or page that the file shows; required if the type has several. */
        identification_document_type?:
          | 'PASSPORT_PAGE1'
          | 'PASSPORT_PAGE2'
          | 'VISA'
          | 'NATIONAL_ID_FRONT'
          | 'NATIONAL_ID_BACK'
          | 'NOT APPLICABLE'
        /** Media type of the file; must fit its name. */
        content_type?: string
        /** Size in bytes; must equal that of the file. */
        size?: number
      }
    | {
        /**
         * Format: uuid
         * Id of the new file; generated when absent.
         */
        id?: string
        /**
         * Format: not-blank
         * Name of the file; that of its part when absent.
         */
        file_name?: string
        /** Must equal the type of the identification. */
        identification_type?:
          | 'PASSPORT'
          | 'VISA'
          | 'NATIONAL_ID'
          | 'TRADE_LICENSE'
          | 'COMMERCIAL_LICENSE'
          | 'INCORPORATION_CERT'
          | 'INCUMBENCY_CERT'
          | 'MEMORANDUM_ARTICLES'
          | 'BANK_STATEMENT'
          | 'ADDITIONAL'
        /** Side or page that the file shows; required if the type has several. */
        identification_document_type?:
          | 'PASSPORT_PAGE1'
          | 'PASSPORT_PAGE2'
          | 'VISA'
          | 'NATIONAL_ID_FRONT'
          | 'NATIONAL_ID_BACK'
          | 'NOT APPLICABLE'
        /** Media type of the file; must fit its name. */
        content_type?: string
        /** Size in bytes; must equal that of the file. */
        size?: number
      }[]
  /**
   * Format: binary
   * Content of a single file.
   */
  file?: Blob
  /** Contents of one to five files. */
  files?: Blob[]
}

export interface IdentificationFile {
  /**
   * Format: uuid
   * Id of the file.
   */
  id: string
  /**
   * Format: uuid
   * Id of the identification.
   */
  identification_id: string
  /** Name of the file. */
  file_name: string
  /** Type of the identification. */
  identification_type:
    | 'PASSPORT'
    | 'VISA'
    | 'NATIONAL_ID'
    | 'TRADE_LICENSE'
    | 'COMMERCIAL_LICENSE'
    | 'INCORPORATION_CERT'
    | 'INCUMBENCY_CERT'
    | 'MEMORANDUM_ARTICLES'
    | 'BANK_STATEMENT'
    | 'ADDITIONAL'
  /** Side or page that the file shows. */
  identification_document_type:
    | 'PASSPORT_PAGE1'
    | 'PASSPORT_PAGE2'
    | 'VISA'
    | 'NATIONAL_ID_FRONT'
    | 'NATIONAL_ID_BACK'
    | 'NOT APPLICABLE'
  /** Version of the file within its document type, counted from 1. */
  document_version: number
  /** Media type under which the file is served. */
  content_type: string
  /** Size in bytes. */
  size: number
  /** Result of the virus scan, absent without a scanner; only a CLEAN file is served then. */
  scan_status?: 'HELD' | 'CLEAN' | 'INFECTED'
  /**
   * Format: date-time
   * When the file was uploaded.
   */
  created: string
}

export interface KycRequest {
  /**
   * Format: uuid
   * Id of the request.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Policy that the user is checked against. */
  kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' | 'UAE_INDIVIDUAL_SECONDARY'
  /** SUBMITTED without a result, then OK or FAILED. */
  status: 'SUBMITTED' | 'OK' | 'FAILED'
  /** Code of the status: I0, P0 or F0. */
  status_code: string
  /** Text of the status code. */
  status_description: string
  /** Note of the result. */
  note?: string
  /** Status before the result. */
  old_status?: string
  /**
   * Format: date-time
   * When the request was submitted.
   */
  created: string
  /**
   * Format: date-time
   * When the request last changed.
   */
  modified: string
}

/** An entry of a watchlist that may be the user. */
export interface ScreeningMatch {
  /**
   * Format: uuid
   * Id of the tenant of the user.
   */
  tenant_id: string
  /**
   * Format: uuid
   * Id of the match.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user that it is about.
   */
  user_id: string
  /** The check that found it. */
  purpose: 'KYC' | 'KYB' | 'ONGOING'
  /** Name of the provider that found it. */
  provider: string
  /** Name of the list, as the provider has it. */
  list: string
  /** Id of the entry within the list. */
  listed_id: string
  /** Name as the list has it. */
  name: string
  /** How alike they are, in whole per cent. */
  score: number
  /** Likeness of the entry and the user, in words. */
  reason: string
  /** OPEN until the operator judges it. */
  status: 'OPEN' | 'DISMISSED' | 'CONFIRMED'
  /** Reason of the judgement. */
  note?: string
  /**
   * Format: date-time
   * When it was found first.
   */
  created: string
  /**
   * Format: date-time
   * When it last changed.
   */
  modified: string
}

/** A check of a user by a provider. */
export interface ReviewCheck {
  /** KYC, KYB, or ONGOING for a further check. */
  purpose: 'KYC' | 'KYB' | 'ONGOING'
  /** WAITING until the provider has answered. */
  status: 'WAITING' | 'DONE'
  /** Calls that failed since the provider last answered. */
  attempts: number
  /** Why the last call failed. */
  failure?: string
  /**
   * Format: date-time
   * When the provider is asked next.
   */
  due?: string
  /**
   * Format: date-time
   * When the check began.
   */
  created: string
}

/** A user that awaits a compliance review. */
export interface Review {
  /**
   * Format: uuid
   * Id of the tenant of the user.
   */
  tenant_id: string
  user: User
  /** Its identity documents. */
  identifications: Identification[]
  /** Its KYC requests without a result. */
  kyc_requests: KycRequest[]
  /** Entries of watchlists that may be the user, or one of the people of a BUSINESS, but for those that were dismissed; the most alike first. */
  matches: ScreeningMatch[]
  /** The last check that a provider was asked for, and KYC requests it has yet to decide. */
  checks: ReviewCheck[]
}

export interface InstalledKeys {
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /** Version of the key set; each installation adds one. */
  version: number
  /** Index of the PIN verification key: one digit. */
  pvki: string
  /** Order of year and month in the CVV2 computation; YYMM for a new product. */
  cvv2_date_order: 'YYMM' | 'MMYY'
  /** Check values of the keys by their names (ANSI X9.24). */
  check_values: {
    /** Check value of the key cvk in hex. */
    cvk: string
    /** Check value of the key pvk in hex. */
    pvk: string
    /** Check value of the key imk_ac in hex; absent for cards without a chip. */
    imk_ac?: string
    /** Check value of the key imk_smi in hex. */
    imk_smi: string
    /** Check value of the key imk_smc in hex. */
    imk_smc: string
    /** Check value of the key zpk in hex. */
    zpk: string
    /** Check value of the key zpk_aes in hex; absent if the security module has no AES. */
    zpk_aes?: string
  }
}

export interface ProtectionKey {
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /** Check values of the key (ANSI X9.24). */
  check_values: {
    /** Check value of the key as TDES, for blocks of version A, B or C in hex. */
    tdes?: string
    /** Check value of the key as AES, for blocks of version D in hex. */
    aes?: string
  }
}

export interface ProductKeys {
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /** Version of the key set; each installation adds one. */
  version: number
  /** Index of the PIN verification key: one digit. */
  pvki: string
  /** Order of year and month in the CVV2 computation; YYMM for a new product. */
  cvv2_date_order: 'YYMM' | 'MMYY'
  /** Check values of the keys by their names (ANSI X9.24). */
  check_values: {
    /** Check value of the key cvk in hex. */
    cvk: string
    /** Check value of the key pvk in hex. */
    pvk: string
    /** Check value of the key imk_ac in hex; absent for cards without a chip. */
    imk_ac?: string
    /** Check value of the key imk_smi in hex. */
    imk_smi: string
    /** Check value of the key imk_smc in hex. */
    imk_smc: string
    /** Check value of the key zpk in hex. */
    zpk: string
    /** Check value of the key zpk_aes in hex; absent if the security module has no AES. */
    zpk_aes?: string
  }
  /** Whether a key block protection key was set: without one no key is imported. */
  protection_key_set: boolean
}

export interface AllowedCountries {
  /**
   * Format: uuid
   * Id of the list.
   */
  id: string
  /** Name of the list. */
  name: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. */
  allow: boolean
  /** false switches the list off: it checks nothing. */
  active: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode: 'ENFORCED' | 'SHADOW'
  /** Countries by alpha-3 code. */
  country_codes: string[]
  /**
   * Format: date-time
   * Time at which the list was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface AllowedMccs {
  /**
   * Format: uuid
   * Id of the list.
   */
  id: string
  /** Name of the list. */
  name: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. */
  allow: boolean
  /** false switches the list off: it checks nothing. */
  active: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode: 'ENFORCED' | 'SHADOW'
  /** Merchant category codes. */
  mccs: string[]
  /**
   * Format: date-time
   * Time at which the list was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface AllowedMerchants {
  /**
   * Format: uuid
   * Id of the list.
   */
  id: string
  /** Name of the list. */
  name: string
  /** false switches the list off: it checks nothing. */
  active: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode: 'ENFORCED' | 'SHADOW'
  /** The merchants. */
  merchants: {
    /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
    merchant_id: string
    /** Whether payments of the merchant pass. */
    allow: boolean
  }[]
  /**
   * Format: date-time
   * Time at which the list was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

/** Authorization switches and amount bounds of the product. */
export interface AuthSettings {
  /** Allows transactions at an ATM, other than credits. Absent means true. */
  atm?: boolean
  /** Allows transactions at a point of sale, other than credits. Absent means true. */
  pos?: boolean
  /** Allows transactions with a chip, by contact or contactless, other than credits. Absent means true. */
  chip?: boolean
  /** Allows transactions with a magnetic stripe, other than credits. Absent means true. */
  magstripe?: boolean
  /** Allows magnetic stripe fallback of a chip card, other than credits. Absent means true. */
  chip_fallback?: boolean
  /** Allows payments with the card present and without a PIN. Absent means true. */
  pin_absent?: boolean
  /** Allows remote payments with 3-D Secure. Absent means true. */
  ecommerce_3ds?: boolean
  /** Allows e-commerce payments without 3-D Secure, other than recurring ones. Absent means true. */
  ecommerce_non_3ds?: boolean
  /** Allows e-commerce payments without a CVV2, other than recurring ones. Absent means true. */
  ecommerce_without_cvv2?: boolean
  /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. Absent means true. */
  quasi_cash?: boolean
  /** Allows account funding, processing code 10. Absent means true. */
  account_funding?: boolean
  /** Allows credits, processing codes 26 and 28. Absent means true. */
  credit?: boolean
  /** Allows account verification without a CVV2 or a read card. Absent means true. */
  account_verification_without_cvv2?: boolean
  /** Allows cash deposits, processing codes 21 and 22. Absent means true. */
  cash_in?: boolean
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. Absent means true. */
  cash_out?: boolean
  /** Allows deposits at an ATM, processing code 21. Absent means true. */
  atm_deposit?: boolean
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. Absent means true. */
  atm_night?: boolean
  /** Allows transfers to the card, processing code 26. Absent means true. */
  incoming_transfers?: boolean
  /** Allows transfers from the card, processing code 40. Absent means true. */
  outgoing_transfers?: boolean
  /** Allows recurring payments, by DE22 10, DE25 73 or DE61. Absent means true. */
  recurring?: boolean
  /** Least amount of one payment, with its increments, in major units of the product’s currency. */
  min_amount?: number
  /** Largest amount of one payment, with its increments, in major units of the product’s currency. */
  max_amount?: number
}

export interface ProductCharge {
  /** Reason of the charge. */
  type: 'ISSUING' | 'REPLACEMENT' | 'CASH_WITHDRAWAL' | 'FOREIGN_CURRENCY' | 'MONTHLY'
  /** Fixed charge in major units of the currency of the product, above 0. */
  amount?: number
  /** Charge in per cent of what is posted for the transaction, above 0 and at most 100, with up to four decimals. CASH_WITHDRAWAL and FOREIGN_CURRENCY only. */
  percent?: number
  /** Text for the statement, at most 200 characters. */
  description?: string
}

export interface CardProduct {
  /**
   * Format: uuid
   * Id of the card product.
   */
  id: string
  /** Name of the card product. */
  name: string
  /** Description of the card product. */
  description?: string
  /** ACTIVE once a card was issued, before that INACTIVE. */
  status: 'INACTIVE' | 'ACTIVE'
  /** ISO 4217 code of the currency of the cards. */
  currency: string
  /** Bank identification number: the first 6 to 8 digits of each card number. */
  bin: string
  /** Range of the card numbers: the digits between BIN and check digit. */
  pan_range: {
    /** First digits between BIN and check digit. */
    start_range: number
    /** Last digits between BIN and check digit. */
    end_range: number
  }
  /** Number of digits of a card number: 16. */
  pan_length: number
  /** Opens an account with each card, or accepts one; default true. */
  link_account_to_card: boolean
  /** Days that a virtual card stays usable during its migration to a physical one (then 1806); default 30. */
  virtual_to_physical_expiry_duration: number
  /** Status of a new physical card; default INACTIVE. */
  initial_status_of_physical_card: 'INACTIVE' | 'ACTIVE'
  /** Status of a new virtual card; default INACTIVE. */
  initial_status_of_virtual_card: 'INACTIVE' | 'ACTIVE'
  /** Months that a new card is valid; default 36. */
  card_validity_months: number
  /** Rules for the PINs of the cards. */
  pin: {
    /** Number of digits of a PIN; default 4. */
    length: number
    /** Wrong PINs in a row after which the PIN is blocked; default 3. */
    max_tries: number
    /** Rejects PINs that are easy to guess; default true. */
    refuse_weak: boolean
    /** How new PINs are verified: by a PVV, which a security module has for four digits alone, or by an IBM 3624 offset of 4 to 12 digits. A card keeps its PIN as it was set; default PVV. */
    verification: 'PVV' | 'OFFSET'
  }
  auth_settings: AuthSettings
  /**
   * Format: uuid
   * Id of the list of allowed countries.
   */
  allowed_countries_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed MCCs.
   */
  allowed_mccs_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed merchants.
   */
  allowed_merchants_id?: string
  /** Largest number of cards of a user that are not TERMINATED; absent: no limit. */
  num_of_cards_per_user?: number
  /** Approves the available part of an amount on request; default false. */
  partial_approval: boolean
  /** Amount in major units from which an approval asks for identification (0001). */
  identify_above?: number
  /** Payment pages of a sandbox ask for a one-time code, and 3-D Secure payments of a cardholder without a mobile number are declined (1893); default false. */
  otp_3ds: boolean
  /** Whether the responder of the tenant is asked about debits of the cards (ASK) or not (SKIP); default ASK. */
  responder: 'ASK' | 'SKIP'
  /** Percent by which a clearing may exceed its hold without 1855; default 15. */
  clearing_tolerance_percent: number
  /** Largest credit without a purchase, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_amount?: number
  /** Largest sum of credits without a purchase per card and day, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_daily_amount?: number
  /** If the product has no chip keys, WAIVED accepts chip entries and REQUIRED declines them; with keys the cryptogram has to be right. Default WAIVED in sandbox, REQUIRED in live. */
  emv: 'WAIVED' | 'REQUIRED'
  /** How the bureau makes the physical cards. What is sent replaces the whole; null and members left out have their defaults. */
  production?: {
    /** Service code of the tracks; default 201 with chip keys, otherwise 101. */
    service_code?: string
    /**
     * Format: not-blank
     * The bureau's name of the chip profile.
     */
    chip_profile?: string
    /**
     * Format: not-blank
     * The bureau's name of the card carrier.
     */
    carrier?: string
    /** Text embossed below the name: letters of A to Z, digits, blanks, . / - and '. */
    second_line?: string
    /** Prints a mailer with a random PIN for each card without a PIN; default false. */
    pin_mailer?: boolean
    /** Asks for tracked delivery; default false. */
    tracking?: boolean
  }
  /** Charges of the product, at most one of a type; a list that is sent replaces the stored one. Each has either `amount` or `percent`, FOREIGN_CURRENCY a `percent`. */
  charges: ProductCharge[]
  /** Whether charges of the product take an account below zero. Otherwise a charge that is not covered stays PENDING and is collected later; default false. */
  allow_negative_charges: boolean
  /** Ids of the linked balance limits. */
  balance_limit_ids: string[]
  /** Ids of the linked velocity limits. */
  velocity_limit_ids: string[]
  /**
   * Format: date-time
   * Time at which the card product was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface Rate {
  /**
   * Format: uuid
   * Id of the rate.
   */
  id: string
  /**
   * Format: uuid
   * Tenant whose rate it is; absent for all tenants.
   */
  tenant_id?: string
  /** ISO 4217 currency that is converted. */
  from: string
  /** ISO 4217 currency that it is converted to. */
  to: string
  /** Major units of `to` for one of `from`, as decimal text. */
  rate: string
  /**
   * Format: date-time
   * From when the rate is in force.
   */
  created: string
  /**
   * Format: date-time
   * When another rate took its place.
   */
  replaced?: string
}

export interface Rates {
  /** The rates that were set, in the order sent. */
  rates: Rate[]
}

export interface BalanceLimit {
  /**
   * Format: uuid
   * Id of the limit.
   */
  id: string
  /** Description, at most 1000 characters. */
  description?: string
  /** PER_ACCOUNT limits one account, PER_USER the sum of the user’s accounts in the currency. */
  type: 'PER_ACCOUNT' | 'PER_USER'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency: string
  /** Least amount that must remain available after a debit, in major units. */
  min_amount?: number
  /** Largest balance after a credit, in major units. */
  max_amount?: number
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode: 'ENFORCED' | 'SHADOW'
  /**
   * Format: date-time
   * Time at which the limit was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface LinkedLimits {
  /**
   * Format: uuid
   * Id of the object.
   */
  id: string
  /** Ids of the limits that are linked to it now. */
  ids: string[]
}

export interface VelocityLimit {
  /**
   * Format: uuid
   * Id of the limit.
   */
  id: string
  /** Description, at most 1000 characters. */
  description?: string
  /** PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period. */
  type: 'PER_TRANSACTION' | 'CUMULATIVE'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency: string
  /** Least amount of one transaction, in major units. */
  min_amount?: number
  /** Largest amount of one transaction, or with CUMULATIVE in the period, in major units. */
  max_amount?: number
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode: 'ENFORCED' | 'SHADOW'
  /**
   * Format: date-time
   * Time at which the limit was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
  /** Largest number of transactions in the period; requires `period`. */
  frequency?: number
  /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
  period?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME'
  /** Transactions that the limit applies to; default ALL. */
  transaction_scope: ('PURCHASES' | 'WITHDRAWALS' | 'ALL')[]
}

export interface AvailableVelocity {
  /**
   * Format: uuid
   * Id of the limit.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /** ISO 4217 code of the currency of the limit. */
  currency: string
  /** Largest amount of the next transaction, in major units; absent if any fits. */
  available_amount?: number
  /** Transactions that are left in the period; absent if any fits. */
  available_frequency?: number
  /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
  period?: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME'
  /**
   * Format: date-time
   * Time at which the present period began.
   */
  window_start?: string
  /**
   * Format: date-time
   * Time at which the next period begins.
   */
  window_end?: string
}

export interface ShadowReport {
  /**
   * Format: uuid
   * Id of the list or limit.
   */
  id: string
  /** The present mode of the list or limit. */
  mode: 'ENFORCED' | 'SHADOW'
  /** First day, in the time zone of the tenant. */
  from: string
  /** Last day, in the time zone of the tenant. */
  to: string
  /** Sums of the period by code. */
  codes: {
    /** Status code with which it would have declined. */
    status_code: string
    /** Text of the status code. */
    status_description: string
    /** ISO 4217 code of the currency of the accounts. */
    currency: string
    /** Approvals that the list or limit would have declined. */
    number: number
    /** Sum that they requested, in major units of `currency`. */
    amount: number
    /** Decisions that it would have declined and that another check declined. */
    declined_number: number
    /** Sum that these requested, in major units of `currency`. */
    declined_amount: number
  }[]
  /** Sums by day and code, the newest day first. */
  days: {
    /** Day, YYYY-MM-DD. */
    day: string
    /** Status code with which it would have declined. */
    status_code: string
    /** Text of the status code. */
    status_description: string
    /** ISO 4217 code of the currency of the accounts. */
    currency: string
    /** Approvals that the list or limit would have declined. */
    number: number
    /** Sum that they requested, in major units of `currency`. */
    amount: number
    /** Decisions that it would have declined and that another check declined. */
    declined_number: number
    /** Sum that these requested, in major units of `currency`. */
    declined_amount: number
  }[]
  /** The newest approved transactions that it would have declined, at most 20. */
  examples: {
    /**
     * Format: uuid
     * Id of the transaction.
     */
    transaction_id: string
    /** Status code of the list or limit. */
    status_code: string
  }[]
}

export interface Account {
  /**
   * Format: uuid
   * Id of the account.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user that owns the account, if any.
   */
  user_id?: string
  /** Ids of the cards that spend from the account. */
  card_ids: string[]
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Sum of all posted entries, in major units. */
  balance: number
  /** Balance less the held amount, in major units. */
  available_balance: number
  /** Sum of the open holds of card transactions, in major units. */
  held_amount: number
  /** Only an ACTIVE account is loaded, unloaded or part of a transfer. */
  status: 'ACTIVE' | 'INACTIVE' | 'SUSPENDED'
  /** Whether it is the first account of the user in its currency. */
  default_account: boolean
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface AccountEntry {
  /**
   * Format: uuid
   * Id of the entry.
   */
  id: string
  /** Kind of movement: a call of a client, or the type of a card transaction. */
  type:
    | 'LOAD'
    | 'UNLOAD'
    | 'TRANSFER'
    | 'PURCHASE'
    | 'WITHDRAWAL'
    | 'CASH_BACK'
    | 'ACCOUNT_FUNDING'
    | 'QUASI_CASH'
    | 'CASH_DISBURSEMENT'
    | 'REFUND'
    | 'DEPOSIT'
    | 'ORIGINAL_CREDIT'
    | 'PAYMENT'
    | 'REVERSAL'
    | 'CHARGE'
    | 'CHARGE_REVERSAL'
    | 'DISPUTE_CREDIT'
    | 'DISPUTE_CREDIT_REVERSAL'
    | 'ADJUSTMENT'
  /** Amount in major units, below zero if money left the account. */
  amount: number
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account after the entry, in major units. */
  balance: number
  /**
   * Format: uuid
   * Id of the card transaction, if any.
   */
  transaction_id?: string
  /**
   * Format: uuid
   * Id of the card of that transaction.
   */
  card_id?: string
  /** Merchant of the card transaction. */
  merchant?: {
    /** Id of the merchant, from DE42. */
    id?: string
    /** Name of the merchant, from DE43. */
    name?: string
    /** Merchant category code, from DE18. */
    mcc?: string
    /** City of the merchant, from DE43. */
    city?: string
    /** ISO 3166-1 alpha-3 country code. */
    country?: string
  }
  /** Note of the client about the movement. */
  notes?: string
  /**
   * Format: date-time
   * Time of the posting.
   */
  created: string
}

export interface FundsMovement {
  /**
   * Format: uuid
   * Id of the movement; absent in a dry run.
   */
  transfer_id?: string
  /** Amount that was moved, in major units. */
  amount: number
  /** ISO 4217 code of the currency of the amount. */
  currency: string
  /** Whether the call checks only and moves nothing. */
  dry_run: boolean
  /** Note of the client about the movement. */
  notes?: string
  account: Account
}

export interface Transfer {
  /**
   * Format: uuid
   * Id of the movement; absent in a dry run.
   */
  transfer_id?: string
  /**
   * Format: uuid
   * Id of the account that the money leaves.
   */
  sender_account_id: string
  /**
   * Format: uuid
   * Id of the account that receives the money.
   */
  recipient_account_id: string
  /** Amount that was moved, in major units. */
  amount: number
  /** ISO 4217 code of the currency of the amount. */
  currency: string
  /** Whether the call checks only and moves nothing. */
  dry_run: boolean
  /** Note of the client about the movement. */
  notes?: string
  sender_account: Account
  recipient_account: Account
}

export interface FundingUse {
  /**
   * Format: uuid
   * Id of the program account.
   */
  account_id: string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account, in major units. */
  balance: number
  /** Part of the balance that bulk issuances hold, in major units. */
  held: number
  /** Amount that left the account since `drawn_since`, in major units. */
  drawn: number
  /**
   * Format: date-time
   * Time 7 days ago, or later where more than 10,000 movements follow.
   */
  drawn_since: string
  /** Whole days that what is not held lasts, if as much leaves it each day as since `drawn_since`; absent if nothing has left it. */
  days_left?: number
}

export interface Funding {
  /**
   * Format: uuid
   * Id of the movement.
   */
  transfer_id: string
  /** Amount that was added, in major units. */
  amount: number
  /**
   * Format: uuid
   * Id of the program account.
   */
  account_id: string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account, in major units. */
  balance: number
}

export interface FundingBalance {
  /**
   * Format: uuid
   * Id of the program account.
   */
  account_id: string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account, in major units. */
  balance: number
}

export interface LowFunding {
  /**
   * Format: uuid
   * Id of the tenant.
   */
  tenant_id: string
  /** Name of the tenant. */
  tenant_name: string
  /**
   * Format: uuid
   * Id of the program account.
   */
  account_id: string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account, in major units. */
  balance: number
  /** Balance less what is held, in major units. */
  available: number
}

export interface ProgramAccount {
  /**
   * Format: uuid
   * Id of the program account.
   */
  account_id: string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Balance of the account, in major units. */
  balance: number
  /** FUNDING loads accounts; EXTERNAL is the bank, SETTLEMENT the card network, FX gains and losses of exchange, DISPUTES what the network has given back and cardholders have not, SUSPENSE what it has settled and no account has. */
  kind: 'FUNDING' | 'EXTERNAL' | 'SETTLEMENT' | 'FEES' | 'FX' | 'DISPUTES' | 'SUSPENSE'
}

export interface Charge {
  /**
   * Format: uuid
   * Id of the charge.
   */
  id: string
  /**
   * Format: uuid
   * Id of the account that is charged.
   */
  account_id: string
  /**
   * Format: uuid
   * Id of the card, of a charge for a card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Id of the card transaction, of a charge for one.
   */
  transaction_id?: string
  /** Reason of the charge. */
  type:
    | 'ISSUING'
    | 'REPLACEMENT'
    | 'CASH_WITHDRAWAL'
    | 'FOREIGN_CURRENCY'
    | 'MONTHLY'
    | 'OTHER'
    | 'DISPUTE'
  /** APPLIED once the money was taken. PENDING while the account has too little: it is tried again every hour. REVERSED once it was given back. CANCELED if it is not taken any more. */
  status: 'APPLIED' | 'PENDING' | 'REVERSED' | 'CANCELED'
  /** Amount in major units of `currency`. */
  amount: number
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Text for the statement. */
  description?: string
  /**
   * Format: uuid
   * Id of the entry in the statement of the account, once it was taken.
   */
  transfer_id?: string
  /**
   * Format: date-time
   * Time at which the money was taken.
   */
  applied?: string
  /**
   * Format: date-time
   * Time at which the charge arose.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface Card {
  /**
   * Format: uuid
   * Id of the card.
   */
  id: string
  /**
   * Format: uuid
   * Id of the user that holds the card; absent until linked.
   */
  user_id?: string
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /**
   * Format: uuid
   * Id of the account of the card; absent until linked.
   */
  account_id?: string
  /** VIRTUAL or PHYSICAL. */
  card_type: 'VIRTUAL' | 'PHYSICAL'
  /** Status of the card; TERMINATED is final. */
  status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  /** Why the card has its status. */
  status_reason_code:
    | 'I0'
    | 'a0'
    | 'A0'
    | 'S0'
    | 'S1'
    | 'S2'
    | 'P0'
    | 'AT'
    | 'ST'
    | 'T0'
    | 'T1'
    | 'T2'
    | 'T3'
    | 'T4'
  /** Name on the card; that of a physical card is embossed in upper case. */
  name_on_card?: string
  /** First six and last four digits of the card number, with asterisks between. */
  masked_card_number: string
  /** Bank identification number: 6 to 8 digits. */
  bin: string
  /** Last four digits of the card number. */
  last_four: string
  /** Last month in which the card is valid, YYYY-MM. */
  expiry_date: string
  /**
   * Format: uuid
   * Id of the card that this card replaces.
   */
  reference_card_id?: string
  /**
   * Format: uuid
   * Id of the card that replaces this card.
   */
  replaced_by_card_id?: string
  /**
   * Format: uuid
   * Id of the bulk issuance that issued the card.
   */
  bulk_issuance_id?: string
  /** How far production and delivery are; absent for a virtual card. */
  fulfillment_status?: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /**
   * Format: uuid
   * Id of the batch that the bureau makes the card in; absent before.
   */
  card_order_id?: string
  /** Carrier of the card. */
  delivery_partner?: string
  /** Tracking number given by the carrier. */
  tracking_number?: string
  /** Delivery of the card. */
  shipping_details?: {
    /** Way of delivery of the card. */
    method?: 'COURIER' | 'MAIL' | 'PICKUP'
    /** Recipient and address of the delivery. */
    address?: {
      /** Name of the recipient. */
      name?: string
      /** Phone number, stored as E.164. */
      mobile?: string
      /** First line of the address. */
      address_line1?: string
      /** Second line of the address. */
      address_line2?: string
      /** City. */
      city?: string
      /** State or province. */
      state?: string
      /** Postal code. */
      postal_code?: string
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string
    }
    /** Recipient and address for a card that cannot be delivered. */
    return_address?: {
      /** Name of the recipient. */
      name?: string
      /** Phone number, stored as E.164. */
      mobile?: string
      /** First line of the address. */
      address_line1?: string
      /** Second line of the address. */
      address_line2?: string
      /** City. */
      city?: string
      /** State or province. */
      state?: string
      /** Postal code. */
      postal_code?: string
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string
    }
  }
  /** Way of delivery of the card. */
  delivery_method?: 'COURIER' | 'MAIL' | 'PICKUP'
  /** Authorization switches and amount bounds of the card. */
  auth_settings: {
    /** Allows transactions at an ATM, other than credits. Absent means true. */
    atm?: boolean
    /** Allows transactions at a point of sale, other than credits. Absent means true. */
    pos?: boolean
    /** Allows transactions with a chip, by contact or contactless, other than credits. Absent means true. */
    chip?: boolean
    /** Allows transactions with a magnetic stripe, other than credits. Absent means true. */
    magstripe?: boolean
    /** Allows magnetic stripe fallback of a chip card, other than credits. Absent means true. */
    chip_fallback?: boolean
    /** Allows payments with the card present and without a PIN. Absent means true. */
    pin_absent?: boolean
    /** Allows remote payments with 3-D Secure. Absent means true. */
    ecommerce_3ds?: boolean
    /** Allows e-commerce payments without 3-D Secure, other than recurring ones. Absent means true. */
    ecommerce_non_3ds?: boolean
    /** Allows e-commerce payments without a CVV2, other than recurring ones. Absent means true. */
    ecommerce_without_cvv2?: boolean
    /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. Absent means true. */
    quasi_cash?: boolean
    /** Allows account funding, processing code 10. Absent means true. */
    account_funding?: boolean
    /** Allows credits, processing codes 26 and 28. Absent means true. */
    credit?: boolean
    /** Allows account verification without a CVV2 or a read card. Absent means true. */
    account_verification_without_cvv2?: boolean
    /** Allows cash deposits, processing codes 21 and 22. Absent means true. */
    cash_in?: boolean
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. Absent means true. */
    cash_out?: boolean
    /** Allows deposits at an ATM, processing code 21. Absent means true. */
    atm_deposit?: boolean
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. Absent means true. */
    atm_night?: boolean
    /** Allows transfers to the card, processing code 26. Absent means true. */
    incoming_transfers?: boolean
    /** Allows transfers from the card, processing code 40. Absent means true. */
    outgoing_transfers?: boolean
    /** Allows recurring payments, by DE22 10, DE25 73 or DE61. Absent means true. */
    recurring?: boolean
    /** Least amount of one payment, with its increments, in major units of the product’s currency. */
    min_amount?: number
    /** Largest amount of one payment, with its increments, in major units of the product’s currency. */
    max_amount?: number
  }
  /**
   * Format: uuid
   * Id of the list of allowed countries.
   */
  allowed_countries_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed MCCs.
   */
  allowed_mccs_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed merchants.
   */
  allowed_merchants_id?: string
  /**
   * Format: date-time
   * Time at which the card was issued.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface CardAuthSettings {
  /** Allows transactions at an ATM, other than credits. Absent means true. */
  atm?: boolean
  /** Allows transactions at a point of sale, other than credits. Absent means true. */
  pos?: boolean
  /** Allows transactions with a chip, by contact or contactless, other than credits. Absent means true. */
  chip?: boolean
  /** Allows transactions with a magnetic stripe, other than credits. Absent means true. */
  magstripe?: boolean
  /** Allows magnetic stripe fallback of a chip card, other than credits. Absent means true. */
  chip_fallback?: boolean
  /** Allows payments with the card present and without a PIN. Absent means true. */
  pin_absent?: boolean
  /** Allows remote payments with 3-D Secure. Absent means true. */
  ecommerce_3ds?: boolean
  /** Allows e-commerce payments without 3-D Secure, other than recurring ones. Absent means true. */
  ecommerce_non_3ds?: boolean
  /** Allows e-commerce payments without a CVV2, other than recurring ones. Absent means true. */
  ecommerce_without_cvv2?: boolean
  /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. Absent means true. */
  quasi_cash?: boolean
  /** Allows account funding, processing code 10. Absent means true. */
  account_funding?: boolean
  /** Allows credits, processing codes 26 and 28. Absent means true. */
  credit?: boolean
  /** Allows account verification without a CVV2 or a read card. Absent means true. */
  account_verification_without_cvv2?: boolean
  /** Allows cash deposits, processing codes 21 and 22. Absent means true. */
  cash_in?: boolean
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. Absent means true. */
  cash_out?: boolean
  /** Allows deposits at an ATM, processing code 21. Absent means true. */
  atm_deposit?: boolean
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. Absent means true. */
  atm_night?: boolean
  /** Allows transfers to the card, processing code 26. Absent means true. */
  incoming_transfers?: boolean
  /** Allows transfers from the card, processing code 40. Absent means true. */
  outgoing_transfers?: boolean
  /** Allows recurring payments, by DE22 10, DE25 73 or DE61. Absent means true. */
  recurring?: boolean
  /** Least amount of one payment, with its increments, in major units of the product’s currency. */
  min_amount?: number
  /** Largest amount of one payment, with its increments, in major units of the product’s currency. */
  max_amount?: number
  /**
   * Format: uuid
   * Id of the list of allowed countries.
   */
  allowed_countries_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed MCCs.
   */
  allowed_mccs_id?: string
  /**
   * Format: uuid
   * Id of the list of allowed merchants.
   */
  allowed_merchants_id?: string
}

export interface RevealedCard {
  /**
   * Format: uuid
   * Id of the card.
   */
  id: string
  /** Full card number, digits only. */
  card_number: string
  /** Last month in which the card is valid, YYYY-MM. */
  expiry_date: string
  /** Three digits. */
  cvv2: string
}

export interface StopOrder {
  /**
   * Format: uuid
   * Id of the stop order.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card that the order was made for.
   */
  card_id: string
  /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
  merchant_id: string
  /**
   * Format: date-time
   * Time at which the stop order was made.
   */
  created: string
}

export interface ChangedPin {
  /**
   * Format: uuid
   * Id of the card.
   */
  id: string
  /**
   * Format: date-time
   * Time at which the PIN was changed.
   */
  modified: string
}

export interface CardOrder {
  /**
   * Format: uuid
   * Id of the batch.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card product of its cards.
   */
  card_product_id: string
  /** PREPARING until the bureau has the file, then SENT; CONFIRMED or PARTLY_REJECTED once every card is answered; FAILED if all were rejected. */
  state: 'PREPARING' | 'SENT' | 'CONFIRMED' | 'PARTLY_REJECTED' | 'FAILED'
  /** Name of the bureau. */
  bureau: string
  /** Name of the file at the bureau. */
  file_name: string
  /** Number of cards in the file. */
  count: number
  /** Number of cards that the bureau has answered. */
  answered: number
  /** Number of cards that it has rejected. */
  rejected: number
  /** SHA-256 of the file before encryption, in hex. */
  digest?: string
  /** Why the file was not handed over at the last attempt. */
  fault?: string
  /** Number of attempts to hand the file over. */
  attempts: number
  /**
   * Format: date-time
   * Time at which the bureau had the file.
   */
  sent?: string
  /**
   * Format: date-time
   * Time at which the last card was answered.
   */
  completed?: string
  /**
   * Format: date-time
   * Time at which its cards were collected.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface SentOrders {
  /** Number of cards that are collected now. */
  cards: number
  /** Number of batches that were waiting and are tried again now. */
  batches: number
}

export interface BureauAnswer {
  /**
   * Format: uuid
   * Id of the file.
   */
  id: string
  /** Name of the bureau. */
  bureau: string
  /** Name of the file. */
  file_name: string
  /** SHA-256 of the file, in hex. */
  digest: string
  /** Number of its lines. */
  lines: number
  /** Number of the lines that are right. */
  applied: number
  /** Lines without an effect: the first 1,000. */
  faults: {
    /** Number of the line, from 1 on. */
    line: number
    /** What is wrong with the line. */
    message: string
  }[]
  /**
   * Format: date-time
   * Time at which the file was applied.
   */
  created: string
}

export interface Token {
  /**
   * Format: uuid
   * Id of the token.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card that the token pays with.
   */
  card_id: string
  /** Wallet that holds the token. */
  wallet: 'APPLE' | 'GOOGLE' | 'SAMSUNG' | 'OTHER'
  /** Name of the device; absent when none was sent. */
  device_name?: string
  /** Status of the token; DELETED is final. */
  status: 'ACTIVE' | 'SUSPENDED' | 'DELETED'
  /** First six and last four digits of the token number, with asterisks between. */
  masked_token_number: string
  /** Last four digits of the token number. */
  last_four: string
  /** Expiry month of the token, YYYY-MM; that of the card. */
  expiry_date: string
  /**
   * Format: date-time
   * Time at which the token was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface RevealedToken {
  /**
   * Format: uuid
   * Id of the token.
   */
  id: string
  /** Full token number, digits only. */
  token_number: string
  /** Expiry month of the token, YYYY-MM. */
  expiry_date: string
}

export interface Chip {
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /** Highest application transaction counter of a right cryptogram. */
  atc?: number
  /** The last request of each script. */
  scripts: {
    /** Name of the script. */
    script: 'BLOCK' | 'UNBLOCK_PIN'
    /** REQUESTED until an answer carries it, then SENT; DONE or FAILED is the result that the card reports. */
    status: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED'
  }[]
}

export interface WidgetToken {
  /** Token for a single use within five minutes; no other answer contains it. */
  token: string
  /** Address of the page to frame; `data-url` of the loader. */
  url: string
  /**
   * Format: date-time
   * Time at which the token expires.
   */
  expires: string
}

export interface CreatedBulkIssuance {
  /**
   * Format: uuid
   * Id of the bulk issuance; absent in a dry run.
   */
  id?: string
  /** DRAFT, SUBMITTED, PROCESSING, then COMPLETED or FAILED. */
  status: 'DRAFT' | 'SUBMITTED' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /**
   * Format: uuid
   * Id of the card product of the cards.
   */
  card_product_id: string
  /** Number of cards requested. */
  number_of_cards: number
  /** Number of cards issued so far; grows while the status is PROCESSING. */
  issued_cards: number
  /** Number of cards not issued: all of them when the status is FAILED, otherwise 0. */
  failed_cards: number
  /** Amount preloaded on each card, in major units. */
  amount?: number
  /** ISO 4217 code of the currency of the card product. */
  currency: string
  /** Name embossed on every card. */
  name_on_card?: string
  /** true in the answer to a dry run, which is COMPLETED. */
  dry_run: boolean
  /** FAILED when the fulfillment of a card failed, otherwise the status furthest behind. */
  fulfillment_status?: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /** Why no card was issued; present when FAILED. */
  error?: {
    /** Code of the error; 1853 when too few card numbers are left in the range. */
    code: string
    /** Text of the error for people. */
    message: string
    /** Card numbers needed, or funds needed in major units. */
    needed?: number
    /** Card numbers available, or funds available in major units. */
    available?: number
  }
  /**
   * Format: date-time
   * Time at which the bulk issuance was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface BulkIssuance {
  /**
   * Format: uuid
   * Id of the bulk issuance.
   */
  id: string
  /** DRAFT, SUBMITTED, PROCESSING, then COMPLETED or FAILED. */
  status: 'DRAFT' | 'SUBMITTED' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /**
   * Format: uuid
   * Id of the card product of the cards.
   */
  card_product_id: string
  /** Number of cards requested. */
  number_of_cards: number
  /** Number of cards issued so far; grows while the status is PROCESSING. */
  issued_cards: number
  /** Number of cards not issued: all of them when the status is FAILED, otherwise 0. */
  failed_cards: number
  /** Amount preloaded on each card, in major units. */
  amount?: number
  /** ISO 4217 code of the currency of the card product. */
  currency: string
  /** Name embossed on every card. */
  name_on_card?: string
  /** true in the answer to a dry run, which is COMPLETED. */
  dry_run: boolean
  /** FAILED when the fulfillment of a card failed, otherwise the status furthest behind. */
  fulfillment_status?: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /** Why no card was issued; present when FAILED. */
  error?: {
    /** Code of the error; 1853 when too few card numbers are left in the range. */
    code: string
    /** Text of the error for people. */
    message: string
    /** Card numbers needed, or funds needed in major units. */
    needed?: number
    /** Card numbers available, or funds available in major units. */
    available?: number
  }
  /**
   * Format: date-time
   * Time at which the bulk issuance was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface Transaction {
  /**
   * Format: uuid
   * Id of the transaction.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card, if the number is of a known card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Id of the account of the card.
   */
  account_id?: string
  /**
   * Format: uuid
   * Id of the user that holds the card.
   */
  user_id?: string
  /** ISO 8583 type of the first message. */
  message_type: string
  /** Type by processing code (DE3). */
  transaction_type:
    | 'PURCHASE'
    | 'WITHDRAWAL'
    | 'CASH_BACK'
    | 'ACCOUNT_FUNDING'
    | 'QUASI_CASH'
    | 'CASH_DISBURSEMENT'
    | 'REFUND'
    | 'DEPOSIT'
    | 'LOAD'
    | 'UNLOAD'
    | 'ORIGINAL_CREDIT'
    | 'PAYMENT'
    | 'BALANCE_INQUIRY'
    | 'VERIFICATION'
    | 'TRANSFER'
    | 'UNKNOWN'
  /** PENDING while funds are held. SETTLED once nothing is held and something was posted, VOIDED once all was reversed, EXPIRED once the hold has ended with nothing posted. DECLINED holds and posts nothing. */
  status: 'PENDING' | 'SETTLED' | 'VOIDED' | 'EXPIRED' | 'DECLINED'
  /** Four-digit status code; 0000 is an approval. */
  status_code: string
  /** Text of the status code. */
  status_description: string
  /** Amount in major units of `currency`. */
  amount: number
  /** Currency of the transaction, ISO 4217; XXX where the message names none. */
  currency: string
  /** Amount in major units of `billing_currency`. */
  billing_amount?: number
  /** ISO 4217 code of the currency of the account. */
  billing_currency?: string
  /** Rate at which the amount was converted: major units of `billing_currency` for one of `currency`. Absent if the two are the same. */
  rate?: string
  /** Rate at which the last clearing was settled. */
  clearing_rate?: string
  /** Merchant as the message names it. */
  merchant: {
    /** Id of the merchant, from DE42. */
    id?: string
    /** Name of the merchant, from DE43. */
    name?: string
    /** Merchant category code, from DE18. */
    mcc?: string
    /** City of the merchant, from DE43. */
    city?: string
    /** ISO 3166-1 alpha-3 country code. */
    country?: string
  }
  /** Point of sale. */
  pos: {
    /** How the card data was read. */
    entry_mode:
      | 'CHIP'
      | 'CONTACTLESS'
      | 'MAGSTRIPE'
      | 'FALLBACK'
      | 'MANUAL'
      | 'ECOMMERCE'
      | 'CREDENTIAL_ON_FILE'
      | 'UNKNOWN'
    /** Kind of place of the sale. */
    environment: 'ATM' | 'POS' | 'ECOMMERCE' | 'MAIL_PHONE' | 'UNKNOWN'
    /** Id of the terminal, from DE41. */
    terminal_id?: string
  }
  /** Approval code (DE38). */
  approval_code?: string
  /** Retrieval reference number (DE37). */
  rrn?: string
  /** System trace audit number (DE11). */
  stan?: string
  /** Amount posted, in major units of the billing currency. */
  cleared_amount: number
  /** Amount refunded, in major units of the billing currency. */
  refunded_amount: number
  /**
   * Format: date-time
   * Time at which the hold on funds ends.
   */
  hold_expires?: string
  /**
   * Format: uuid
   * Id of the transaction that this one refers to.
   */
  reference_transaction_id?: string
  /** Changes so far, oldest first. */
  events: {
    /** Kind of event of the transaction. */
    type:
      | 'AUTHORIZED'
      | 'DECLINED'
      | 'INCREMENTED'
      | 'REVERSED'
      | 'CLEARED'
      | 'REFUNDED'
      | 'REFUND_REVERSED'
      | 'RELEASED'
      | 'EXPIRED'
      | 'REFUSED'
    /** ISO 8583 message type; absent if no message caused it. */
    message_type?: string
    /** Four-digit status code of the decision. */
    status_code: string
    /** Amount in major units of the currency of the transaction. */
    amount: number
    /**
     * Format: date-time
     * Time of the event.
     */
    created: string
  }[]
  /**
   * Format: date-time
   * Time of the first message.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface TransactionEntry {
  /** Id of the movement, with its side behind it. */
  id: string
  /**
   * Format: uuid
   * Id of the movement, which its other side has too.
   */
  transfer_id: string
  /** Kind of movement: CLEARING, REVERSAL, FX_DIFFERENCE, CHARGE, CHARGE_REVERSAL, one that begins with DISPUTE_, or the type of a transaction that was posted at once. */
  kind: string
  /**
   * Format: uuid
   * Id of the account.
   */
  account_id: string
  /** Account of the card, or one of the program. */
  account_kind:
    | 'CARD'
    | 'FUNDING'
    | 'EXTERNAL'
    | 'SETTLEMENT'
    | 'FEES'
    | 'FX'
    | 'DISPUTES'
    | 'SUSPENSE'
  /** DEBIT takes from the account, CREDIT adds to it. */
  side: 'DEBIT' | 'CREDIT'
  /** Amount in major units, above zero. */
  amount: number
  /** ISO 4217 code. */
  currency: string
  /**
   * Format: date-time
   * Time of the posting.
   */
  created: string
}

export interface TransactionTrace {
  /**
   * Format: uuid
   * Id of the transaction.
   */
  transaction_id: string
  /** Four-digit status code of the transaction. */
  status_code: string
  /** Checks in their order, also those after the first that declined. */
  checks: {
    /** Name of the check. */
    check: string
    /** Finding of the check. */
    detail?: string
    /** `refused` where the check declined the message; `skipped` where it was not made, because an earlier check declined; `would_refuse` where a list or limit in SHADOW would have declined. */
    verdict: 'passed' | 'refused' | 'skipped' | 'would_refuse'
    /** Status code of a check that declined. */
    status_code?: string
    /**
     * Format: uuid
     * Id of the list or limit in SHADOW.
     */
    control_id?: string
    /** False for a check after the first that declined: it had no effect. */
    decisive: boolean
  }[]
}

export interface WireMessage {
  /**
   * Format: uuid
   * Id of the record.
   */
  id: string
  /** SIMULATED for a message that a simulation stands for. */
  source: 'NETWORK' | 'SIMULATED'
  /** RECEIVED by the platform, or SENT by it. */
  direction: 'RECEIVED' | 'SENT'
  /** ISO 8583 message type. */
  mti: string
  /**
   * Format: date-time
   * Real time at which it came or left; a sandbox clock does not move it.
   */
  at: string
  /** Length of the message, without the header of its frame. */
  bytes: number
  /** Data elements that are present, in order. */
  fields: {
    /** Number of the data element; a part has its place, element (DE48) or tag (DE55). */
    number: string
    /** Name in the standard. */
    name: string
    /** Value as text, binary ones in hexadecimal. Stars stand for the hidden part of a masked value, at most 40 of them. */
    value: string
    /** Whether anything of the value is hidden. */
    masked: boolean
    /** Parts of the value, where it has some. */
    subfields?: {
      /** Number of the data element; a part has its place, element (DE48) or tag (DE55). */
      number: string
      /** Name in the standard. */
      name: string
      /** Value as text, binary ones in hexadecimal. Stars stand for the hidden part of a masked value, at most 40 of them. */
      value: string
      /** Whether anything of the value is hidden. */
      masked: boolean
    }[]
  }[]
}

export interface AuthorizationStatistics {
  /**
   * Format: date-time
   * Present time on the clock of the tenant.
   */
  now: string
  /**
   * Format: date-time
   * Beginning of the first hour.
   */
  from: string
  /**
   * Format: date-time
   * End of the last hour.
   */
  to: string
  /** PARTIAL while some hours of the period are not counted yet: `hours` leaves them out, the newest are counted first, and the next call goes on. */
  state: 'COMPLETE' | 'PARTIAL'
  /** Each hour that is counted and has begun, oldest first. */
  hours: {
    /**
     * Format: date-time
     * Beginning of the hour.
     */
    hour: string
    /** Number of approved authorizations. */
    approved: number
    /** Number of declined authorizations. */
    declined: number
    /** Approved amounts, by currency. */
    amounts: {
      /** ISO 4217 code of the currency of the transactions. */
      currency: string
      /** Amount that was approved, in major units of `currency`. */
      approved_amount: number
    }[]
    /** Declined authorizations by code, the most frequent first. */
    declines: {
      /** Four-digit status code of the decision. */
      status_code: string
      /** Text of the status code. */
      status_description: string
      /** Number of authorizations declined with it. */
      number: number
    }[]
  }[]
}

export interface Network {
  /** Name of the network in NETWORKS_FILE. */
  name: string
  /** Whether the program listens or connects. */
  role: 'listen' | 'connect'
  /** Where it listens, or connects to. */
  addresses: string[]
  /** How messages are written. */
  dialect: string
  /** The length before a message. */
  header: string
  /** The bytes between length and message. */
  envelope: string
  /** The side that signs on. */
  sign_on: 'us' | 'peer'
  /** Seconds of silence before an echo. */
  echo_seconds: number
  /** Milliseconds for a decision. */
  deadline_ms: number
  /** The map of response codes (DE39). */
  codes: string
  /** Who converts amounts. */
  billing: 'scheme' | 'own'
  /** The beginnings of card numbers that it may send; left out: all. */
  bins?: string[]
  /** Whether a message needs its code (MAC). */
  mac_required: boolean
  /** The algorithm of codes (MAC). */
  mac_algorithm?: string
  /** Whether keys may be exchanged. */
  has_keys: boolean
  /** Open connections of all processes, as of the last five seconds. */
  connections: {
    /**
     * Format: uuid
     * Id of the process that has it.
     */
    process_id: string
    /** Address and port of the peer. */
    address: string
    /**
     * Format: date-time
     * When it was opened, in real time.
     */
    opened: string
    /** Whether messages of payments are decided. */
    signed_on: boolean
    /**
     * Format: date-time
     * When a message came last, in real time.
     */
    last_message?: string
  }[]
  /** Messages with a wrong code or without one, since the processes started. */
  mac_failures: number
  /** Messages without effect since the processes started: not understood, or with a wrong code, key or beginning of the card number. */
  messages_refused: number
  /** Keys that are honoured now, newest first. */
  keys: {
    /** ZAK for the codes of messages (MAC), ZPK for PIN blocks. */
    use: 'ZAK' | 'ZPK'
    /** First six digits by which people compare keys. */
    check_value: string
    /**
     * Format: date-time
     * When the key came.
     */
    created: string
  }[]
  /** The last requests for keys, newest first. */
  exchanges: {
    /**
     * Format: uuid
     * Id of the request for a key.
     */
    id: string
    /** ZAK for the codes of messages (MAC), ZPK for PIN blocks. */
    use: 'ZAK' | 'ZPK'
    /** REQUESTED: nobody has asked yet. SENT: the network was asked. DONE: its key has come. FAILED: it has refused. */
    state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED'
    /**
     * Format: date-time
     * When it was requested.
     */
    created: string
  }[]
}

export interface Challenge {
  /**
   * Format: uuid
   * Id of the challenge.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: uuid
   * Id of the user that holds the card.
   */
  user_id?: string
  /** PENDING until it is answered. PASSED, FAILED (three wrong codes), DECLINED by the cardholder and EXPIRED are final. */
  status: 'PENDING' | 'PASSED' | 'FAILED' | 'DECLINED' | 'EXPIRED'
  /** Amount of the payment in major units of `currency`, as the cardholder sees it. */
  amount: number
  /** ISO 4217 code of the currency of the payment. */
  currency: string
  /** Merchant that is to be paid. */
  merchant: {
    /** Id of the merchant (DE42). */
    id: string
    /** Name of the merchant. */
    name: string
  }
  /** How the code goes out: the setting `challenge_messenger` as it was. NONE: there is no code, and the cardholder approves the payment in an app. */
  messenger: 'NONE' | 'SERVER' | 'MAIL'
  /** Outcome of sending the code: PENDING while it is under way, UNKNOWN where it may or may not have arrived, FAILED where it certainly has not, NONE without a code. */
  sending: 'NONE' | 'PENDING' | 'SENT' | 'FAILED' | 'UNKNOWN'
  /** Codes that may still be tried. */
  tries_left: number
  /**
   * Format: date-time
   * Until when it may be answered, five minutes after its creation.
   */
  expires: string
  /**
   * Format: date-time
   * When it was passed; absent if it was not.
   */
  passed?: string
  /** AAV that proves it to the authorization (DE48, element 43), 28 characters of base64. Only of a challenge that was passed, and in no list. */
  authentication_value?: string
  /**
   * Format: date-time
   * Time at which it was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

/** Texts of evidence. */
export interface DisputeEvidence {
  /** What the cardholder says, in their own words. */
  cardholder_statement?: string
  /** When and how the cardholder tried to settle it with the merchant. */
  merchant_contact?: string
  /** The day on which the goods or the service were due. */
  expected_date?: string
  /** What was ordered, and in which way it differs. */
  description?: string
  /** Proof that the goods were sent back or offered back. */
  return_proof?: string
  /** When and how the purchase was cancelled, and the terms of cancellation. */
  cancellation?: string
  /** The credit note or promise of the merchant. */
  credit_proof?: string
  /** The other payment: its id, day, amount and means. */
  other_transaction?: string
  /** The amount that was agreed, and its receipt. */
  correct_amount?: string
  /** Where the card was, and whether it was lost or stolen. */
  card_possession?: string
}

export interface Dispute {
  /**
   * Format: uuid
   * Id of the dispute.
   */
  id: string
  /**
   * Format: uuid
   * Id of the card transaction.
   */
  transaction_id: string
  /**
   * Format: uuid
   * Id of the account.
   */
  account_id: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: uuid
   * Id of the user that holds the card.
   */
  user_id?: string
  /** DRAFT until it is submitted. SUBMITTED until the chargeback has left. CHARGED_BACK until the merchant’s side answers. REPRESENTED until the issuer accepts or arbitrates. PRE_ARBITRATION until the scheme decides. WON, LOST, ACCEPTED, WITHDRAWN and EXPIRED are final. */
  status:
    | 'DRAFT'
    | 'SUBMITTED'
    | 'CHARGED_BACK'
    | 'REPRESENTED'
    | 'PRE_ARBITRATION'
    | 'WON'
    | 'LOST'
    | 'ACCEPTED'
    | 'WITHDRAWN'
    | 'EXPIRED'
  /** How it ended; absent while it is open, and if it was never decided. */
  outcome?: 'WON' | 'LOST'
  /** Reason of the dispute. */
  reason:
    | 'FRAUD'
    | 'NOT_RECEIVED'
    | 'NOT_AS_DESCRIBED'
    | 'CANCELLED'
    | 'CREDIT_NOT_PROCESSED'
    | 'DUPLICATE'
    | 'WRONG_AMOUNT'
    | 'PAID_BY_OTHER_MEANS'
    | 'CASH_NOT_DISPENSED'
    | 'OTHER'
  /** Scheme of the card, if it is one of these. */
  scheme?: 'MASTERCARD' | 'VISA'
  /** Code of the reason at the scheme. */
  reason_code?: string
  /** What happened, for the reviewer at the merchant’s side. */
  explanation: string
  evidence: DisputeEvidence
  /** Amount that is disputed, in major units of `currency`. */
  amount: number
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** When the cardholder gets the amount provisionally: the setting `dispute_provisional_credit` as it was when the dispute was submitted, or opened. */
  provisional_credit: 'NONE' | 'AT_SUBMISSION' | 'AT_CHARGEBACK'
  /** Amount that the account has got of it so far. */
  credited_amount: number
  /** Amount that the card network has given back so far. */
  recovered_amount: number
  /** Amount that the merchant’s side took back. */
  represented_amount: number
  /** Message that has still to leave for the card network. */
  outgoing?: 'CHARGEBACK' | 'ARBITRATION' | 'REVERSAL'
  /**
   * Format: date-time
   * Until when whose turn it is may act; then the dispute is EXPIRED.
   */
  deadline?: string
  /** Steps so far, oldest first. */
  moves: {
    /** Step that was made; OPEN for the first. */
    step:
      | 'OPEN'
      | 'SUBMIT'
      | 'WITHDRAW'
      | 'ACCEPT'
      | 'ARBITRATE'
      | 'CHARGEBACK'
      | 'REPRESENT'
      | 'WIN'
      | 'LOSE'
      | 'REJECT'
      | 'EXPIRE'
    /** Status after it. */
    status:
      | 'DRAFT'
      | 'SUBMITTED'
      | 'CHARGED_BACK'
      | 'REPRESENTED'
      | 'PRE_ARBITRATION'
      | 'WON'
      | 'LOST'
      | 'ACCEPTED'
      | 'WITHDRAWN'
      | 'EXPIRED'
    /** Author of the step. */
    author: {
      /** Kind of the actor: client, operator, network or system. */
      kind: string
      /** Id of the actor, of a person in a session. */
      id: string
    }
    /** Note of the author. */
    note?: string
    /** Part that a second presentment took back. */
    amount?: number
    /**
     * Format: date-time
     * Time of the step.
     */
    created: string
  }[]
  /**
   * Format: date-time
   * Time at which it was opened.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface DisputeReasonCode {
  /** Scheme of the card. */
  scheme: 'MASTERCARD' | 'VISA'
  /** Code of the scheme. */
  code: string
  /** Name of the code. */
  name: string
  /** Reasons for which it is used. */
  reasons: (
    | 'FRAUD'
    | 'NOT_RECEIVED'
    | 'NOT_AS_DESCRIBED'
    | 'CANCELLED'
    | 'CREDIT_NOT_PROCESSED'
    | 'DUPLICATE'
    | 'WRONG_AMOUNT'
    | 'PAID_BY_OTHER_MEANS'
    | 'CASH_NOT_DISPENSED'
    | 'OTHER'
  )[]
  /** Days from the settlement to the submission. */
  days: number
  /** Names of the evidence that helps. */
  evidence: string[]
}

export interface DisputeUpload {
  /**
   * Format: uuid
   * Id of the new file; generated when absent.
   */
  id?: string
  /** Name of the file; that of its part when absent. */
  file_name?: string
  /**
   * Format: binary
   * Content of a single file.
   */
  file?: Blob
  /** Contents of one to five files. */
  files?: Blob[]
}

export interface DisputeFile {
  /**
   * Format: uuid
   * Id of the file.
   */
  id: string
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /** Side whose evidence it is. That of the MERCHANT comes with a second presentment, and stays. */
  source: 'ISSUER' | 'MERCHANT'
  /** Name of the file. */
  file_name: string
  /** Media type under which the file is served. */
  content_type: string
  /** Size in bytes. */
  size: number
  /** Result of the virus scan, absent without a scanner; only a CLEAN file is served then. */
  scan_status?: 'HELD' | 'CLEAN' | 'INFECTED'
  /**
   * Format: date-time
   * When the file was uploaded.
   */
  created: string
}

export interface ImportedClearing {
  /**
   * Format: uuid
   * Id of the file on the platform.
   */
  id: string
  /** Id of the file at the network (PDS 0105); left out where it has none. */
  file?: string
  /** Digest of its bytes in hexadecimal; left out while it is checked. */
  sha256?: string
  /** REJECTED files are posted in no part. POSTING has records that wait. */
  state: 'CHECKING' | 'REJECTED' | 'POSTING' | 'POSTED'
  /** Number of records, header and trailer too. */
  records: number
  /** Number of faults of a rejected file. */
  faults_count: number
  /** The first 100 of them. */
  faults: string[]
  /**
   * Format: date-time
   * Time of the import.
   */
  created: string
  /** Its records by state, kind and currency. */
  sums?: {
    /** State of the records. */
    state: 'WAITING' | 'POSTED' | 'BOOKED' | 'SUSPENDED' | 'SHOWN' | 'RESOLVED'
    /** Kind of the records. */
    kind: 'PRESENTMENT' | 'REVERSAL' | 'FEE' | 'DISPUTE' | 'TOTALS' | 'OTHER'
    /** Currency of the transaction (DE49); left out where the records have no amount. */
    currency?: string
    /** DEBIT where the network takes the money, CREDIT where it pays. */
    direction: 'DEBIT' | 'CREDIT'
    /** Number of records. */
    count: number
    /** Sum of their amounts (DE4). */
    amount: number
  }[]
  /** Whether it was imported before; nothing changed then. */
  known: boolean
}

export interface Clearing {
  /**
   * Format: uuid
   * Id of the file on the platform.
   */
  id: string
  /** Id of the file at the network (PDS 0105); left out where it has none. */
  file?: string
  /** Digest of its bytes in hexadecimal; left out while it is checked. */
  sha256?: string
  /** REJECTED files are posted in no part. POSTING has records that wait. */
  state: 'CHECKING' | 'REJECTED' | 'POSTING' | 'POSTED'
  /** Number of records, header and trailer too. */
  records: number
  /** Number of faults of a rejected file. */
  faults_count: number
  /** The first 100 of them. */
  faults: string[]
  /**
   * Format: date-time
   * Time of the import.
   */
  created: string
  /** Its records by state, kind and currency. */
  sums?: {
    /** State of the records. */
    state: 'WAITING' | 'POSTED' | 'BOOKED' | 'SUSPENDED' | 'SHOWN' | 'RESOLVED'
    /** Kind of the records. */
    kind: 'PRESENTMENT' | 'REVERSAL' | 'FEE' | 'DISPUTE' | 'TOTALS' | 'OTHER'
    /** Currency of the transaction (DE49); left out where the records have no amount. */
    currency?: string
    /** DEBIT where the network takes the money, CREDIT where it pays. */
    direction: 'DEBIT' | 'CREDIT'
    /** Number of records. */
    count: number
    /** Sum of their amounts (DE4). */
    amount: number
  }[]
}

export interface ClearingRecord {
  /** Number in its file, from 1. */
  number: number
  /** Place in its file. */
  byte: number
  /**
   * Format: uuid
   * Tenant of its card.
   */
  tenant_id: string
  /** Message type. */
  mti: string
  /** DE24. */
  function_code: string
  /** Meaning of the message type. */
  kind: 'PRESENTMENT' | 'REVERSAL' | 'FEE' | 'DISPUTE' | 'TOTALS' | 'OTHER'
  /** POSTED to a card or to a dispute, BOOKED to fees, SUSPENDED until a person resolves it, or SHOWN, because it moves no money. */
  state: 'WAITING' | 'POSTED' | 'BOOKED' | 'SUSPENDED' | 'SHOWN' | 'RESOLVED'
  /** DEBIT where the network takes the money. */
  direction: 'DEBIT' | 'CREDIT'
  /** DE4. */
  amount?: number
  /** DE49. */
  currency?: string
  /** Amount in suspense or fees. */
  booked_amount?: number
  /** Its currency. */
  booked_currency?: string
  /**
   * Format: uuid
   * Card of its number.
   */
  card_id?: string
  /**
   * Format: uuid
   * Transaction that it has posted, or was declined as.
   */
  transaction_id?: string
  /**
   * Format: uuid
   * Dispute that it has moved.
   */
  dispute_id?: string
  /** Code of the engine. */
  status_code?: string
  /** Why it is in suspense. UNKNOWN_CARD: no card of the platform has its number; ACCOUNT_CLOSED: the account is not active, and does not cover it; DUPLICATE: another record has posted its acquirer reference data; NO_ORIGINAL: no presentment with its acquirer reference data is known; ORIGINAL_NOT_POSTED: the presentment that it reverses is not posted to a card; REVERSED_BEFORE: its reversal came first; DISPUTE: a second presentment or chargeback that fits no dispute, or not one alone; UNKNOWN_MESSAGE: its message type moves money in no way that is known; DECLINED: the engine does not post it; `status_code` has the reason. */
  reason?: string
  /** Whether a later record has reversed it. */
  reversed: boolean
  /** POSTED, RETURNED or WRITTEN_OFF, by a person. */
  resolution?: string
  /** Note of that person. */
  note?: string
  /**
   * Format: date-time
   * Time of that.
   */
  resolved?: string
  /** The record field by field; its card number is masked. */
  content: {
    [key: string]: string
  }
}

export interface ClearingExport {
  /**
   * Format: uuid
   * Id of the file on the platform.
   */
  id: string
  /** Id of the file (PDS 0105). */
  file: string
  /** Messages between header and trailer. */
  messages: number
  /** Sum of their DE4, as its trailer has it. */
  amount: string
  /**
   * Format: date-time
   * When it was made.
   */
  created: string
}

export interface Backtest {
  /**
   * Format: uuid
   * Id of the backtest.
   */
  id: string
  /** RUNNING until all decisions are read. */
  status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED'
  /**
   * Format: date-time
   * Time of the earliest decision to decide again.
   */
  from: string
  /**
   * Format: date-time
   * The period ends before this time.
   */
  to: string
  /**
   * Format: date-time
   * Time from which decisions count against velocity limits.
   */
  counts_from: string
  /**
   * Format: uuid
   * Decisions of the cards of this card product, the proposal at the product.
   */
  card_product_id?: string
  /**
   * Format: uuid
   * Decisions of this card, the proposal at the card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Decisions of the cards of this account, limits linked to the account.
   */
  account_id?: string
  /**
   * Format: uuid
   * Decisions of the cards of this user, limits linked to the user.
   */
  user_id?: string
  /** Proposed controls, as they were sent. */
  proposal: {
    /** Settings in place of those of the card or product. */
    auth_settings?: {
      /** Allows transactions at an ATM, other than credits. null means true. */
      atm?: boolean | null
      /** Allows transactions at a point of sale, other than credits. null means true. */
      pos?: boolean | null
      /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
      chip?: boolean | null
      /** Allows transactions with a magnetic stripe, other than credits. null means true. */
      magstripe?: boolean | null
      /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
      chip_fallback?: boolean | null
      /** Allows payments with the card present and without a PIN. null means true. */
      pin_absent?: boolean | null
      /** Allows remote payments with 3-D Secure. null means true. */
      ecommerce_3ds?: boolean | null
      /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
      ecommerce_non_3ds?: boolean | null
      /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
      ecommerce_without_cvv2?: boolean | null
      /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
      quasi_cash?: boolean | null
      /** Allows account funding, processing code 10. null means true. */
      account_funding?: boolean | null
      /** Allows credits, processing codes 26 and 28. null means true. */
      credit?: boolean | null
      /** Allows account verification without a CVV2 or a read card. null means true. */
      account_verification_without_cvv2?: boolean | null
      /** Allows cash deposits, processing codes 21 and 22. null means true. */
      cash_in?: boolean | null
      /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
      cash_out?: boolean | null
      /** Allows deposits at an ATM, processing code 21. null means true. */
      atm_deposit?: boolean | null
      /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
      atm_night?: boolean | null
      /** Allows transfers to the card, processing code 26. null means true. */
      incoming_transfers?: boolean | null
      /** Allows transfers from the card, processing code 40. null means true. */
      outgoing_transfers?: boolean | null
      /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
      recurring?: boolean | null
      /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
      min_amount?: (number | string) | null
      /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
      max_amount?: (number | string) | null
    }
    /** List of countries in place of that of the card or product. */
    allowed_countries?: {
      /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
      allow?: boolean
      /** Countries by ISO 3166-1 alpha-2, alpha-3 or number, each once, at most 300. */
      country_codes: string[]
    }
    /** List of MCCs in place of that of the card or product. */
    allowed_mccs?: {
      /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
      allow?: boolean
      /** Merchant category codes of four digits, each once, at most 1000. */
      mccs: string[]
    }
    /** List of merchants in place of that of the card or product. */
    allowed_merchants?: {
      /** Merchants, each once, at most 1000. If one has `allow` true, only those pass; those with `allow` false are declined. */
      merchants: {
        /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
        merchant_id: string
        /** Whether payments of the merchant pass. */
        allow: boolean
      }[]
    }
    /** Id of the list of allowed countries. null names no list. */
    allowed_countries_id?: string | null
    /** Id of the list of allowed MCCs. null names no list. */
    allowed_mccs_id?: string | null
    /** Id of the list of allowed merchants. null names no list. */
    allowed_merchants_id?: string | null
    /** Balance limits beside those that are linked, 1 to 10. */
    balance_limits?: {
      /** The limit of one account. */
      type: 'PER_ACCOUNT'
      /** ISO 4217 code; the limit applies to accounts of this currency. */
      currency: string
      /** Least amount that must remain available after a debit, in major units. */
      min_amount: number | string
    }[]
    /** Velocity limits beside those that are linked, 1 to 10. */
    velocity_limits?: {
      /** PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period. */
      type: 'PER_TRANSACTION' | 'CUMULATIVE'
      /** ISO 4217 code; the limit applies to accounts of this currency. */
      currency: string
      /** Least amount of one transaction, in major units. */
      min_amount?: (number | string) | null
      /** Largest amount of one transaction, or with CUMULATIVE in the period, in major units. */
      max_amount?: (number | string) | null
      /** Largest number of transactions in the period; requires `period`. */
      frequency?: number | null
      /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
      period?: ('DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME') | null
      /** Transactions that the limit applies to; default ALL. */
      transaction_scope?: ('PURCHASES' | 'WITHDRAWALS' | 'ALL')[]
    }[]
  }
  /** How far the backtest is. */
  progress: {
    /** Decisions that were read so far. */
    read: number
    /** Part of the period that is done, 0 to 100. */
    percent: number
  }
  /** Results so far; complete once the backtest is COMPLETED. */
  result: {
    /** Decisions of the period that were decided again. */
    evaluated: number
    /** Decisions that would stay as they are. */
    unchanged: number
    /** Approved decisions that the proposal would decline, by code. */
    would_decline: {
      /** Status code with which it would decline. */
      status_code: string
      /** ISO 4217 code of the currency of the amounts. */
      currency: string
      /** Number of decisions. */
      number: number
      /** Sum that they requested, in major units of `currency`. */
      amount: number
      /** Newest transactions, newest first, at most 10. */
      examples: string[]
    }[]
    /** Declined decisions that it would approve, by the code that declined them. */
    would_approve: {
      /** Status code that declined it. */
      former_status_code: string
      /** ISO 4217 code of the currency of the amounts. */
      currency: string
      /** Number of decisions. */
      number: number
      /** Sum that they requested, in major units of `currency`. */
      amount: number
      /** Newest transactions, newest first, at most 10. */
      examples: string[]
    }[]
    /** Declined decisions that it would decline with another code. */
    would_decline_otherwise: {
      /** Status code with which it would decline. */
      status_code: string
      /** Status code that declined it. */
      former_status_code: string
      /** ISO 4217 code of the currency of the amounts. */
      currency: string
      /** Number of decisions. */
      number: number
      /** Sum that they requested, in major units of `currency`. */
      amount: number
      /** Newest transactions, newest first, at most 10. */
      examples: string[]
    }[]
    /** Decisions whose answer cannot be known from what is stored. */
    not_evaluated: {
      /** CHECK_NOT_MADE: a check that would decide was not made, because an earlier one declined. FUNDS_NOT_STORED: the available funds are not stored. */
      reason: 'CHECK_NOT_MADE' | 'FUNDS_NOT_STORED'
      /** Number of decisions. */
      number: number
    }[]
  }
  /** Why a FAILED backtest ended. */
  error?: string
  /**
   * Format: date-time
   * Time at which the backtest was created.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last progress.
   */
  modified: string
  /**
   * Format: date-time
   * Time at which it ended.
   */
  completed?: string
  /**
   * Format: date-time
   * Time at which it is deleted.
   */
  expires: string
}

export interface WebhookWithSecret {
  /**
   * Format: uuid
   * Id of the subscription.
   */
  id: string
  /** URL that receives the events by POST. */
  endpoint: string
  /** Kinds of events that are delivered. */
  events: string[]
  /** Only an ACTIVE subscription receives events. */
  status: 'ACTIVE' | 'DISABLED'
  /** CLIENT, GONE (the endpoint answered 410) or FAILING (for five days). */
  disabled_reason?: string
  /**
   * Format: date-time
   * Time of the first failed attempt since the last successful one.
   */
  failing_since?: string
  /** Credentials and headers of the deliveries. */
  config: {
    /** User name for HTTP Basic. */
    basic_auth_username?: string
    /** Headers of every delivery, without their values. */
    custom_headers: {
      /** Name of the header. */
      header_name: string
    }[]
    /**
     * Format: date-time
     * Time of creation of the subscription.
     */
    created: string
    /**
     * Format: date-time
     * Time of the last change of the subscription.
     */
    modified: string
  }
  /** Signing secret: whsec_ and 32 bytes in base64. */
  secret: string
}

export interface Webhook {
  /**
   * Format: uuid
   * Id of the subscription.
   */
  id: string
  /** URL that receives the events by POST. */
  endpoint: string
  /** Kinds of events that are delivered. */
  events: string[]
  /** Only an ACTIVE subscription receives events. */
  status: 'ACTIVE' | 'DISABLED'
  /** CLIENT, GONE (the endpoint answered 410) or FAILING (for five days). */
  disabled_reason?: string
  /**
   * Format: date-time
   * Time of the first failed attempt since the last successful one.
   */
  failing_since?: string
  /** Credentials and headers of the deliveries. */
  config: {
    /** User name for HTTP Basic. */
    basic_auth_username?: string
    /** Headers of every delivery, without their values. */
    custom_headers: {
      /** Name of the header. */
      header_name: string
    }[]
    /**
     * Format: date-time
     * Time of creation of the subscription.
     */
    created: string
    /**
     * Format: date-time
     * Time of the last change of the subscription.
     */
    modified: string
  }
}

export interface Delivery {
  /**
   * Format: uuid
   * Id of the delivery.
   */
  id: string
  /**
   * Format: uuid
   * Id of the subscription.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the event, the same in each of its deliveries.
   */
  event_id: string
  /** Kind of the event. */
  event: string
  /**
   * Format: uuid
   * Id of the object that the event is about.
   */
  object_id: string
  /** Number of the event among those of its object. */
  sequence: number
  /** RETRYING after a failed attempt, EXPIRED after the last. */
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Attempts made since the delivery was last started. */
  attempts: number
  /**
   * Format: date-time
   * Time of the next attempt; absent if none follows.
   */
  due?: string
  /** HTTP status of the last attempt, if one came. */
  response_status?: number
  /** First 4096 bytes of the response to the last attempt. */
  response_body?: string
  /** Why the last attempt failed. */
  error?: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface ObjectDelivery {
  /**
   * Format: uuid
   * Id of the delivery.
   */
  id: string
  /**
   * Format: uuid
   * Id of the subscription.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the event, the same in each of its deliveries.
   */
  event_id: string
  /** Kind of the event. */
  event: string
  /**
   * Format: uuid
   * Id of the object that the event is about.
   */
  object_id: string
  /** Number of the event among those of its object. */
  sequence: number
  /** RETRYING after a failed attempt, EXPIRED after the last. */
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Attempts made since the delivery was last started. */
  attempts: number
  /**
   * Format: date-time
   * Time of the next attempt; absent if none follows.
   */
  due?: string
  /** HTTP status of the last attempt, if one came. */
  response_status?: number
  /** First 4096 bytes of the response to the last attempt. */
  response_body?: string
  /** Why the last attempt failed. */
  error?: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
  /** URL of the subscription as it is now. */
  endpoint: string
}

export interface DeliveryAttempt {
  /** From 1, over all starts of the delivery. */
  number: number
  /**
   * Format: date-time
   * Time at which the attempt began.
   */
  sent: string
  /** Milliseconds until the response was read or the attempt given up. */
  duration_ms: number
  /** Headers of the request. The values of the signature, of credentials and of custom headers are masked. */
  request_headers: {
    /** Name of the header. */
    name: string
    /** Its value; *** where it is secret. */
    value: string
  }[]
  /** HTTP status of the response, if one came. */
  response_status?: number
  /** First 4096 bytes of the response. */
  response_body?: string
  /** Why the attempt failed. */
  error?: string
}

export interface DeliveryWithHistory {
  /**
   * Format: uuid
   * Id of the delivery.
   */
  id: string
  /**
   * Format: uuid
   * Id of the subscription.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the event, the same in each of its deliveries.
   */
  event_id: string
  /** Kind of the event. */
  event: string
  /**
   * Format: uuid
   * Id of the object that the event is about.
   */
  object_id: string
  /** Number of the event among those of its object. */
  sequence: number
  /** RETRYING after a failed attempt, EXPIRED after the last. */
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Attempts made since the delivery was last started. */
  attempts: number
  /**
   * Format: date-time
   * Time of the next attempt; absent if none follows.
   */
  due?: string
  /** HTTP status of the last attempt, if one came. */
  response_status?: number
  /** First 4096 bytes of the response to the last attempt. */
  response_body?: string
  /** Why the last attempt failed. */
  error?: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
  /** The attempts of all starts of the delivery, newest first, at most 100. */
  history: DeliveryAttempt[]
}

export type Event = {
  /**
   * Format: uuid
   * Id of the event.
   */
  id: string
  /** Kind of the event. */
  event: string
  /** Time of the event, ISO 8601 UTC. */
  created: string
} & {
  [key: string]: unknown
}

export interface FoundObject {
  /** Kind of the object. */
  kind:
    | 'USER'
    | 'CARD'
    | 'ACCOUNT'
    | 'CARD_PRODUCT'
    | 'TRANSACTION'
    | 'BULK_ISSUANCE'
    | 'BALANCE_LIMIT'
    | 'VELOCITY_LIMIT'
    | 'COUNTRY_LIST'
    | 'MCC_LIST'
    | 'MERCHANT_LIST'
    | 'BACKTEST'
    | 'WEBHOOK'
    | 'DELIVERY'
  /**
   * Format: uuid
   * Id of the object.
   */
  id: string
  /** Its name, or what it is known by instead. */
  title: string
  /** Text that distinguishes it from others like it. */
  subtitle?: string
  /** Its status, or the mode of a control. */
  status?: string
}

export interface Health {
  /** OK where every part is UP. */
  status: 'OK' | 'DEGRADED'
  /** The parts of the platform. */
  parts: {
    /** Part of the platform. */
    part: 'API' | 'NETWORK' | 'WORKER' | 'DATABASE'
    /** UP where a process of the part was seen within 15 s, STALE within 60 s, else DOWN. */
    status: 'UP' | 'STALE' | 'DOWN'
    /** Processes of the part that were seen within 60 s. */
    processes: number
    /**
     * Format: date-time
     * When the last of them was seen, in real time.
     */
    seen?: string
  }[]
}

export interface Process {
  /**
   * Format: uuid
   * Id of the process.
   */
  id: string
  /** Its roles and the end of its id. */
  name: string
  /** Version of the program. */
  version: string
  /** Roles of the process. */
  roles: ('api' | 'network' | 'worker')[]
  /** UP if it was seen within 15 s, STALE within 60 s, else DOWN. */
  status: 'UP' | 'STALE' | 'DOWN'
  /**
   * Format: date-time
   * When it started, in real time.
   */
  started: string
  /**
   * Format: date-time
   * When it was seen last, in real time.
   */
  seen: string
  /** Open connections of the card network. */
  connections: number
}

export interface Processes {
  /** Those of the last day, newest first. */
  processes: Process[]
}

export interface Job {
  /** Name of the sweep or chore. */
  name: string
  /** A SWEEP does due work of tenants, a CHORE looks after tables. */
  kind: 'SWEEP' | 'CHORE'
  /** FAILING where its last run failed, or one of the last minute; OVERDUE where no run has ended for a minute longer than its interval; WAITING before its first run. */
  status: 'FAILING' | 'OVERDUE' | 'WAITING' | 'OK'
  /** Seconds from one run to the next. */
  every_seconds: number
  /**
   * Format: date-time
   * When its last run ended, in real time.
   */
  last_run?: string
  /** Milliseconds of its last run. */
  took_ms?: number
  /** Failures since the process started. */
  failures: number
  /**
   * Format: date-time
   * When it failed last, in real time.
   */
  last_failed?: string
  /** The last failure, in a sentence. */
  last_error?: string
  /**
   * Format: uuid
   * Id of the process that runs it.
   */
  process_id: string
  /** Name of the process that runs it. */
  process_name: string
  /**
   * Format: date-time
   * When the process reported this, in real time.
   */
  seen: string
}

export interface Jobs {
  /** Those that fail first, then those overdue. */
  jobs: Job[]
}

export interface Clock {
  /**
   * Format: date-time
   * Time on the clock of the tenant.
   */
  now: string
}

export interface ClockMoved {
  /**
   * Format: date-time
   * Time on the clock of the tenant.
   */
  now: string
  /** Names of the jobs that became due and are still running, such as deliveries to an endpoint that does not answer. Absent as a rule: all has happened. */
  running?: string[]
}

export interface SimulatedDecision {
  /**
   * Format: uuid
   * Id of the card, if the number is of a known card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Id of the account of the card.
   */
  account_id?: string
  /**
   * Format: uuid
   * Id of the user that holds the card.
   */
  user_id?: string
  /** Type by processing code (DE3). */
  transaction_type:
    | 'PURCHASE'
    | 'WITHDRAWAL'
    | 'CASH_BACK'
    | 'ACCOUNT_FUNDING'
    | 'QUASI_CASH'
    | 'CASH_DISBURSEMENT'
    | 'REFUND'
    | 'DEPOSIT'
    | 'LOAD'
    | 'UNLOAD'
    | 'ORIGINAL_CREDIT'
    | 'PAYMENT'
    | 'BALANCE_INQUIRY'
    | 'VERIFICATION'
    | 'TRANSFER'
    | 'UNKNOWN'
  /** Status that the transaction would have. */
  status: 'PENDING' | 'SETTLED' | 'VOIDED' | 'EXPIRED' | 'DECLINED'
  /** Four-digit status code of the decision. */
  status_code: string
  /** Text of the status code. */
  status_description: string
  /** Amount that would be approved, or was declined; in `currency`. */
  amount: number
  /** Currency of the request, ISO 4217. */
  currency: string
  /** Largest amount that would be approved whole, in `currency`; 0 where none would be. */
  max_approved_amount: number
  /** Checks in their order, also those after the first that declined. */
  checks: {
    /** Name of the check. */
    check: string
    /** Finding of the check. */
    detail?: string
    /** `refused` where the check declined the message; `skipped` where it was not made, because an earlier check declined; `would_refuse` where a list or limit in SHADOW would have declined. */
    verdict: 'passed' | 'refused' | 'skipped' | 'would_refuse'
    /** Status code of a check that declined. */
    status_code?: string
    /**
     * Format: uuid
     * Id of the list or limit in SHADOW.
     */
    control_id?: string
    /** False for a check after the first that declined: it had no effect. */
    decisive: boolean
  }[]
}

/** A question, with the transaction as it would be, as a `url` receives it. */
export interface ResponderRequest {
  /**
   * Format: uuid
   * Id of the question.
   */
  id: string
  transaction: Transaction
  /**
   * Format: date-time
   * Real time until which the question may be answered.
   */
  deadline: string
}

export interface ResponderRequests {
  /** Questions that wait for an answer, at most 100, by their deadlines. */
  data: ResponderRequest[]
}

export interface AnsweredResponderRequest {
  /**
   * Format: uuid
   * Id of the question.
   */
  id: string
  /** Whether the request is approved. */
  approved: boolean
  /** Largest amount that is approved, in major units of the transaction; absent or null for all. */
  amount?: number | string
}

export interface WebhookReceiver {
  /**
   * Format: uuid
   * Id of the receiver.
   */
  id: string
  /** Its address: the endpoint for a webhook subscription. */
  url: string
  /** HTTP status of its answers: 200 takes a delivery, 500 makes it be tried again, 410 disables the subscription. */
  answer_status: number
  /** Milliseconds before it answers; a delivery waits at most 10 000. */
  delay_ms: number
  /** Requests that it has received in all. */
  received: number
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface ReceivedRequest {
  /**
   * Format: uuid
   * Id of the request.
   */
  id: string
  /** Its place among the requests of the receiver, from 1. */
  number: number
  /** Headers of the request, in their order. */
  headers: {
    /** Name of the header. */
    name: string
    /** Its value; *** where it may be a credential. */
    value: string
  }[]
  /** The body, up to 32 768 bytes; only where the signature is VALID. */
  body?: string
  /** Bytes of the whole body. */
  size: number
  /** VALID where a subscription of the tenant to this address signed it in the last five minutes, else INVALID; UNKNOWN where no subscription has this address, MISSING where a header of the signature lacks. */
  verification: 'VALID' | 'INVALID' | 'MISSING' | 'UNKNOWN'
  /**
   * Format: uuid
   * Id of the subscription that signed it.
   */
  webhook_id?: string
  /** HTTP status that it was answered with. */
  answer_status: number
  /** Milliseconds that the answer was delayed by. */
  delay_ms: number
  /**
   * Format: date-time
   * Real time of its arrival.
   */
  created: string
}

export interface MerchantFee {
  /** ISO 4217 alphabetic code of the orders. */
  currency: string
  /** Fee of a capture in per cent of its amount, at most 100, with up to four decimals. */
  percent: number
  /** Fee of a capture beside the percentage, in major units. */
  fixed: number
  /** Fee of a refund, in major units. The fee of the capture is not given back. */
  refund_fee: number
  /** Fee of a dispute, in major units; absent for none. It is not given back. */
  chargeback_fee?: number
}

export interface Merchant {
  /**
   * Format: uuid
   * Id of the merchant.
   */
  id: string
  /**
   * Format: uuid
   * Id of the tenant to which the merchant belongs.
   */
  tenant_id: string
  /** Name of the merchant for the operator. */
  name: string
  /**
   * Format: not-blank
   * Name that customers see; `name` by default.
   */
  display_name: string
  /** An `INACTIVE` merchant cannot authenticate; `ACTIVE` by default. */
  status: 'ACTIVE' | 'INACTIVE'
  /** Merchant category code of ISO 18245, four digits; `5999` by default. */
  mcc: string
  /** ISO 3166-1 alpha-3 code. */
  country: string
  /**
   * Format: not-blank
   * City of the merchant; `Dubai` by default.
   */
  city: string
  /** Lifetime of a token in minutes; 30 by default. */
  token_minutes: number
  /** Days from the authorization to the capture deadline; 5 by default. */
  capture_window_days: number
  /** At the capture deadline `void`, the default, releases what is not captured, and `capture` captures it. A released order stays `OPENED`, or is `COMPLETED` where a part was captured. */
  deadline_policy: 'void' | 'capture'
  /** Whether an order may be captured in several parts; `false` by default. An order keeps the value of the time of its payment. */
  partial_captures: boolean
  /** Host names allowed in callback URLs; an empty list, the default, allows any. */
  callback_hosts: string[]
  /** Whether customers may let the merchant keep their cards, and the merchant may pay with them; false by default. Turning it off deletes no card. */
  kept_cards: boolean
  /** Name of the merchant in messages of the card network (DE43) and so on statements of cardholders: 1 to 25 Latin letters, digits, blanks and marks. If it is absent, that name is `display_name` without accents, other scripts written out in Latin letters. */
  descriptor?: string
  /** Name of the issuer to which new payments go, one of those that the operator has configured; absent for the default one. A payment stays with its issuer. */
  issuer?: string
  /** Color of the payment page such as `#0b6e4f`, with a contrast of at least 3:1 to white. */
  brand_color?: string
  /** Logo on the payment page: a PNG, JPEG or WebP picture as a data URL in Base64, of at most 32,768 characters. */
  logo?: string
  /** Address of the terms of the merchant, https, to which the payment page leads. */
  terms_url?: string
  /** Address of the support of the merchant, https, mailto or tel, to which the payment page leads. */
  support_url?: string
  /** Fees on captures and refunds, at most one object for a currency; none by default. A list that is sent replaces the stored one. A change holds for later captures and refunds. */
  fees: MerchantFee[]
  /** Card acceptor identification in ISO 8583 messages, 15 digits. */
  card_acceptor_id: string
  /** Terminal identification in ISO 8583 messages, 8 digits. */
  terminal_id: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface NewMerchantKey {
  /**
   * Format: uuid
   * Id of the key pair.
   */
  id: string
  /** Public key of the pair, with the prefix `pk_`. */
  public_key: string
  /** Private key of the pair, with the prefix `sk_`. No other answer contains it. */
  private_key: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
}

export interface MerchantKey {
  /**
   * Format: uuid
   * Id of the key pair.
   */
  id: string
  /** Public key of the pair, with the prefix `pk_`. */
  public_key: string
  /**
   * Format: date-time
   * Time of creation.
   */
  created: string
  /**
   * Format: date-time
   * Time of revocation; absent while the pair is valid.
   */
  revoked?: string
}

export interface MerchantDispute {
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the order. */
  reference: string
  /** `NEEDS_RESPONSE` until the merchant sends evidence or accepts, at the latest at `respond_by`. `UNDER_REVIEW` until it is decided. `WON` and `WITHDRAWN` give the amount back. */
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Reason of the cardholder, in the words of the network. */
  reason: string
  /** Code of the scheme. */
  reason_code?: string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Amount that the network took back, in major units, with four decimals. */
  amount: string
  /** Amount that was given back, in major units, with four decimals; of what is `WON` or `WITHDRAWN`. */
  returned?: string
  /** Fee of the dispute, in major units, with four decimals; it is not given back. */
  fee: string
  /** Until when the merchant may answer, UTC with six decimals. */
  respond_by?: string
  /** Evidence that the merchant has sent. */
  evidence: {
    /**
     * Format: not-blank
     * What the merchant says about it.
     */
    explanation?: string
    /**
     * Format: not-blank
     * Carrier, tracking number and day of the delivery.
     */
    shipping_tracking?: string
    /**
     * Format: not-blank
     * Who received it, when and where.
     */
    proof_of_delivery?: string
    /**
     * Format: not-blank
     * Messages with the customer.
     */
    customer_communication?: string
    /**
     * Format: not-blank
     * The terms that the customer accepted.
     */
    refund_policy?: string
    /**
     * Format: not-blank
     * The receipt or invoice.
     */
    receipt?: string
    /**
     * Format: not-blank
     * The payment that is said to be the same one.
     */
    other_transaction?: string
  }
  /** Time at which it was opened, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface OperatorPayout {
  /**
   * Format: uuid
   * Id of the payout.
   */
  id: string
  /**
   * Format: uuid
   * Id of the tenant.
   */
  tenant_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units. */
  captured: number
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units. */
  refunded: number
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units. */
  charged_back?: number
  /** Sum of the fees of all, in major units. */
  fees: number
  /** Amount carried on from the payout before it, zero or below, in major units. */
  carried: number
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units. */
  amount: number
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: date-time
   * Time of its making.
   */
  created: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface Reconciliation {
  /** The day, YYYY-MM-DD of UTC. */
  date: string
  /**
   * Format: date-time
   * First instant of the day.
   */
  from: string
  /**
   * Format: date-time
   * First instant of the next day.
   */
  to: string
  /**
   * Format: date-time
   * When the books were read, in real time.
   */
  as_of: string
  /** AGREES where nothing differs. */
  status: 'AGREES' | 'DIFFERS'
  /** ELSEWHERE where payments go to another program: its book is then not compared. */
  issuer: 'OWN' | 'ELSEWHERE'
  /** How many payments were compared. */
  payments: number
  /** How many payments with a chargeback or a dispute of the day were compared; absent if none. */
  disputed_payments?: number
  /** The books of all merchants, by currency. */
  books: {
    /** Orders of merchants, messages of the acquirer, or the issuer. */
    book: 'ORDERS' | 'ACQUIRER' | 'ISSUER'
    /** ISO 4217 code. */
    currency: string
    /** Payments, which move no money. */
    authorizations: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Captures of payments. */
    captures: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Refunds of captured payments. */
    refunds: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
  }[]
  /** The clearing files of the day, by currency; none of one merchant. */
  files: {
    /**
     * Format: uuid
     * Id of the file on the platform.
     */
    clearing_id: string
    /** Id of the file at the network (PDS 0105). */
    file?: string
    /**
     * Format: uuid
     * Id of the tenant of the records.
     */
    tenant_id: string
    /** ISO 4217 code. */
    currency: string
    /** Records of the file in the currency: the sum of the parts. */
    records: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Posted to cards and disputes. */
    posted: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Booked to fees. */
    fees: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** In suspense. */
    suspense: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Resolved by a person. */
    resolved: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Records that move no money. */
    shown: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
    /** Not posted yet. */
    waiting: {
      /** How many entries of the day the book has. */
      count: number
      /** Sum of these entries, in major units. */
      amount: number
    }
  }[]
  /** The same for each merchant. */
  merchants: {
    /**
     * Format: uuid
     * Id of the tenant of the merchant.
     */
    tenant_id: string
    /**
     * Format: uuid
     * Id of the merchant, where it is one of the program.
     */
    merchant_id?: string
    /** Name of the merchant. */
    merchant_name?: string
    /** DE42, where the merchant is none of the program. */
    card_acceptor_id?: string
    /** The books, by currency. */
    books: {
      /** Orders of merchants, messages of the acquirer, or the issuer. */
      book: 'ORDERS' | 'ACQUIRER' | 'ISSUER'
      /** ISO 4217 code. */
      currency: string
      /** Payments, which move no money. */
      authorizations: {
        /** How many entries of the day the book has. */
        count: number
        /** Sum of these entries, in major units. */
        amount: number
      }
      /** Captures of payments. */
      captures: {
        /** How many entries of the day the book has. */
        count: number
        /** Sum of these entries, in major units. */
        amount: number
      }
      /** Refunds of captured payments. */
      refunds: {
        /** How many entries of the day the book has. */
        count: number
        /** Sum of these entries, in major units. */
        amount: number
      }
    }[]
  }[]
  /** How many differences there are. */
  differences_count: number
  /** The first 500 differences. */
  differences: {
    /** Kind of the difference. */
    kind:
      | 'missing_authorization'
      | 'missing_capture'
      | 'missing_refund'
      | 'missing_reversal'
      | 'doubled_authorization'
      | 'doubled_capture'
      | 'doubled_refund'
      | 'other_currency'
      | 'other_amount'
      | 'other_day'
      | 'unknown_reference'
      | 'hold_remains'
      | 'missing_chargeback'
      | 'missing_dispute'
      | 'other_status'
      | 'payout_differs'
      | 'ledger_differs'
    /** Kind of the entry. */
    entry: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'CHARGEBACK'
    /**
     * Format: uuid
     * Id of the tenant.
     */
    tenant_id: string
    /**
     * Format: uuid
     * Id of the merchant.
     */
    merchant_id?: string
    /**
     * Format: uuid
     * Id of the order.
     */
    order_id?: string
    /** Reference of the order. */
    order_reference?: string
    /** Retrieval reference number (DE37). */
    rrn?: string
    /** Entry of the orders. */
    orders?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** Entry of the messages of the acquirer. */
    acquirer?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** Entry of the issuer. */
    issuer?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** The difference, or why the entry is open, in a sentence. */
    detail: string
  }[]
  /** How many entries are under way. */
  open_count: number
  /** The first 500 entries under way. */
  open: {
    /** Why it is no difference. */
    reason:
      | 'unanswered'
      | 'reversing'
      | 'in_file'
      | 'operation_pending'
      | 'over_midnight'
      | 'changing'
    /** Kind of the entry. */
    entry: 'AUTHORIZATION' | 'CAPTURE' | 'REFUND' | 'CHARGEBACK'
    /**
     * Format: uuid
     * Id of the tenant.
     */
    tenant_id: string
    /**
     * Format: uuid
     * Id of the merchant.
     */
    merchant_id?: string
    /**
     * Format: uuid
     * Id of the order.
     */
    order_id?: string
    /** Reference of the order. */
    order_reference?: string
    /** Retrieval reference number (DE37). */
    rrn?: string
    /** Entry of the orders. */
    orders?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** Entry of the messages of the acquirer. */
    acquirer?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** Entry of the issuer. */
    issuer?: {
      /**
       * Format: uuid
       * Id of the order, operation, message, transaction, chargeback or dispute.
       */
      id: string
      /**
       * Format: uuid
       * Id of the tenant in whose book it is.
       */
      tenant_id: string
      /** Amount in major units of `currency`. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was made, on the clock of its tenant.
       */
      time: string
    }
    /** The difference, or why the entry is open, in a sentence. */
    detail: string
  }[]
  /** How many differences clearing files have. */
  file_differences_count: number
  /** The first 500. */
  file_differences: {
    /** Kind of the difference. */
    kind:
      | 'other_sum'
      | 'missing_posting'
      | 'missing_record'
      | 'other_posting'
      | 'missing_booking'
      | 'doubled_booking'
      | 'other_booking'
      | 'other_settlement'
      | 'other_suspense'
    /**
     * Format: uuid
     * Id of the tenant.
     */
    tenant_id: string
    /**
     * Format: uuid
     * Id of the file on the platform.
     */
    clearing_id?: string
    /** Number of the record in its file. */
    number?: number
    /**
     * Format: uuid
     * Id of the transaction.
     */
    transaction_id?: string
    /** The difference in a sentence, with its amounts. */
    detail: string
  }[]
}

export interface SettlementSummary {
  /**
   * Format: uuid
   * Id of the import.
   */
  id: string
  /** The acquirer and the day, by which both sides know the file. */
  file: string
  /** The acquirer (DE32). */
  acquirer_id: string
  /** The day, YYYY-MM-DD of UTC. */
  date: string
  /** Digest of the bytes of the file, in hexadecimal. */
  sha256: string
  /** How many records the file has. */
  records: number
  /** Its records by currency and type. */
  sums: {
    /** Captures, refunds, or parts of chargebacks. */
    type: 'CAPTURE' | 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL' | 'CHARGEBACK_FEE'
    /** ISO 4217 code. */
    currency: string
    /** How many records the file has of it. */
    count: number
    /** Sum of these records. */
    amount: number
  }[]
  /** AGREES where nothing was found. */
  status: 'AGREES' | 'DIFFERS'
  /** How many findings there are. */
  findings_count: number
  /** How many findings there are of each kind. */
  findings_by_kind: {
    /** Kind of the finding. */
    kind:
      | 'unknown'
      | 'missing'
      | 'other_currency'
      | 'other_amount'
      | 'other_day'
      | 'twice'
      | 'not_in_file'
    /** How many findings are of the kind. */
    count: number
  }[]
  /** Postings near midnight that may be in the file of the day beside. */
  over_midnight: number
  /**
   * Format: date-time
   * When it was imported, in real time.
   */
  created: string
}

export interface Settlement {
  /**
   * Format: uuid
   * Id of the import.
   */
  id: string
  /** The acquirer and the day, by which both sides know the file. */
  file: string
  /** The acquirer (DE32). */
  acquirer_id: string
  /** The day, YYYY-MM-DD of UTC. */
  date: string
  /** Digest of the bytes of the file, in hexadecimal. */
  sha256: string
  /** How many records the file has. */
  records: number
  /** Its records by currency and type. */
  sums: {
    /** Captures, refunds, or parts of chargebacks. */
    type: 'CAPTURE' | 'REFUND' | 'CHARGEBACK' | 'CHARGEBACK_REVERSAL' | 'CHARGEBACK_FEE'
    /** ISO 4217 code. */
    currency: string
    /** How many records the file has of it. */
    count: number
    /** Sum of these records. */
    amount: number
  }[]
  /** AGREES where nothing was found. */
  status: 'AGREES' | 'DIFFERS'
  /** How many findings there are. */
  findings_count: number
  /** How many findings there are of each kind. */
  findings_by_kind: {
    /** Kind of the finding. */
    kind:
      | 'unknown'
      | 'missing'
      | 'other_currency'
      | 'other_amount'
      | 'other_day'
      | 'twice'
      | 'not_in_file'
    /** How many findings are of the kind. */
    count: number
  }[]
  /** Postings near midnight that may be in the file of the day beside. */
  over_midnight: number
  /**
   * Format: date-time
   * When it was imported, in real time.
   */
  created: string
  /** The first 500 findings. */
  findings: {
    /** Kind of the finding. */
    kind:
      | 'unknown'
      | 'missing'
      | 'other_currency'
      | 'other_amount'
      | 'other_day'
      | 'twice'
      | 'not_in_file'
    /** Type of the record or the posting. */
    type: 'CAPTURE' | 'REFUND'
    /** Retrieval reference number (DE37). */
    rrn: string
    /** Record of the file; absent if the file lacks the posting. */
    record?: {
      /** Number of the record in the file. */
      number: number
      /** Trace number (DE11). */
      stan: string
      /** Its amount. */
      amount: number
      /** ISO 4217 code. */
      currency: string
    }
    /** Posting of the issuer; absent if the issuer lacks the record. */
    issuer?: {
      /**
       * Format: uuid
       * Id of the tenant whose card it is.
       */
      tenant_id: string
      /**
       * Format: uuid
       * Id of the transaction.
       */
      transaction_id: string
      /** Amount that was posted. */
      amount: number
      /** ISO 4217 code. */
      currency: string
      /**
       * Format: date-time
       * When it was posted, on the clock of the tenant.
       */
      time: string
    }
    /** The finding in a sentence. */
    detail: string
  }[]
}

export interface StuckPayment {
  /**
   * Format: uuid
   * Id of its message to the issuer.
   */
  id: string
  /**
   * Format: uuid
   * Id of the tenant.
   */
  tenant_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Kind of operation that has no outcome. */
  type: 'PAYMENT' | 'CAPTURE' | 'REFUND'
  /**
   * Format: uuid
   * Id of the checkout of a payment.
   */
  checkout_id?: string
  /**
   * Format: uuid
   * Id of the order of a capture or refund.
   */
  order_id?: string
  /**
   * Format: uuid
   * Id of the capture or refund.
   */
  operation_id?: string
  /** Reference of the payment at the merchant. */
  reference: string
  /** Amount in major units of `currency`. */
  amount: number
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Retrieval reference number (DE37), by which the issuer knows it. */
  rrn: string
  /** Name of the issuer; absent for the default one. */
  issuer?: string
  /** `CARD_MISSING` where its card is not stored and no message can be sent, `UNANSWERED` where the issuer has not answered for 24 hours. */
  reason: 'CARD_MISSING' | 'UNANSWERED'
  /**
   * Format: date-time
   * Time at which it began.
   */
  created: string
}

export interface EndedPayment {
  /**
   * Format: uuid
   * Id of its message to the issuer.
   */
  id: string
  /**
   * Format: uuid
   * Id of the tenant.
   */
  tenant_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Kind of operation that has no outcome. */
  type: 'PAYMENT' | 'CAPTURE' | 'REFUND'
  /**
   * Format: uuid
   * Id of the checkout of a payment.
   */
  checkout_id?: string
  /**
   * Format: uuid
   * Id of the order of a capture or refund.
   */
  order_id?: string
  /**
   * Format: uuid
   * Id of the capture or refund.
   */
  operation_id?: string
  /** Reference of the payment at the merchant. */
  reference: string
  /** Amount in major units of `currency`. */
  amount: number
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Retrieval reference number (DE37), by which the issuer knows it. */
  rrn: string
  /** Name of the issuer; absent for the default one. */
  issuer?: string
  /** `CARD_MISSING` where its card is not stored and no message can be sent, `UNANSWERED` where the issuer has not answered for 24 hours. */
  reason: 'CARD_MISSING' | 'UNANSWERED'
  /**
   * Format: date-time
   * Time at which it began.
   */
  created: string
  /** Outcome at the issuer: `APPROVED` if the payment, capture or refund took effect, `DECLINED` if nothing of it is in effect. */
  outcome: 'APPROVED' | 'DECLINED'
  /** The person at the issuer who stated it, and the place; without card data. */
  note: string
  /**
   * Format: date-time
   * Time at which it was ended.
   */
  ended: string
}

export interface Mail {
  /**
   * Format: uuid
   * Id of the mail.
   */
  id: string
  /** Address of the recipient, in lower case. */
  to: string
  /** Subject of the mail. */
  subject: string
  /** The mail as plain text. */
  text: string
  /** The mail as HTML, with the same words. */
  html: string
  /**
   * Format: date-time
   * When the mail was written.
   */
  created: string
}

export interface UserCreatedEvent {
  /** The kind of the event. */
  event: 'USER_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the user was created.
   */
  created: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Type of the user. */
  user_type: string
  /** Status of the user. */
  status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code of the status. */
  status_reason_code: string
  user: User
}

export interface UserStatusChangeEvent {
  /** The kind of the event. */
  event: 'USER_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the status changed.
   */
  created: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Status before the change. */
  old_status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code before the change. */
  old_status_reason_code: string
  /** Status after the change. */
  new_status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code after the change. */
  new_status_reason_code: string
  /** Type of the user. */
  user_type: string
  /** Note of the change. */
  note?: string
  User_status_change: User
}

export interface IdentityVerificationEvent {
  /** The kind of the event. */
  event: 'IDENTITY_VERIFICATION'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the verification was started.
   */
  created: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Id of the applicant at the identity provider. */
  applicant_id?: string
  /** Token of the applicant for the identity provider, good for 90 minutes. */
  sdk_token?: string
  /** Note of the report. */
  note?: string
  /** Status of the user. */
  status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code before the change. */
  old_status_reason_code?: string
  /** Reason code of the status. */
  status_reason_code: string
  /** Text of the reason code. */
  status_description: string
  /**
   * Format: date-time
   * Time of the last change.
   */
  modified: string
}

export interface KycResultEvent {
  /** The kind of the event. */
  event: 'KYC_RESULT'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the request was submitted.
   */
  created: string
  /** Policy that the user is checked against. */
  kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' | 'UAE_INDIVIDUAL_SECONDARY'
  /**
   * Format: uuid
   * Id of the request.
   */
  kyc_id: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /** Note of the result. */
  note?: string
  /** Status before the result. */
  old_status?: string
  /** SUBMITTED without a result, then OK or FAILED. */
  status: 'SUBMITTED' | 'OK' | 'FAILED'
  /** Code of the status: I0, P0 or F0. */
  status_code: string
  /** Text of the status code. */
  status_description: string
  /**
   * Format: date-time
   * When the request last changed.
   */
  modified: string
}

export interface UserDocumentAlertEvent {
  /** The kind of the event. */
  event: 'USER_DOCUMENT_ALERT'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /**
   * Format: uuid
   * Id of the identification.
   */
  identification_id: string
  /** Type of the document. */
  document_type: string
  /**
   * Format: date-time
   * Date of expiry of the document.
   */
  expiry_date: string
}

export interface ScreeningMatchEvent {
  /** The kind of the event. */
  event: 'SCREENING_MATCH'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When it was found first.
   */
  created: string
  /**
   * Format: uuid
   * Id of the user.
   */
  user_id: string
  /**
   * Format: uuid
   * Id of the match.
   */
  match_id: string
  /** The check that found it. */
  purpose: 'KYC' | 'KYB' | 'ONGOING'
  /** Name of the list, as the provider has it. */
  list: string
  /** How alike they are, in whole per cent. */
  score: number
  /**
   * Format: date-time
   * When it last changed.
   */
  modified: string
}

export interface AccountSuccessfullyCreatedEvent {
  /** The kind of the event. */
  event: 'SUCCESSFULLY_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /** Kind of the created object. */
  object: 'account'
  /**
   * Format: uuid
   * Id of the account.
   */
  account_id: string
  /**
   * Format: uuid
   * Id of the user; absent until the account is linked to one.
   */
  user_id?: string
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /** ISO 4217 code of the currency. */
  currency: string
  /** Status of the account. */
  status: 'ACTIVE'
}

export interface CardSuccessfullyCreatedEvent {
  /** The kind of the event. */
  event: 'SUCCESSFULLY_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /** Kind of the created object. */
  object: 'card'
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: uuid
   * Id of the user; absent until the card is linked to one.
   */
  user_id?: string
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /**
   * Format: uuid
   * Id of the account; absent if the card has none.
   */
  account_id?: string
  /**
   * Format: uuid
   * Id of the card that the new card replaces.
   */
  reference_card_id?: string
  /** VIRTUAL or PHYSICAL. */
  card_type: 'VIRTUAL' | 'PHYSICAL'
  /** Status of the card. */
  status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  /** Reason code of the status. */
  status_reason_code:
    | 'I0'
    | 'a0'
    | 'A0'
    | 'S0'
    | 'S1'
    | 'S2'
    | 'P0'
    | 'AT'
    | 'ST'
    | 'T0'
    | 'T1'
    | 'T2'
    | 'T3'
    | 'T4'
}

export interface AccountStatusChangeEvent {
  /** The kind of the event. */
  event: 'ACCOUNT_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /** Change of the status of the account. */
  account_status_change: {
    /**
     * Format: uuid
     * Id of the account.
     */
    account_id: string
    /**
     * Format: uuid
     * Id of the user that owns the account, if any.
     */
    user_id?: string
    /** Status before the change. */
    old_status: 'ACTIVE' | 'INACTIVE' | 'SUSPENDED'
    /** Status after the change. */
    new_status: 'ACTIVE' | 'INACTIVE' | 'SUSPENDED'
    /** Reason of the change. */
    notes?: string
  }
}

export interface ChargeAppliedEvent {
  /** The kind of the event. */
  event: 'CHARGE_APPLIED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  charge: Charge
}

export interface CardStatusChangeEvent {
  /** The kind of the event. */
  event: 'CARD_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /** Change of the status of the card. */
  card_status_change: {
    /**
     * Format: uuid
     * Id of the card.
     */
    card_id: string
    /** Status before the change. */
    old_status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
    /** Status after the change. */
    new_status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
    /** Reason code before the change. */
    old_status_reason_code:
      | 'I0'
      | 'a0'
      | 'A0'
      | 'S0'
      | 'S1'
      | 'S2'
      | 'P0'
      | 'AT'
      | 'ST'
      | 'T0'
      | 'T1'
      | 'T2'
      | 'T3'
      | 'T4'
    /** Reason code after the change. */
    status_reason_code:
      | 'I0'
      | 'a0'
      | 'A0'
      | 'S0'
      | 'S1'
      | 'S2'
      | 'P0'
      | 'AT'
      | 'ST'
      | 'T0'
      | 'T1'
      | 'T2'
      | 'T3'
      | 'T4'
    /** Explanation that CARD_STATUS_CHANGE contains. */
    note?: {
      /**
       * Format: not-blank
       * Category of the change, 1 to 100 characters.
       */
      category?: string
      /** Explanation, at most 1000 characters. */
      description?: string
      /** At most 20 further texts by name, each of at most 200 characters. */
      extras?: {
        [key: string]: string
      }
    }
  }
}

export interface CardDeliveryPartnerAssignedEvent {
  /** The kind of the event. */
  event: 'CARD_DELIVERY_PARTNER_ASSIGNED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: not-blank
   * Carrier of the card.
   */
  delivery_partner?: string
  /**
   * Format: not-blank
   * Tracking number given by the carrier.
   */
  tracking_number?: string
}

export interface CardDeliveryStatusChangedEvent {
  /** The kind of the event. */
  event: 'CARD_DELIVERY_STATUS_CHANGED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /** Fulfillment status before the change. */
  old_status: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /** Fulfillment status after the change. */
  new_status: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /**
   * Format: not-blank
   * Carrier of the card.
   */
  delivery_partner?: string
  /**
   * Format: not-blank
   * Tracking number given by the carrier.
   */
  tracking_number?: string
}

export interface CardDetailsLimitEvent {
  /** The kind of the event. */
  event: 'CARD_DETAILS_LIMIT'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the tenant.
   */
  tenant_id: string
  /** The limit, of the settings. */
  card_details_per_hour: number
  /**
   * Format: date-time
   * When the hour began.
   */
  hour: string
}

export interface PinChangeEvent {
  /** The kind of the event. */
  event: 'PIN_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
}

export interface CardProvisioningEvent {
  /** The kind of the event. */
  event: 'CARD_PROVISIONING'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: uuid
   * Id of the token; absent if the provisioning was refused.
   */
  token_id?: string
  /** Wallet that requested the token. */
  wallet: 'APPLE' | 'GOOGLE' | 'SAMSUNG' | 'OTHER'
  /** Name of the device; absent when none was sent. */
  device_name?: string
  /** ACTIVE, or REFUSED where the provisioning data are wrong. */
  status: 'ACTIVE' | 'REFUSED'
}

export interface TokenNotificationEvent {
  /** The kind of the event. */
  event: 'TOKEN_NOTIFICATION'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the card.
   */
  card_id: string
  /**
   * Format: uuid
   * Id of the token.
   */
  token_id: string
  /** Wallet that holds the token. */
  wallet: 'APPLE' | 'GOOGLE' | 'SAMSUNG' | 'OTHER'
  /** Status before the change. */
  old_status: 'ACTIVE' | 'SUSPENDED' | 'DELETED'
  /** Status after the change. */
  new_status: 'ACTIVE' | 'SUSPENDED' | 'DELETED'
}

export interface TransactionEvent {
  /** The kind of the event. */
  event: 'TRANSACTION'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  card_transaction: Transaction
}

export interface ExpiredAuthEvent {
  /** The kind of the event. */
  event: 'EXPIRED_AUTH'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  card_transaction: Transaction
}

export interface ChallengeCreatedEvent {
  /** The kind of the event. */
  event: 'CHALLENGE_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  challenge: Challenge
}

export interface DisputeStatusChangeEvent {
  /** The kind of the event. */
  event: 'DISPUTE_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /** Change of the status of the dispute. */
  dispute_status_change: {
    /**
     * Format: uuid
     * Id of the dispute.
     */
    dispute_id: string
    /** Status before the move; absent when it is opened. */
    old_status?:
      | 'DRAFT'
      | 'SUBMITTED'
      | 'CHARGED_BACK'
      | 'REPRESENTED'
      | 'PRE_ARBITRATION'
      | 'WON'
      | 'LOST'
      | 'ACCEPTED'
      | 'WITHDRAWN'
      | 'EXPIRED'
    /** Status after the move. */
    new_status:
      | 'DRAFT'
      | 'SUBMITTED'
      | 'CHARGED_BACK'
      | 'REPRESENTED'
      | 'PRE_ARBITRATION'
      | 'WON'
      | 'LOST'
      | 'ACCEPTED'
      | 'WITHDRAWN'
      | 'EXPIRED'
    /** Note of the author of the move. */
    note?: string
  }
  dispute: Dispute
}

export interface DisputeDeadlineEvent {
  /** The kind of the event. */
  event: 'DISPUTE_DEADLINE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  dispute: Dispute
}

export interface PingEvent {
  /** The kind of the event. */
  event: 'PING'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the subscription.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the merchant whose endpoint it is; absent for one of the tenant.
   */
  merchant_id?: string
}

export interface OrderAuthorizedEvent {
  /** The kind of the event. */
  event: 'ORDER_AUTHORIZED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
}

export interface OrderCapturedEvent {
  /** The kind of the event. */
  event: 'ORDER_CAPTURED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /**
   * Format: uuid
   * Id of the capture.
   */
  transaction_id: string
  /** Amount of this capture in major units, with four decimals. */
  amount: string
  /** Sum of the captures in major units, with four decimals. */
  total_captured: string
  /** Whether it is the last capture of the order. */
  final: boolean
}

export interface OrderRefundedEvent {
  /** The kind of the event. */
  event: 'ORDER_REFUNDED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /**
   * Format: uuid
   * Id of the refund.
   */
  transaction_id: string
  /** Amount of this refund in major units, with four decimals. */
  amount: string
  /** Sum of the refunds in major units, with four decimals. */
  total_refund: string
}

export interface OrderCaptureExpiringEvent {
  /** The kind of the event. */
  event: 'ORDER_CAPTURE_EXPIRING'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /** Hours until the deadline of the capture: 24 or 2. */
  hours_left: number
}

export interface OrderExpiredEvent {
  /** The kind of the event. */
  event: 'ORDER_EXPIRED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /** Sum of the captures in major units, with four decimals; zero if there was none. */
  total_captured: string
}

export interface ChargebackStatusChangeEvent {
  /** The kind of the event. */
  event: 'CHARGEBACK_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the order. */
  reference: string
  /** `NEEDS_RESPONSE` until the merchant sends evidence or accepts, at the latest at `respond_by`. `UNDER_REVIEW` until it is decided. `WON` and `WITHDRAWN` give the amount back. */
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Reason of the cardholder, in the words of the network. */
  reason: string
  /** Code of the scheme. */
  reason_code?: string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Amount that the network took back, in major units, with four decimals. */
  amount: string
  /** Amount that was given back, in major units, with four decimals; of what is `WON` or `WITHDRAWN`. */
  returned?: string
  /** Fee of the dispute, in major units, with four decimals; it is not given back. */
  fee: string
  /** Until when the merchant may answer, UTC with six decimals. */
  respond_by?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutCreatedEvent {
  /** The kind of the event. */
  event: 'PAYOUT_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutPaidEvent {
  /** The kind of the event. */
  event: 'PAYOUT_PAID'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutFailedEvent {
  /** The kind of the event. */
  event: 'PAYOUT_FAILED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface ListUsersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Only users with this status. */
  status?:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Only users of this type. */
  user_type?:
    | 'INDIVIDUAL'
    | 'BUSINESS'
    | 'DIRECTOR'
    | 'SIGNATURE'
    | 'SHAREHOLDER'
    | 'SHAREHOLDER_BUSINESS'
  /** True lists only users that await identity verification, KYC, the review of compliance, further documents after a rejection (S5), or new documents after expiry. */
  awaits_checks?: boolean
}

export interface SearchUsersBody {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Beginning of any word of a name, in any letter case. */
  name?: string
  /** Whole mobile number, with or without its leading +. */
  mobile?: string
  /** Whole e-mail address, in any letter case. */
  email?: string
}

export interface UpdateUserHeaders {
  'if-match'?: string
}

export interface ChangeUserStatusBody {
  /** Status that the user moves to. */
  status:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Reason code of the new status. */
  status_reason_code:
    | 'I0'
    | 'A0'
    | 'A6'
    | 'A7'
    | 'A8'
    | 'B0'
    | 'B1'
    | 'B2'
    | 'B5'
    | 'B6'
    | 'B9'
    | 'B10'
    | 'B0E'
    | 'B2E'
    | 'B9E'
    | 'B10E'
    | 'S0'
    | 'S5'
    | 'T0'
    | 'T12'
    | 'T13'
    | 'T12E'
    | 'T13E'
  /** Note that is stored with the change, up to 1000 characters. */
  note?: string
}

export interface ChangeUserStatusHeaders {
  'if-match'?: string
}

export interface ListUserStatusChangesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ListLinkedUsersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** `direct` lists the children of the user (default), `all` its whole subtree. */
  depth?: 'direct' | 'all'
}

export type ListLinkedUsersByPostBody = Record<string, never>

export interface ListLinkedUsersByPostQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** `direct` lists the children of the user (default), `all` its whole subtree. */
  depth?: 'direct' | 'all'
}

export interface ListIdentificationsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateIdentificationHeaders {
  'if-match'?: string
}

export interface UploadIdentificationFilesHeaders {
  'if-match'?: string
}

export type UploadIdentificationFilesAnswer =
  | IdentificationFile
  | {
      /** The new files. */
      data: IdentificationFile[]
    }

export interface UploadIdentificationFilesByPostHeaders {
  'if-match'?: string
}

export type UploadIdentificationFilesByPostAnswer =
  | IdentificationFile
  | {
      /** The new files. */
      data: IdentificationFile[]
    }

export interface ListIdentificationFilesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface DeleteIdentificationFileHeaders {
  'if-match'?: string
}

export interface BrowseIdentificationFileHeaders {
  range?: string
}

export interface DownloadIdentificationFileHeaders {
  range?: string
}

export interface CreateKycRequestBody {
  /**
   * Format: uuid
   * Id of the new request; generated when absent.
   */
  id?: string
  /** Policy that the user is checked against. */
  kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' | 'UAE_INDIVIDUAL_SECONDARY'
}

export interface SearchKycRequestsBody {
  /** Id of a request or user, or part of the policy, status, note or user name. */
  query?: string
  /** Field to sort by; `created` by default. */
  sort_by?: 'created' | 'modified'
  /** Direction of the sort; `desc` by default. */
  order_by?: 'asc' | 'desc'
  /** Operators between the filters from left to right: one for all, or one fewer than there are filters; `and` by default. */
  matcher?: ('and' | 'or')[]
  /** Conditions on fields. */
  filters?: {
    /** Field of the request to compare. */
    field:
      | 'id'
      | 'user_id'
      | 'kyc_policy'
      | 'status'
      | 'old_status'
      | 'status_code'
      | 'status_description'
      | 'note'
      | 'created'
      | 'modified'
    /** How to compare; it must fit the field. */
    operator: 'eq' | 'any_of' | 'gte' | 'lte' | 'contains'
    /** Values to compare with: exactly one, except for `any_of`. */
    values: string[]
  }[]
  /** Position to continue from, as the page before returned it. */
  cursors?: {
    /** Cursor of the page before. */
    after?: string
    /** Has no effect in a request. */
    has_more?: boolean
  }
  /** Number of requests on a page, 50 by default. */
  limit?: number
}

export interface SearchKycRequestsExtras {
  /** Position of the next page. */
  cursors: {
    /** Cursor of the next page. */
    after?: string
    /** Whether another page follows. */
    has_more: boolean
  }
}

export interface CreateCardProductBody {
  /**
   * Format: uuid
   * Id of the card product; generated when left out.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the card product.
   */
  name: string
  /** ISO 4217 code of the currency of the cards. */
  currency: string
  /** Bank identification number: the first 6 to 8 digits of each card number. */
  bin: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** Range of the card numbers: the digits between BIN and check digit. */
  pan_range?: {
    /** First digits between BIN and check digit; default all 0. */
    start_range?: number | string
    /** Last digits between BIN and check digit; default all 9. */
    end_range?: number | string
  }
  /** Opens an account with each card, or accepts one; default true. */
  link_account_to_card?: boolean
  /** Days that a virtual card stays usable during its migration to a physical one (then 1806); default 30. */
  virtual_to_physical_expiry_duration?: number
  /** Status of a new physical card; default INACTIVE. */
  initial_status_of_physical_card?: 'INACTIVE' | 'ACTIVE'
  /** Status of a new virtual card; default INACTIVE. */
  initial_status_of_virtual_card?: 'INACTIVE' | 'ACTIVE'
  /** Months that a new card is valid; default 36. */
  card_validity_months?: number
  /** Rules for the PINs of the cards. */
  pin?: {
    /** Number of digits of a PIN; default 4. */
    length?: number
    /** Wrong PINs in a row after which the PIN is blocked; default 3. */
    max_tries?: number
    /** Rejects PINs that are easy to guess; default true. */
    refuse_weak?: boolean
    /** How new PINs are verified: by a PVV, which a security module has for four digits alone, or by an IBM 3624 offset of 4 to 12 digits. A card keeps its PIN as it was set; default PVV. */
    verification?: 'PVV' | 'OFFSET'
  }
  /** Authorization switches and amount bounds of the product. */
  auth_settings?: {
    /** Allows transactions at an ATM, other than credits. null means true. */
    atm?: boolean | null
    /** Allows transactions at a point of sale, other than credits. null means true. */
    pos?: boolean | null
    /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
    chip?: boolean | null
    /** Allows transactions with a magnetic stripe, other than credits. null means true. */
    magstripe?: boolean | null
    /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
    chip_fallback?: boolean | null
    /** Allows payments with the card present and without a PIN. null means true. */
    pin_absent?: boolean | null
    /** Allows remote payments with 3-D Secure. null means true. */
    ecommerce_3ds?: boolean | null
    /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
    ecommerce_non_3ds?: boolean | null
    /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
    ecommerce_without_cvv2?: boolean | null
    /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
    quasi_cash?: boolean | null
    /** Allows account funding, processing code 10. null means true. */
    account_funding?: boolean | null
    /** Allows credits, processing codes 26 and 28. null means true. */
    credit?: boolean | null
    /** Allows account verification without a CVV2 or a read card. null means true. */
    account_verification_without_cvv2?: boolean | null
    /** Allows cash deposits, processing codes 21 and 22. null means true. */
    cash_in?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
    cash_out?: boolean | null
    /** Allows deposits at an ATM, processing code 21. null means true. */
    atm_deposit?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
    atm_night?: boolean | null
    /** Allows transfers to the card, processing code 26. null means true. */
    incoming_transfers?: boolean | null
    /** Allows transfers from the card, processing code 40. null means true. */
    outgoing_transfers?: boolean | null
    /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
    recurring?: boolean | null
    /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    min_amount?: (number | string) | null
    /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    max_amount?: (number | string) | null
  }
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
  /** Largest number of cards of a user that are not TERMINATED; absent: no limit. */
  num_of_cards_per_user?: number | null
  /** Approves the available part of an amount on request; default false. */
  partial_approval?: boolean
  /** Amount in major units from which an approval asks for identification (0001). */
  identify_above?: (number | string) | null
  /** Payment pages of a sandbox ask for a one-time code, and 3-D Secure payments of a cardholder without a mobile number are declined (1893); default false. */
  otp_3ds?: boolean
  /** Whether the responder of the tenant is asked about debits of the cards (ASK) or not (SKIP); default ASK. */
  responder?: 'ASK' | 'SKIP'
  /** Percent by which a clearing may exceed its hold without 1855; default 15. */
  clearing_tolerance_percent?: number
  /** Largest credit without a purchase, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_amount?: (number | string) | null
  /** Largest sum of credits without a purchase per card and day, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_daily_amount?: (number | string) | null
  /** If the product has no chip keys, WAIVED accepts chip entries and REQUIRED declines them; with keys the cryptogram has to be right. Default WAIVED in sandbox, REQUIRED in live. */
  emv?: ('WAIVED' | 'REQUIRED') | null
  /** How the bureau makes the physical cards. What is sent replaces the whole; null and members left out have their defaults. */
  production?: {
    /** Service code of the tracks; default 201 with chip keys, otherwise 101. */
    service_code?: string
    /**
     * Format: not-blank
     * The bureau's name of the chip profile.
     */
    chip_profile?: string
    /**
     * Format: not-blank
     * The bureau's name of the card carrier.
     */
    carrier?: string
    /** Text embossed below the name: letters of A to Z, digits, blanks, . / - and '. */
    second_line?: string
    /** Prints a mailer with a random PIN for each card without a PIN; default false. */
    pin_mailer?: boolean
    /** Asks for tracked delivery; default false. */
    tracking?: boolean
  } | null
  /** Charges of the product, at most one of a type; a list that is sent replaces the stored one. Each has either `amount` or `percent`, FOREIGN_CURRENCY a `percent`. */
  charges?: {
    /** Reason of the charge. */
    type: 'ISSUING' | 'REPLACEMENT' | 'CASH_WITHDRAWAL' | 'FOREIGN_CURRENCY' | 'MONTHLY'
    /** Fixed charge in major units of the currency of the product, above 0. */
    amount?: number | string
    /** Charge in per cent of what is posted for the transaction, above 0 and at most 100, with up to four decimals. CASH_WITHDRAWAL and FOREIGN_CURRENCY only. */
    percent?: number | string
    /** Text for the statement, at most 200 characters. */
    description?: string
  }[]
  /** Whether charges of the product take an account below zero. Otherwise a charge that is not covered stays PENDING and is collected later; default false. */
  allow_negative_charges?: boolean
}

export interface ListCardProductsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateCardProductBody {
  /**
   * Format: not-blank
   * Name of the card product.
   */
  name?: string
  /** ISO 4217 code of the currency of the cards. */
  currency?: string
  /** Bank identification number: the first 6 to 8 digits of each card number. */
  bin?: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** Range of the card numbers: the digits between BIN and check digit. */
  pan_range?: {
    /** First digits between BIN and check digit; default all 0. */
    start_range?: number | string
    /** Last digits between BIN and check digit; default all 9. */
    end_range?: number | string
  }
  /** Opens an account with each card, or accepts one; default true. */
  link_account_to_card?: boolean
  /** Days that a virtual card stays usable during its migration to a physical one (then 1806); default 30. */
  virtual_to_physical_expiry_duration?: number
  /** Status of a new physical card; default INACTIVE. */
  initial_status_of_physical_card?: 'INACTIVE' | 'ACTIVE'
  /** Status of a new virtual card; default INACTIVE. */
  initial_status_of_virtual_card?: 'INACTIVE' | 'ACTIVE'
  /** Months that a new card is valid; default 36. */
  card_validity_months?: number
  /** Rules for the PINs of the cards. */
  pin?: {
    /** Number of digits of a PIN; default 4. */
    length?: number
    /** Wrong PINs in a row after which the PIN is blocked; default 3. */
    max_tries?: number
    /** Rejects PINs that are easy to guess; default true. */
    refuse_weak?: boolean
    /** How new PINs are verified: by a PVV, which a security module has for four digits alone, or by an IBM 3624 offset of 4 to 12 digits. A card keeps its PIN as it was set; default PVV. */
    verification?: 'PVV' | 'OFFSET'
  }
  /** Authorization switches and amount bounds of the product. */
  auth_settings?: {
    /** Allows transactions at an ATM, other than credits. null means true. */
    atm?: boolean | null
    /** Allows transactions at a point of sale, other than credits. null means true. */
    pos?: boolean | null
    /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
    chip?: boolean | null
    /** Allows transactions with a magnetic stripe, other than credits. null means true. */
    magstripe?: boolean | null
    /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
    chip_fallback?: boolean | null
    /** Allows payments with the card present and without a PIN. null means true. */
    pin_absent?: boolean | null
    /** Allows remote payments with 3-D Secure. null means true. */
    ecommerce_3ds?: boolean | null
    /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
    ecommerce_non_3ds?: boolean | null
    /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
    ecommerce_without_cvv2?: boolean | null
    /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
    quasi_cash?: boolean | null
    /** Allows account funding, processing code 10. null means true. */
    account_funding?: boolean | null
    /** Allows credits, processing codes 26 and 28. null means true. */
    credit?: boolean | null
    /** Allows account verification without a CVV2 or a read card. null means true. */
    account_verification_without_cvv2?: boolean | null
    /** Allows cash deposits, processing codes 21 and 22. null means true. */
    cash_in?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
    cash_out?: boolean | null
    /** Allows deposits at an ATM, processing code 21. null means true. */
    atm_deposit?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
    atm_night?: boolean | null
    /** Allows transfers to the card, processing code 26. null means true. */
    incoming_transfers?: boolean | null
    /** Allows transfers from the card, processing code 40. null means true. */
    outgoing_transfers?: boolean | null
    /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
    recurring?: boolean | null
    /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    min_amount?: (number | string) | null
    /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    max_amount?: (number | string) | null
  }
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
  /** Largest number of cards of a user that are not TERMINATED; absent: no limit. */
  num_of_cards_per_user?: number | null
  /** Approves the available part of an amount on request; default false. */
  partial_approval?: boolean
  /** Amount in major units from which an approval asks for identification (0001). */
  identify_above?: (number | string) | null
  /** Payment pages of a sandbox ask for a one-time code, and 3-D Secure payments of a cardholder without a mobile number are declined (1893); default false. */
  otp_3ds?: boolean
  /** Whether the responder of the tenant is asked about debits of the cards (ASK) or not (SKIP); default ASK. */
  responder?: 'ASK' | 'SKIP'
  /** Percent by which a clearing may exceed its hold without 1855; default 15. */
  clearing_tolerance_percent?: number
  /** Largest credit without a purchase, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_amount?: (number | string) | null
  /** Largest sum of credits without a purchase per card and day, in major units; absent: no limit in sandbox, none allowed in live. */
  unlinked_credit_max_daily_amount?: (number | string) | null
  /** If the product has no chip keys, WAIVED accepts chip entries and REQUIRED declines them; with keys the cryptogram has to be right. Default WAIVED in sandbox, REQUIRED in live. */
  emv?: ('WAIVED' | 'REQUIRED') | null
  /** How the bureau makes the physical cards. What is sent replaces the whole; null and members left out have their defaults. */
  production?: {
    /** Service code of the tracks; default 201 with chip keys, otherwise 101. */
    service_code?: string
    /**
     * Format: not-blank
     * The bureau's name of the chip profile.
     */
    chip_profile?: string
    /**
     * Format: not-blank
     * The bureau's name of the card carrier.
     */
    carrier?: string
    /** Text embossed below the name: letters of A to Z, digits, blanks, . / - and '. */
    second_line?: string
    /** Prints a mailer with a random PIN for each card without a PIN; default false. */
    pin_mailer?: boolean
    /** Asks for tracked delivery; default false. */
    tracking?: boolean
  } | null
  /** Charges of the product, at most one of a type; a list that is sent replaces the stored one. Each has either `amount` or `percent`, FOREIGN_CURRENCY a `percent`. */
  charges?: {
    /** Reason of the charge. */
    type: 'ISSUING' | 'REPLACEMENT' | 'CASH_WITHDRAWAL' | 'FOREIGN_CURRENCY' | 'MONTHLY'
    /** Fixed charge in major units of the currency of the product, above 0. */
    amount?: number | string
    /** Charge in per cent of what is posted for the transaction, above 0 and at most 100, with up to four decimals. CASH_WITHDRAWAL and FOREIGN_CURRENCY only. */
    percent?: number | string
    /** Text for the statement, at most 200 characters. */
    description?: string
  }[]
  /** Whether charges of the product take an account below zero. Otherwise a charge that is not covered stays PENDING and is collected later; default false. */
  allow_negative_charges?: boolean
}

export interface UpdateCardProductHeaders {
  'if-match'?: string
}

export interface CreateCardBody {
  /**
   * Format: uuid
   * Id of the card; generated when left out.
   */
  id?: string
  /**
   * Format: uuid
   * Id of the user that gets the card; the user must be ACTIVE.
   */
  user_id: string
  /** VIRTUAL or PHYSICAL; a physical card is ordered from the bureau at `card_order_hour`. */
  card_type: 'VIRTUAL' | 'PHYSICAL'
  /**
   * Format: uuid
   * Id of the card product.
   */
  card_product_id: string
  /** Last valid month, YYYY-MM, at most ten years ahead; default by the product. */
  expiry_date?: string
  /**
   * Format: uuid
   * Id of an account of the same user and product; a new one by default.
   */
  account_id?: string
  /**
   * Format: uuid
   * Id of the TERMINATED card that this card replaces.
   */
  reference_card_id?: string
  /** Authorization switches and amount bounds of the card. */
  auth_settings?: {
    /** Allows transactions at an ATM, other than credits. null means true. */
    atm?: boolean | null
    /** Allows transactions at a point of sale, other than credits. null means true. */
    pos?: boolean | null
    /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
    chip?: boolean | null
    /** Allows transactions with a magnetic stripe, other than credits. null means true. */
    magstripe?: boolean | null
    /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
    chip_fallback?: boolean | null
    /** Allows payments with the card present and without a PIN. null means true. */
    pin_absent?: boolean | null
    /** Allows remote payments with 3-D Secure. null means true. */
    ecommerce_3ds?: boolean | null
    /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
    ecommerce_non_3ds?: boolean | null
    /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
    ecommerce_without_cvv2?: boolean | null
    /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
    quasi_cash?: boolean | null
    /** Allows account funding, processing code 10. null means true. */
    account_funding?: boolean | null
    /** Allows credits, processing codes 26 and 28. null means true. */
    credit?: boolean | null
    /** Allows account verification without a CVV2 or a read card. null means true. */
    account_verification_without_cvv2?: boolean | null
    /** Allows cash deposits, processing codes 21 and 22. null means true. */
    cash_in?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
    cash_out?: boolean | null
    /** Allows deposits at an ATM, processing code 21. null means true. */
    atm_deposit?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
    atm_night?: boolean | null
    /** Allows transfers to the card, processing code 26. null means true. */
    incoming_transfers?: boolean | null
    /** Allows transfers from the card, processing code 40. null means true. */
    outgoing_transfers?: boolean | null
    /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
    recurring?: boolean | null
    /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    min_amount?: (number | string) | null
    /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    max_amount?: (number | string) | null
  }
  /** Name on the card; at creation the default is the name of the user. That of a physical card, or of one that becomes physical, is 2 to 26 letters of A to Z, digits, blanks, . / - and '; its default is transliterated where it has other letters, and shortened. That of a virtual card is any text that is not blank, without control characters. Marks of direction and blanks around it are cut. */
  name_on_card?: string | null
  /** Delivery of the card; members that are sent replace stored ones. */
  shipping_details?: {
    /** Way of delivery of the card. */
    method?: ('COURIER' | 'MAIL' | 'PICKUP') | null
    /** Recipient and address of the delivery. */
    address?: {
      /** Name of the recipient. */
      name?: string | null
      /** Phone number, stored as E.164. */
      mobile?: string | null
      /** First line of the address. */
      address_line1?: string | null
      /** Second line of the address. */
      address_line2?: string | null
      /** City. */
      city?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postal_code?: string | null
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string | null
    } | null
    /** Recipient and address for a card that cannot be delivered. */
    return_address?: {
      /** Name of the recipient. */
      name?: string | null
      /** Phone number, stored as E.164. */
      mobile?: string | null
      /** First line of the address. */
      address_line1?: string | null
      /** Second line of the address. */
      address_line2?: string | null
      /** City. */
      city?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postal_code?: string | null
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string | null
    } | null
  } | null
  /** Way of delivery of the card. */
  delivery_method?: ('COURIER' | 'MAIL' | 'PICKUP') | null
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
}

export interface ListCardsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Only cards of this user.
   */
  user_id?: string
  /** Only cards with this status. */
  status?: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  /**
   * Format: uuid
   * Only cards of this card product.
   */
  card_product_id?: string
  /**
   * Format: uuid
   * Only cards of this bulk issuance.
   */
  bulk_issuance_id?: string
  /**
   * Format: uuid
   * Only cards of this batch; a card that was ordered anew is of its later one.
   */
  card_order_id?: string
  /** Only cards whose number ends in these four digits. */
  last_four?: string
}

export interface UpdateCardBody {
  /** Name on the card; at creation the default is the name of the user. That of a physical card, or of one that becomes physical, is 2 to 26 letters of A to Z, digits, blanks, . / - and '; its default is transliterated where it has other letters, and shortened. That of a virtual card is any text that is not blank, without control characters. Marks of direction and blanks around it are cut. */
  name_on_card?: string | null
  /** Delivery of the card; members that are sent replace stored ones. */
  shipping_details?: {
    /** Way of delivery of the card. */
    method?: ('COURIER' | 'MAIL' | 'PICKUP') | null
    /** Recipient and address of the delivery. */
    address?: {
      /** Name of the recipient. */
      name?: string | null
      /** Phone number, stored as E.164. */
      mobile?: string | null
      /** First line of the address. */
      address_line1?: string | null
      /** Second line of the address. */
      address_line2?: string | null
      /** City. */
      city?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postal_code?: string | null
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string | null
    } | null
    /** Recipient and address for a card that cannot be delivered. */
    return_address?: {
      /** Name of the recipient. */
      name?: string | null
      /** Phone number, stored as E.164. */
      mobile?: string | null
      /** First line of the address. */
      address_line1?: string | null
      /** Second line of the address. */
      address_line2?: string | null
      /** City. */
      city?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postal_code?: string | null
      /** Country, stored as ISO 3166-1 alpha-3. */
      country?: string | null
    } | null
  } | null
  /** Way of delivery of the card. */
  delivery_method?: ('COURIER' | 'MAIL' | 'PICKUP') | null
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
  /** true starts the migration to a physical card; false, the default, does nothing. A name that cannot be embossed is transliterated and shortened, or that of the user is taken. */
  change_to_physical?: boolean
}

export interface UpdateCardHeaders {
  'if-match'?: string
}

export interface UpdateCardAuthSettingsBody {
  /** Allows transactions at an ATM, other than credits. null means true. */
  atm?: boolean | null
  /** Allows transactions at a point of sale, other than credits. null means true. */
  pos?: boolean | null
  /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
  chip?: boolean | null
  /** Allows transactions with a magnetic stripe, other than credits. null means true. */
  magstripe?: boolean | null
  /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
  chip_fallback?: boolean | null
  /** Allows payments with the card present and without a PIN. null means true. */
  pin_absent?: boolean | null
  /** Allows remote payments with 3-D Secure. null means true. */
  ecommerce_3ds?: boolean | null
  /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
  ecommerce_non_3ds?: boolean | null
  /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
  ecommerce_without_cvv2?: boolean | null
  /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
  quasi_cash?: boolean | null
  /** Allows account funding, processing code 10. null means true. */
  account_funding?: boolean | null
  /** Allows credits, processing codes 26 and 28. null means true. */
  credit?: boolean | null
  /** Allows account verification without a CVV2 or a read card. null means true. */
  account_verification_without_cvv2?: boolean | null
  /** Allows cash deposits, processing codes 21 and 22. null means true. */
  cash_in?: boolean | null
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
  cash_out?: boolean | null
  /** Allows deposits at an ATM, processing code 21. null means true. */
  atm_deposit?: boolean | null
  /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
  atm_night?: boolean | null
  /** Allows transfers to the card, processing code 26. null means true. */
  incoming_transfers?: boolean | null
  /** Allows transfers from the card, processing code 40. null means true. */
  outgoing_transfers?: boolean | null
  /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
  recurring?: boolean | null
  /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
  min_amount?: (number | string) | null
  /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
  max_amount?: (number | string) | null
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
}

export interface UpdateCardAuthSettingsHeaders {
  'if-match'?: string
}

export interface ChangeCardStatusBody {
  /** New status of the card. */
  status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  /** Reason of the new status. */
  status_reason_code:
    | 'I0'
    | 'a0'
    | 'A0'
    | 'S0'
    | 'S1'
    | 'S2'
    | 'P0'
    | 'AT'
    | 'ST'
    | 'T0'
    | 'T1'
    | 'T2'
    | 'T3'
    | 'T4'
  /** Explanation that CARD_STATUS_CHANGE contains. */
  note?: {
    /**
     * Format: not-blank
     * Category of the change, 1 to 100 characters.
     */
    category?: string
    /** Explanation, at most 1000 characters. */
    description?: string
    /** At most 20 further texts by name, each of at most 200 characters. */
    extras?: {
      [key: string]: string
    }
  }
}

export interface ChangeCardStatusHeaders {
  'if-match'?: string
}

export interface LinkCardBody {
  /**
   * Format: uuid
   * Id of the user that gets the card; the user must be ACTIVE.
   */
  user_id: string
  /**
   * Format: uuid
   * Id of an account of the user; default the account of the card or a new one.
   */
  account_id?: string
}

export interface LinkCardHeaders {
  'if-match'?: string
}

export interface ListCardOrdersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Only batches in this state. */
  state?: 'PREPARING' | 'SENT' | 'CONFIRMED' | 'PARTLY_REJECTED' | 'FAILED'
  /**
   * Format: uuid
   * Only batches of this card product.
   */
  card_product_id?: string
}

export interface ListCardOrdersExtras {
  /** Name of the bureau; absent where none is configured. */
  bureau?: string
}

export interface CreateWidgetTokenBody {
  /** CARD_DETAILS shows number, expiry date and CVV2; SET_PIN sets the PIN; ACTIVATE activates. */
  widget: 'CARD_DETAILS' | 'SET_PIN' | 'ACTIVATE'
  /** Scheme, host and port of the only page that may frame the widget; https, in sandbox also http. */
  origin: string
}

export interface CreateWidgetTokenHeaders {
  'if-match'?: string
}

export interface CreateBulkIssuanceBody {
  /**
   * Format: uuid
   * Id of the bulk issuance; generated when left out.
   */
  id?: string
  /** DRAFT issues nothing yet; SUBMITTED is the default. */
  status?: 'DRAFT' | 'SUBMITTED'
  /**
   * Format: uuid
   * Id of the card product of the cards.
   */
  card_product_id: string
  /** Number of cards to issue. */
  number_of_cards: number
  /** Amount to preload on each card, in major units, above zero; only with a product that links accounts. */
  amount?: number | string
  /** ISO 4217 code; must be the currency of the card product, its default. */
  currency?: string
  /**
   * Format: not-blank
   * Name to emboss on every card: 2 to 26 letters of A to Z, digits, blanks, . / - and '.
   */
  name_on_card?: string
  /** true checks the request and writes nothing; default false. */
  dry_run?: boolean
}

export interface ListBulkIssuancesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateBulkIssuanceBody {
  /** SUBMITTED submits the bulk issuance; DRAFT, the default, does not. */
  status?: 'DRAFT' | 'SUBMITTED' | 'PROCESSING' | 'COMPLETED' | 'FAILED'
  /**
   * Format: uuid
   * Id of the card product of the cards.
   */
  card_product_id?: string
  /** Number of cards to issue. */
  number_of_cards?: number
  /** Amount to preload on each card, in major units; required with a product of another currency; null clears it. */
  amount?: (number | string) | null
  /** ISO 4217 code; must be the currency of the card product, its default. */
  currency?: string
  /** Name to emboss on every card: 2 to 26 letters of A to Z, digits, blanks, . / - and '; null clears it. */
  name_on_card?: string | null
}

export interface UpdateBulkIssuanceHeaders {
  'if-match'?: string
}

export interface CreateAllowedCountryListBody {
  /**
   * Format: uuid
   * Id of the list; generated when left out.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the list.
   */
  name: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
  allow?: boolean
  /** false switches the list off: it checks nothing. Default true. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Countries by ISO 3166-1 alpha-2, alpha-3 or number, each once, at most 300. */
  country_codes: string[]
}

export interface ListAllowedCountryListsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateAllowedCountryListBody {
  /**
   * Format: not-blank
   * Name of the list.
   */
  name?: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. */
  allow?: boolean
  /** false switches the list off: it checks nothing. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Countries by ISO 3166-1 alpha-2, alpha-3 or number, each once, at most 300. */
  country_codes?: string[]
}

export interface UpdateAllowedCountryListHeaders {
  'if-match'?: string
}

export interface CreateAllowedMccListBody {
  /**
   * Format: uuid
   * Id of the list; generated when left out.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the list.
   */
  name: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
  allow?: boolean
  /** false switches the list off: it checks nothing. Default true. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Merchant category codes of four digits, each once, at most 1000. */
  mccs: string[]
}

export interface ListAllowedMccListsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateAllowedMccListBody {
  /**
   * Format: not-blank
   * Name of the list.
   */
  name?: string
  /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. */
  allow?: boolean
  /** false switches the list off: it checks nothing. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Merchant category codes of four digits, each once, at most 1000. */
  mccs?: string[]
}

export interface UpdateAllowedMccListHeaders {
  'if-match'?: string
}

export interface CreateAllowedMerchantListBody {
  /**
   * Format: uuid
   * Id of the list; generated when left out.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the list.
   */
  name: string
  /** false switches the list off: it checks nothing. Default true. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Merchants, each once, at most 1000. If one has `allow` true, only those pass; those with `allow` false are declined. */
  merchants: {
    /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
    merchant_id: string
    /** Whether payments of the merchant pass. */
    allow: boolean
  }[]
}

export interface ListAllowedMerchantListsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateAllowedMerchantListBody {
  /**
   * Format: not-blank
   * Name of the list.
   */
  name?: string
  /** false switches the list off: it checks nothing. */
  active?: boolean
  /** With SHADOW the list declines nothing; its would-be declines are in the traces of transactions and in its shadow report. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Merchants, each once, at most 1000. If one has `allow` true, only those pass; those with `allow` false are declined. */
  merchants?: {
    /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
    merchant_id: string
    /** Whether payments of the merchant pass. */
    allow: boolean
  }[]
}

export interface UpdateAllowedMerchantListHeaders {
  'if-match'?: string
}

export interface GetAllowedCountryListShadowQuery {
  /**
   * Format: date-or-instant
   * First day of the report; default 30 days up to `to`.
   */
  from?: string
  /**
   * Format: date-or-instant
   * Last day of the report, in it; default the present day. At most 92 days in all.
   */
  to?: string
}

export interface GetAllowedMccListShadowQuery {
  /**
   * Format: date-or-instant
   * First day of the report; default 30 days up to `to`.
   */
  from?: string
  /**
   * Format: date-or-instant
   * Last day of the report, in it; default the present day. At most 92 days in all.
   */
  to?: string
}

export interface GetAllowedMerchantListShadowQuery {
  /**
   * Format: date-or-instant
   * First day of the report; default 30 days up to `to`.
   */
  from?: string
  /**
   * Format: date-or-instant
   * Last day of the report, in it; default the present day. At most 92 days in all.
   */
  to?: string
}

export interface CreateBacktestBody {
  /**
   * Format: uuid
   * Id of the backtest; generated when left out.
   */
  id?: string
  /**
   * Format: date-time
   * Time of the earliest decision to decide again.
   */
  from: string
  /**
   * Format: date-time
   * Only decisions before this time are decided again; at most 92 days after `from`. A time in the future is replaced by the present.
   */
  to: string
  /**
   * Format: uuid
   * Decisions of the cards of this card product, the proposal at the product.
   */
  card_product_id?: string
  /**
   * Format: uuid
   * Decisions of this card, the proposal at the card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Decisions of the cards of this account, limits linked to the account.
   */
  account_id?: string
  /**
   * Format: uuid
   * Decisions of the cards of this user, limits linked to the user.
   */
  user_id?: string
  /** Settings in place of those of the card or product. */
  auth_settings?: {
    /** Allows transactions at an ATM, other than credits. null means true. */
    atm?: boolean | null
    /** Allows transactions at a point of sale, other than credits. null means true. */
    pos?: boolean | null
    /** Allows transactions with a chip, by contact or contactless, other than credits. null means true. */
    chip?: boolean | null
    /** Allows transactions with a magnetic stripe, other than credits. null means true. */
    magstripe?: boolean | null
    /** Allows magnetic stripe fallback of a chip card, other than credits. null means true. */
    chip_fallback?: boolean | null
    /** Allows payments with the card present and without a PIN. null means true. */
    pin_absent?: boolean | null
    /** Allows remote payments with 3-D Secure. null means true. */
    ecommerce_3ds?: boolean | null
    /** Allows e-commerce payments without 3-D Secure, other than recurring ones. null means true. */
    ecommerce_non_3ds?: boolean | null
    /** Allows e-commerce payments without a CVV2, other than recurring ones. null means true. */
    ecommerce_without_cvv2?: boolean | null
    /** Allows quasi-cash, by processing code 11 or 18 or by MCC 4829, 6051, 6540 or 7995. null means true. */
    quasi_cash?: boolean | null
    /** Allows account funding, processing code 10. null means true. */
    account_funding?: boolean | null
    /** Allows credits, processing codes 26 and 28. null means true. */
    credit?: boolean | null
    /** Allows account verification without a CVV2 or a read card. null means true. */
    account_verification_without_cvv2?: boolean | null
    /** Allows cash deposits, processing codes 21 and 22. null means true. */
    cash_in?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23. null means true. */
    cash_out?: boolean | null
    /** Allows deposits at an ATM, processing code 21. null means true. */
    atm_deposit?: boolean | null
    /** Allows cash withdrawals, processing codes 01, 12, 17 and 23, from 00:00 until 06:00 in the `time_zone` of the tenant. null means true. */
    atm_night?: boolean | null
    /** Allows transfers to the card, processing code 26. null means true. */
    incoming_transfers?: boolean | null
    /** Allows transfers from the card, processing code 40. null means true. */
    outgoing_transfers?: boolean | null
    /** Allows recurring payments, by DE22 10, DE25 73 or DE61. null means true. */
    recurring?: boolean | null
    /** Least amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    min_amount?: (number | string) | null
    /** Largest amount of one payment, with its increments, in major units of the product’s currency. null clears it. */
    max_amount?: (number | string) | null
  }
  /** List of countries in place of that of the card or product. */
  allowed_countries?: {
    /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
    allow?: boolean
    /** Countries by ISO 3166-1 alpha-2, alpha-3 or number, each once, at most 300. */
    country_codes: string[]
  }
  /** List of MCCs in place of that of the card or product. */
  allowed_mccs?: {
    /** true: only entries of the list pass, and a payment that names none is declined; false: entries of the list are declined. Default true. */
    allow?: boolean
    /** Merchant category codes of four digits, each once, at most 1000. */
    mccs: string[]
  }
  /** List of merchants in place of that of the card or product. */
  allowed_merchants?: {
    /** Merchants, each once, at most 1000. If one has `allow` true, only those pass; those with `allow` false are declined. */
    merchants: {
      /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
      merchant_id: string
      /** Whether payments of the merchant pass. */
      allow: boolean
    }[]
  }
  /** Id of the list of allowed countries. null names no list. */
  allowed_countries_id?: string | null
  /** Id of the list of allowed MCCs. null names no list. */
  allowed_mccs_id?: string | null
  /** Id of the list of allowed merchants. null names no list. */
  allowed_merchants_id?: string | null
  /** Balance limits beside those that are linked, 1 to 10. */
  balance_limits?: {
    /** The limit of one account. */
    type: 'PER_ACCOUNT'
    /** ISO 4217 code; the limit applies to accounts of this currency. */
    currency: string
    /** Least amount that must remain available after a debit, in major units. */
    min_amount: number | string
  }[]
  /** Velocity limits beside those that are linked, 1 to 10. */
  velocity_limits?: {
    /** PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period. */
    type: 'PER_TRANSACTION' | 'CUMULATIVE'
    /** ISO 4217 code; the limit applies to accounts of this currency. */
    currency: string
    /** Least amount of one transaction, in major units. */
    min_amount?: (number | string) | null
    /** Largest amount of one transaction, or with CUMULATIVE in the period, in major units. */
    max_amount?: (number | string) | null
    /** Largest number of transactions in the period; requires `period`. */
    frequency?: number | null
    /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
    period?: ('DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME') | null
    /** Transactions that the limit applies to; default ALL. */
    transaction_scope?: ('PURCHASES' | 'WITHDRAWALS' | 'ALL')[]
  }[]
}

export interface ListBacktestsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface CancelBacktestHeaders {
  'if-match'?: string
}

export interface CreateStopOrderBody {
  /**
   * Format: uuid
   * Id of the stop order; generated when left out.
   */
  id?: string
  /** Card acceptor id of the merchant (DE42), at most 15 characters, letters as sent. */
  merchant_id: string
}

export interface ListStopOrdersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface DeleteStopOrderHeaders {
  'if-match'?: string
}

export interface ChangePinBody {
  /** PIN block of ISO 9564-1 in hex: 32 digits for format 4 under the product’s zpk_aes, 16 digits for format 0 under its zpk. */
  enc_pin: string
}

export interface ChangePinHeaders {
  'if-match'?: string
}

export interface ProvisionCardBody {
  /** Full card number, digits only. */
  card_number: string
  /** Expiry month of the card, YYYY-MM. */
  expiry_date: string
  /** CVV2 of the card, digits only. */
  cvv2: string
  /** Wallet that requests the token. */
  wallet: 'APPLE' | 'GOOGLE' | 'SAMSUNG' | 'OTHER'
  /**
   * Format: not-blank
   * Name of the device, 1 to 100 characters.
   */
  device_name?: string
}

export interface ListCardTokensQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ChangeTokenStatusBody {
  /** New status: SUSPENDED from ACTIVE, ACTIVE from SUSPENDED, DELETED from either. */
  status: 'ACTIVE' | 'SUSPENDED' | 'DELETED'
}

export interface ChangeTokenStatusHeaders {
  'if-match'?: string
}

export interface ListAccountsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only the accounts of this user.
   */
  user_id?: string
  /**
   * Format: uuid
   * Lists only the account of this card.
   */
  card_id?: string
}

export interface ListAccountEntriesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: date-time
   * Time of the earliest entry to list.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only entries before this time.
   */
  to?: string
}

export interface ListCardAccountsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ChangeAccountStatusBody {
  /** New status, other than the present one. */
  status: 'ACTIVE' | 'INACTIVE' | 'SUSPENDED'
  /** Reason of the change, sent in ACCOUNT_STATUS_CHANGE. */
  notes?: string
}

export interface ChangeAccountStatusHeaders {
  'if-match'?: string
}

export interface LoadAccountFundsBody {
  /** ISO 4217 code; must be the currency of the account. */
  currency: string
  /** Amount to move, in major units and above zero. */
  amount: number | string
  /** Checks only and moves nothing; false by default. */
  dry_run?: boolean
  /** Note of the client about the movement. */
  notes?: string
}

export interface LoadAccountFundsHeaders {
  'if-match'?: string
}

export interface UnloadAccountFundsBody {
  /** ISO 4217 code; must be the currency of the account. */
  currency: string
  /** Amount to move, in major units and above zero. */
  amount: number | string
  /** Checks only and moves nothing; false by default. */
  dry_run?: boolean
  /** Note of the client about the movement. */
  notes?: string
}

export interface UnloadAccountFundsHeaders {
  'if-match'?: string
}

export interface ChargeAccountBody {
  /**
   * Format: uuid
   * Id of the charge; generated when left out.
   */
  id?: string
  /** Amount in major units of `currency`. Above 0. */
  amount: number | string
  /** ISO 4217 code of the currency of the account. */
  currency: string
  /** Text for the statement, at most 200 characters. */
  description: string
  /** Reason of the charge; default OTHER. */
  type?: 'ISSUING' | 'REPLACEMENT' | 'CASH_WITHDRAWAL' | 'FOREIGN_CURRENCY' | 'MONTHLY' | 'OTHER'
}

export interface ChargeAccountHeaders {
  'if-match'?: string
}

export interface ListAccountChargesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Status of the charges to list. */
  status?: 'APPLIED' | 'PENDING' | 'REVERSED' | 'CANCELED'
}

export interface CreateBalanceLimitBody {
  /**
   * Format: uuid
   * Id of the limit; generated when left out.
   */
  id?: string
  /** PER_ACCOUNT limits one account, PER_USER the sum of the user’s accounts in the currency. */
  type: 'PER_ACCOUNT' | 'PER_USER'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Least amount that must remain available after a debit, in major units. */
  min_amount?: (number | string) | null
  /** Largest balance after a credit, in major units. */
  max_amount?: (number | string) | null
}

export interface ListBalanceLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateBalanceLimitBody {
  /** PER_ACCOUNT limits one account, PER_USER the sum of the user’s accounts in the currency. */
  type?: 'PER_ACCOUNT' | 'PER_USER'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency?: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Least amount that must remain available after a debit, in major units. */
  min_amount?: (number | string) | null
  /** Largest balance after a credit, in major units. */
  max_amount?: (number | string) | null
}

export interface UpdateBalanceLimitHeaders {
  'if-match'?: string
}

export interface ListCardProductBalanceLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkCardProductBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkCardProductBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface ListUserBalanceLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkUserBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkUserBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface ListAccountBalanceLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkAccountBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkAccountBalanceLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface CreateVelocityLimitBody {
  /**
   * Format: uuid
   * Id of the limit; generated when left out.
   */
  id?: string
  /** PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period. */
  type: 'PER_TRANSACTION' | 'CUMULATIVE'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Least amount of one transaction, in major units. */
  min_amount?: (number | string) | null
  /** Largest amount of one transaction, or with CUMULATIVE in the period, in major units. */
  max_amount?: (number | string) | null
  /** Largest number of transactions in the period; requires `period`. */
  frequency?: number | null
  /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
  period?: ('DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME') | null
  /** Transactions that the limit applies to; default ALL. */
  transaction_scope?: ('PURCHASES' | 'WITHDRAWALS' | 'ALL')[]
}

export interface ListVelocityLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateVelocityLimitBody {
  /** PER_TRANSACTION limits the amount of one transaction, CUMULATIVE the sum in the period. */
  type?: 'PER_TRANSACTION' | 'CUMULATIVE'
  /** ISO 4217 code; the limit applies to accounts of this currency. */
  currency?: string
  /** Description, at most 1000 characters. */
  description?: string | null
  /** With SHADOW the limit counts and declines nothing; its would-be declines are in the traces of transactions and in its shadow report. Default ENFORCED. */
  mode?: 'ENFORCED' | 'SHADOW'
  /** Least amount of one transaction, in major units. */
  min_amount?: (number | string) | null
  /** Largest amount of one transaction, or with CUMULATIVE in the period, in major units. */
  max_amount?: (number | string) | null
  /** Largest number of transactions in the period; requires `period`. */
  frequency?: number | null
  /** Period in the tenant’s time zone; required with CUMULATIVE and with `frequency`. */
  period?: ('DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME') | null
  /** Transactions that the limit applies to; default ALL. */
  transaction_scope?: ('PURCHASES' | 'WITHDRAWALS' | 'ALL')[]
}

export interface UpdateVelocityLimitHeaders {
  'if-match'?: string
}

export interface GetAvailableVelocityQuery {
  /**
   * Format: uuid
   * Id of the card that would pay.
   */
  card_id: string
}

export interface ListCardProductVelocityLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkCardProductVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkCardProductVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface ListCardVelocityLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkCardVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkCardVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface ListUserVelocityLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkUserVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkUserVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface ListAccountVelocityLimitsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface LinkAccountVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface UnlinkAccountVelocityLimitsBody {
  /** Ids of the limits, 1 to 20. */
  ids: string[]
}

export interface GetBalanceLimitShadowQuery {
  /**
   * Format: date-or-instant
   * First day of the report; default 30 days up to `to`.
   */
  from?: string
  /**
   * Format: date-or-instant
   * Last day of the report, in it; default the present day. At most 92 days in all.
   */
  to?: string
}

export interface GetVelocityLimitShadowQuery {
  /**
   * Format: date-or-instant
   * First day of the report; default 30 days up to `to`.
   */
  from?: string
  /**
   * Format: date-or-instant
   * Last day of the report, in it; default the present day. At most 92 days in all.
   */
  to?: string
}

export interface CreateTransferBody {
  /**
   * Format: uuid
   * Id of the account that the money leaves.
   */
  sender_account_id: string
  /**
   * Format: uuid
   * Id of the account that receives the money.
   */
  recipient_account_id: string
  /** Amount to move, in major units and above zero. */
  amount: number | string
  /** ISO 4217 code; must be the currency of both accounts. */
  currency: string
  /** Note of the client about the movement. */
  notes?: string
  /** Checks only and moves nothing; false by default. */
  dry_run?: boolean
}

export interface ListTransactionsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only transactions of this card.
   */
  card_id?: string
  /**
   * Format: uuid
   * Lists only those of the cards of this account.
   */
  account_id?: string
  /**
   * Format: uuid
   * Lists only those of the cards of this user.
   */
  user_id?: string
  /** Lists only transactions of this status. */
  status?: 'PENDING' | 'SETTLED' | 'VOIDED' | 'EXPIRED' | 'DECLINED'
  /** Lists only transactions of this type. */
  transaction_type?:
    | 'PURCHASE'
    | 'WITHDRAWAL'
    | 'CASH_BACK'
    | 'ACCOUNT_FUNDING'
    | 'QUASI_CASH'
    | 'CASH_DISBURSEMENT'
    | 'REFUND'
    | 'DEPOSIT'
    | 'LOAD'
    | 'UNLOAD'
    | 'ORIGINAL_CREDIT'
    | 'PAYMENT'
    | 'BALANCE_INQUIRY'
    | 'VERIFICATION'
    | 'TRANSFER'
    | 'UNKNOWN'
  /** Lists only those with this status code. */
  status_code?: string
  /** Lists only those of this amount, in major units of their currency. */
  amount?: number | string
  /** Lists only transactions in this currency. */
  currency?: string
  /** Lists only those of known cards with this retrieval reference (DE37). */
  rrn?: string
  /**
   * Format: uuid
   * Lists only those that refer to this one, of a known card: refunds of it, say.
   */
  reference_transaction_id?: string
  /**
   * Format: date-time
   * Time of the earliest transaction to list.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only transactions before this time.
   */
  to?: string
}

export interface ListTransactionEntriesAnswer {
  /** Entries, oldest first, the debit before its credit. */
  data: TransactionEntry[]
}

export interface ListTransactionMessagesAnswer {
  /** Messages of the transaction, oldest first. */
  data: WireMessage[]
  /** Whether this deployment records messages (WIRE_LOG). */
  recorded: boolean
}

export interface GetAuthorizationStatisticsQuery {
  /**
   * Format: date-time
   * The first hour is the one of this time; default 48 up to `to`.
   */
  from?: string
  /**
   * Format: date-time
   * The last hour is the one before this time; default with the present hour.
   */
  to?: string
}

export interface CreateChallengeBody {
  /**
   * Format: uuid
   * Id of the challenge; generated when left out.
   */
  id?: string
  /**
   * Format: uuid
   * Id of the card that is to pay.
   */
  card_id?: string
  /** Its full number in place of `card_id`, digits only; also that of a token. */
  card_number?: string
  /** Amount of the payment in major units of `currency`, as the cardholder sees it. */
  amount: number | string
  /** ISO 4217 code of the currency of the payment. */
  currency: string
  /** Merchant that is to be paid. */
  merchant: {
    /** Id of the merchant as the authorization has it (DE42), 1 to 15 characters. */
    id: string
    /**
     * Format: not-blank
     * Name of the merchant, as the cardholder sees it.
     */
    name: string
  }
}

export interface ListChallengesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only challenges of this card.
   */
  card_id?: string
}

export interface AnswerChallengeBody {
  /** Code that the cardholder typed, six digits. */
  code: string
  /** Amount of the payment that is to be made; another one is refused. */
  amount?: number | string
  /** Its currency; another one is refused. */
  currency?: string
  /** Its merchant; another one is refused. */
  merchant_id?: string
}

export interface AnswerChallengeHeaders {
  'if-match'?: string
}

export interface ApproveChallengeHeaders {
  'if-match'?: string
}

export interface DeclineChallengeHeaders {
  'if-match'?: string
}

export interface OpenDisputeBody {
  /**
   * Format: uuid
   * Id of the dispute; generated when left out.
   */
  id?: string
  /**
   * Format: uuid
   * Id of the card transaction.
   */
  transaction_id: string
  /** Amount that is disputed, in major units of the currency of the account. At most what is settled of the transaction and neither refunded nor disputed; all of that if left out. */
  amount?: number | string
  /** Reason of the dispute. */
  reason:
    | 'FRAUD'
    | 'NOT_RECEIVED'
    | 'NOT_AS_DESCRIBED'
    | 'CANCELLED'
    | 'CREDIT_NOT_PROCESSED'
    | 'DUPLICATE'
    | 'WRONG_AMOUNT'
    | 'PAID_BY_OTHER_MEANS'
    | 'CASH_NOT_DISPENSED'
    | 'OTHER'
  /** Code of the scheme, one of those that the reason has; the first of them if left out. */
  reason_code?: string
  /**
   * Format: not-blank
   * What happened, for the reviewer at the merchant’s side.
   */
  explanation: string
  evidence?: DisputeEvidence
}

export interface ListDisputesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only disputes of this transaction.
   */
  transaction_id?: string
  /**
   * Format: uuid
   * Lists only disputes of this account.
   */
  account_id?: string
  /**
   * Format: uuid
   * Lists only disputes of this card.
   */
  card_id?: string
  /** Lists only disputes of this status. */
  status?:
    | 'DRAFT'
    | 'SUBMITTED'
    | 'CHARGED_BACK'
    | 'REPRESENTED'
    | 'PRE_ARBITRATION'
    | 'WON'
    | 'LOST'
    | 'ACCEPTED'
    | 'WITHDRAWN'
    | 'EXPIRED'
  /** Lists only disputes with this reason. */
  reason?:
    | 'FRAUD'
    | 'NOT_RECEIVED'
    | 'NOT_AS_DESCRIBED'
    | 'CANCELLED'
    | 'CREDIT_NOT_PROCESSED'
    | 'DUPLICATE'
    | 'WRONG_AMOUNT'
    | 'PAID_BY_OTHER_MEANS'
    | 'CASH_NOT_DISPENSED'
    | 'OTHER'
  /**
   * Format: date-time
   * Lists only those whose deadline is before this time.
   */
  deadline_before?: string
  /** `created` lists all, newest first; `deadline` those that have a deadline, the next one first. `created` by default. */
  sort_by?: 'created' | 'deadline'
}

export interface UpdateDisputeBody {
  /** Amount that is disputed, in major units of the currency of the account. At most what is settled of the transaction and neither refunded nor disputed. */
  amount?: number | string
  /** Reason of the dispute. */
  reason?:
    | 'FRAUD'
    | 'NOT_RECEIVED'
    | 'NOT_AS_DESCRIBED'
    | 'CANCELLED'
    | 'CREDIT_NOT_PROCESSED'
    | 'DUPLICATE'
    | 'WRONG_AMOUNT'
    | 'PAID_BY_OTHER_MEANS'
    | 'CASH_NOT_DISPENSED'
    | 'OTHER'
  /** Code of the scheme, one of those that the reason has; the first of them if left out. */
  reason_code?: string
  /**
   * Format: not-blank
   * What happened, for the reviewer at the merchant’s side.
   */
  explanation?: string
  evidence?: DisputeEvidence
}

export interface UpdateDisputeHeaders {
  'if-match'?: string
}

export interface ListDisputeReasonsAnswer {
  /** The first row of a scheme that has the reason is the one that is used. */
  data: DisputeReasonCode[]
}

export interface SubmitDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface SubmitDisputeHeaders {
  'if-match'?: string
}

export interface WithdrawDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface WithdrawDisputeHeaders {
  'if-match'?: string
}

export interface AcceptDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface AcceptDisputeHeaders {
  'if-match'?: string
}

export interface ArbitrateDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface ArbitrateDisputeHeaders {
  'if-match'?: string
}

export interface UploadDisputeFilesHeaders {
  'if-match'?: string
}

export type UploadDisputeFilesAnswer =
  | DisputeFile
  | {
      /** The new files. */
      data: DisputeFile[]
    }

export interface UploadDisputeFilesByPutHeaders {
  'if-match'?: string
}

export type UploadDisputeFilesByPutAnswer =
  | DisputeFile
  | {
      /** The new files. */
      data: DisputeFile[]
    }

export interface ListDisputeFilesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface BrowseDisputeFileHeaders {
  range?: string
}

export interface DownloadDisputeFileHeaders {
  range?: string
}

export interface SearchObjectsQuery {
  /** The text to find: an id, the name, e-mail or mobile of a user, the last four digits of a card, a retrieval reference (DE37), or part of the name of a card product, limit or list. */
  q: string
}

export interface SearchObjectsAnswer {
  /** The objects found, at most 20. */
  data: FoundObject[]
}

export interface UpdateSettingsBody {
  /** ISO 4217 currency of a funding that states none; default AED. */
  default_currency?: string | null
  /** IANA time zone of the days of limits, charges, reports and embossing, such as Asia/Dubai; default UTC. */
  time_zone?: string | null
  /** ISO 3166-1 countries whose documents are accepted; empty accepts all (default). */
  allowed_issuing_countries?: string[] | null
  /** Whether a new INDIVIDUAL must verify its identity; default false. */
  require_document_verification?: boolean | null
  /** Checks of an identity verification; both by default. */
  checks?: ('DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO')[] | null
  /** True when users have read the privacy notices and consented; false is not valid. */
  privacy_notices_read_consent_given?: boolean | null
  /** Whether an INDIVIDUAL must pass KYC to become ACTIVE; default false. */
  require_kyc?: boolean | null
  /** Days after which a hold expires; default 7. */
  hold_days?: number | null
  /** Days that the rest of a hold remains after a clearing; default 30, 0 for none. */
  clearing_hold_days?: number | null
  /** Seconds before each repeated delivery of an event, each longer by up to a tenth; empty means one attempt. Default 5, 60, 300, 1800, 7200, 18000, 36000, 86400. */
  webhook_retry_seconds?: number[] | null
  /** Whether deposits at ATMs are accepted; default true. */
  atm_deposit?: boolean | null
  /** Wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours that block requests without a reading of the card (1022), until 24 hours after the last; default 10, 0 never blocks. */
  card_verification_max_tries?: number | null
  /** Hour of the day of `time_zone` at which physical cards are ordered from the bureau; default 0, midnight. Cards issued before a change keep their hour. */
  card_order_hour?: number | null
  /** When the cardholder gets the amount of a dispute before it is decided: never, when it is submitted, or when the chargeback has left; taken back if the dispute is lost. Default NONE. */
  dispute_provisional_credit?: ('NONE' | 'AT_SUBMISSION' | 'AT_CHARGEBACK') | null
  /** How the one-time codes of challenges go out: to `challenge_url`, as a mail to the user, or not at all: then cardholders approve payments in an app of the client. Default NONE. */
  challenge_messenger?: ('NONE' | 'SERVER' | 'MAIL') | null
  /** URL that gets the codes by POST, signed as questions to the responder; in live mode https at a public address. None by default. `responder:rotateSecret` answers the secret. */
  challenge_url?: string | null
  /** Whether members who sign in to the portal need a second factor: without one they may only set one up. Default true in live, false in sandbox. May be changed by an owner in a session, and by the operator; no API key of the tenant may. */
  second_factor_required?: boolean | null
  /** Responder that decides on authorizations: `url` or the listener; none by default. Null removes it. */
  responder?: {
    /** URL that is asked by POST; in live mode https at a public address. */
    url?: string | null
    /** True if the tenant answers by calls of /simulate/responderrequests instead of at a `url`; in sandbox only. */
    listener?: boolean | null
    /** Milliseconds within which it must answer; default 2000. */
    timeout_ms?: number | null
    /** Action without a valid answer; default DECLINE (1852). */
    default_action?: ('APPROVE' | 'DECLINE' | 'approve' | 'decline') | null
  } | null
  /** Whether the tenant may handle card numbers in clear; default false. Only the operator may change it. */
  pci_compliant?: boolean | null
  /** Warnings about expiring documents; none by default. Once a day the newest passport, identity card or visa of each INDIVIDUAL is looked at. Only the operator may change it. */
  expired_idv_policy?: {
    /** Days before the expiry of a document at which its user is warned; default 30. */
    days_prior_expiration?: number | null
    /** Statuses of the users that are warned; default ACTIVE. */
    applicable_user_status?: 'ACTIVE'[] | null
  } | null
  /** Average requests per second of a key or a session; default 100. Only the operator may change it. */
  rate_limit_per_second?: number | null
  /** Requests that each of them may send at once; default 200. Only the operator may change it. */
  rate_limit_burst?: number | null
  /** Average requests per second of all API keys and sessions of the tenant together, those of its merchants among them; by default four times `rate_limit_per_second`. Only the operator may change it. */
  tenant_rate_limit_per_second?: number | null
  /** Requests that all of them may send at once; by default four times `rate_limit_burst`. Only the operator may change it. */
  tenant_rate_limit_burst?: number | null
  /** API keys that the tenant may have at a time; default 200. Only the operator may change it. */
  api_keys_max?: number | null
  /** Bytes that the files of the tenant may have together; default 2,000,000,000 in sandbox, no limit in live. Only the operator may change it. */
  stored_bytes_max?: number | null
  /** Card and token numbers that are shown to the tenant within an hour of its clock, by `:reveal` and in widgets; default 1,000 in live, no limit in sandbox. Only the operator may change it. */
  card_details_per_hour?: number | null
  /** Whether webhooks and the responder may be at loopback addresses of the machine of the program: in sandbox only, while HOST and PUBLIC_URL are loopback addresses, and then by default. Other addresses that are not public are never called. Only the operator may change it. */
  allow_private_endpoints?: boolean | null
}

export interface UpdateSettingsHeaders {
  'if-match'?: string
}

export interface ListAuditRecordsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Records that name this object.
   */
  object_id?: string
  /** Records of this caller. */
  actor_id?: string
  /** Records of this operation, by its `operationId`. */
  operation?: string
  /**
   * Format: date-time
   * Records of this instant and later.
   */
  from?: string
  /**
   * Format: date-time
   * Records before this instant.
   */
  to?: string
}

export interface ListAuditRecordsItem {
  /**
   * Format: uuid
   * Id of the record.
   */
  id: string
  /** The operation, by its `operationId`. */
  operation: string
  /** Sender of the request. */
  actor: {
    /** An API key of the tenant, the operator, a merchant, the holder of a widget token or a member; the card network or the program by itself, of steps of disputes. */
    kind: 'client' | 'operator' | 'merchant' | 'widget' | 'member' | 'network' | 'system'
    /** Id of the API key, the merchant or the person; digest of the widget token. */
    id: string
  }
  /** The IP address that the request came from; empty without one. */
  address: string
  /** Ids of the objects that the request names or made. */
  object_ids: string[]
  /** Members of the body that were sent, without values. */
  members: string[]
  /** The HTTP status of the answer. */
  status: number
  /**
   * Format: uuid
   * Id of the request, as in the answer and the logs.
   */
  request_id: string
  /** Keyed digest of method, path and body, in hexadecimal. */
  digest: string
  /**
   * Format: date-time
   * When it was, by the tenant's clock.
   */
  created: string
  /**
   * Format: date-time
   * When it was, in real time.
   */
  recorded: string
  /** Its place in the chain of the tenant; absent until it is chained. */
  sequence?: number
  /** Its hash in the chain, in hexadecimal. */
  hash?: string
}

export interface CreateWebhookBody {
  /**
   * Format: uuid
   * Id of the subscription; made by the platform by default.
   */
  id?: string
  /** URL that receives the events by POST. */
  endpoint: string
  /** Kinds of events to deliver. */
  events: (
    | 'USER_CREATED'
    | 'USER_STATUS_CHANGE'
    | 'IDENTITY_VERIFICATION'
    | 'KYC_RESULT'
    | 'USER_DOCUMENT_ALERT'
    | 'SCREENING_MATCH'
    | 'SUCCESSFULLY_CREATED'
    | 'ACCOUNT_STATUS_CHANGE'
    | 'CHARGE_APPLIED'
    | 'CARD_STATUS_CHANGE'
    | 'CARD_DELIVERY_PARTNER_ASSIGNED'
    | 'CARD_DELIVERY_STATUS_CHANGED'
    | 'CARD_DETAILS_LIMIT'
    | 'PIN_CHANGE'
    | 'CARD_PROVISIONING'
    | 'TOKEN_NOTIFICATION'
    | 'TRANSACTION'
    | 'EXPIRED_AUTH'
    | 'CHALLENGE_CREATED'
    | 'DISPUTE_STATUS_CHANGE'
    | 'DISPUTE_DEADLINE'
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
  /** Credentials and headers of the deliveries. */
  config?: {
    /** User name for HTTP Basic; needs the password, null clears it. */
    basic_auth_username?: string | null
    /** Password for HTTP Basic; no answer contains it. */
    basic_auth_password?: string | null
    /** Headers of every delivery; replaces all former ones, null clears them. */
    custom_headers?:
      | {
          /** Header name; not one that the platform sets. */
          header_name: string
          /** Printable ASCII; no answer contains it. */
          header_value: string
        }[]
      | null
  }
}

export interface ListWebhooksQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateWebhookBody {
  /** URL that receives the events by POST. */
  endpoint?: string
  /** Kinds of events to deliver. */
  events?: (
    | 'USER_CREATED'
    | 'USER_STATUS_CHANGE'
    | 'IDENTITY_VERIFICATION'
    | 'KYC_RESULT'
    | 'USER_DOCUMENT_ALERT'
    | 'SCREENING_MATCH'
    | 'SUCCESSFULLY_CREATED'
    | 'ACCOUNT_STATUS_CHANGE'
    | 'CHARGE_APPLIED'
    | 'CARD_STATUS_CHANGE'
    | 'CARD_DELIVERY_PARTNER_ASSIGNED'
    | 'CARD_DELIVERY_STATUS_CHANGED'
    | 'CARD_DETAILS_LIMIT'
    | 'PIN_CHANGE'
    | 'CARD_PROVISIONING'
    | 'TOKEN_NOTIFICATION'
    | 'TRANSACTION'
    | 'EXPIRED_AUTH'
    | 'CHALLENGE_CREATED'
    | 'DISPUTE_STATUS_CHANGE'
    | 'DISPUTE_DEADLINE'
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
  /** ACTIVE enables a disabled subscription again. */
  status?: 'ACTIVE' | 'DISABLED'
  /** Credentials and headers of the deliveries. */
  config?: {
    /** User name for HTTP Basic; needs the password, null clears it. */
    basic_auth_username?: string | null
    /** Password for HTTP Basic; no answer contains it. */
    basic_auth_password?: string | null
    /** Headers of every delivery; replaces all former ones, null clears them. */
    custom_headers?:
      | {
          /** Header name; not one that the platform sets. */
          header_name: string
          /** Printable ASCII; no answer contains it. */
          header_value: string
        }[]
      | null
  }
}

export interface UpdateWebhookHeaders {
  'if-match'?: string
}

export interface DeleteWebhookHeaders {
  'if-match'?: string
}

export interface DeleteWebhookAnswer {
  /**
   * Format: uuid
   * Id of the deleted subscription.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface RotateWebhookSecretHeaders {
  'if-match'?: string
}

export interface RecoverWebhookDeliveriesBody {
  /**
   * Format: date-time
   * Time of the earliest missed event.
   */
  since: string
  /**
   * Format: date-time
   * Time before which the events are; by default up to now.
   */
  until?: string
  /** Kinds to deliver, each one of the subscription; by default all of them. */
  events?: (
    | 'USER_CREATED'
    | 'USER_STATUS_CHANGE'
    | 'IDENTITY_VERIFICATION'
    | 'KYC_RESULT'
    | 'USER_DOCUMENT_ALERT'
    | 'SCREENING_MATCH'
    | 'SUCCESSFULLY_CREATED'
    | 'ACCOUNT_STATUS_CHANGE'
    | 'CHARGE_APPLIED'
    | 'CARD_STATUS_CHANGE'
    | 'CARD_DELIVERY_PARTNER_ASSIGNED'
    | 'CARD_DELIVERY_STATUS_CHANGED'
    | 'CARD_DETAILS_LIMIT'
    | 'PIN_CHANGE'
    | 'CARD_PROVISIONING'
    | 'TOKEN_NOTIFICATION'
    | 'TRANSACTION'
    | 'EXPIRED_AUTH'
    | 'CHALLENGE_CREATED'
    | 'DISPUTE_STATUS_CHANGE'
    | 'DISPUTE_DEADLINE'
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
}

export interface RecoverWebhookDeliveriesHeaders {
  'if-match'?: string
}

export interface RecoverWebhookDeliveriesAnswer {
  /** Number of deliveries that are now due. */
  recovered: number
  /** Whether the call must be repeated for the rest. */
  has_more: boolean
}

export interface ListWebhookDeliveriesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only deliveries of this status. */
  status?: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Lists only deliveries of this kind of event. */
  event?:
    | 'USER_CREATED'
    | 'USER_STATUS_CHANGE'
    | 'IDENTITY_VERIFICATION'
    | 'KYC_RESULT'
    | 'USER_DOCUMENT_ALERT'
    | 'SCREENING_MATCH'
    | 'SUCCESSFULLY_CREATED'
    | 'ACCOUNT_STATUS_CHANGE'
    | 'CHARGE_APPLIED'
    | 'CARD_STATUS_CHANGE'
    | 'CARD_DELIVERY_PARTNER_ASSIGNED'
    | 'CARD_DELIVERY_STATUS_CHANGED'
    | 'CARD_DETAILS_LIMIT'
    | 'PIN_CHANGE'
    | 'CARD_PROVISIONING'
    | 'TOKEN_NOTIFICATION'
    | 'TRANSACTION'
    | 'EXPIRED_AUTH'
    | 'CHALLENGE_CREATED'
    | 'DISPUTE_STATUS_CHANGE'
    | 'DISPUTE_DEADLINE'
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
    | 'PING'
}

export interface PingWebhookHeaders {
  'if-match'?: string
}

export interface ListObjectDeliveriesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Id of the object that the events are about.
   */
  object_id: string
}

export interface ResendDeliveryHeaders {
  'if-match'?: string
}

export interface ListEventsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Longest time to wait for an event, in seconds; 0 by default. */
  wait?: number
}

export interface ListEventsHeaders {
  'last-event-id'?: string
}

export interface ListObjectEventsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Id of a user, card, account or other object.
   */
  object_id: string
}

export interface InstallTestKeysBody {
  /** Card verification key: a TDES key of 16 bytes in hex; not with cvk_a or cvk_b. */
  cvk?: string
  /** First half of the card verification key: 8 bytes in hex; requires cvk_b. */
  cvk_a?: string
  /** Second half of the card verification key: 8 bytes in hex; requires cvk_a. */
  cvk_b?: string
  /** PIN verification key: a TDES key of 16 bytes in hex. */
  pvk?: string
  /** Index of the PIN verification key: one digit. */
  pvki?: string
  /** Issuer master key of application cryptograms: TDES, 16 bytes in hex; null for cards without a chip. */
  imk_ac?: string | null
  /** Issuer master key of the integrity of scripts: TDES, 16 bytes in hex. */
  imk_smi?: string
  /** Issuer master key of the confidentiality of scripts: TDES, 16 bytes. No script uses it. */
  imk_smc?: string
  /** Zone PIN key of blocks of format 0: a TDES key of 16 bytes in hex. */
  zpk?: string
  /** Zone PIN key of blocks of format 4: an AES key of 16, 24 or 32 bytes in hex. */
  zpk_aes?: string
  /** Order of year and month in the CVV2 computation; YYMM for a new product. */
  cvv2_date_order?: 'YYMM' | 'MMYY'
}

export interface InstallTestKeysHeaders {
  'if-match'?: string
}

export interface MoveClockBody {
  /** New time of the clock, an ISO 8601 timestamp; excludes `advance`. */
  now?: string
  /** ISO 8601 duration to add, such as P5D or PT36H; excludes `now`. */
  advance?: string
}

export interface SimulateEmbossingHeaders {
  'if-match'?: string
}

export interface SimulateShipmentBody {
  /**
   * Format: not-blank
   * Name of the courier.
   */
  delivery_partner: string
  /**
   * Format: not-blank
   * Tracking number of the courier.
   */
  tracking_number?: string
}

export interface SimulateShipmentHeaders {
  'if-match'?: string
}

export interface SimulateDeliveryHeaders {
  'if-match'?: string
}

export interface SimulateFailedDeliveryHeaders {
  'if-match'?: string
}

export interface SimulateIdentityReportBody {
  /** Result of the report; required unless `outcome` is sent. */
  result?: 'CLEAR' | 'CONSIDER'
  /** Why the report is CONSIDER; `caution` by default. In a first check without B2, suspected, rejected and terminated give B1; they outweigh the country. */
  outcome?: 'caution' | 'suspected' | 'rejected' | 'terminated' | 'document_requested' | 'abandoned'
  /** ISO 3166-1 country that issued the document, alpha-2 or alpha-3. */
  issuing_country?: string
  /** Note of the report, up to 1000 characters. */
  note?: string
}

export interface SimulateKycResultBody {
  /** Result of the request. */
  result: 'OK' | 'FAILED'
  /** Note of the result, up to 1000 characters. */
  note?: string
}

export interface SimulateRepresentmentBody {
  /** Part that the second presentment takes back; all if left out. */
  amount?: number | string
  /** Note for the history of the dispute. */
  note?: string
}

export interface SimulateRepresentmentHeaders {
  'if-match'?: string
}

export interface SimulateWonDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface SimulateWonDisputeHeaders {
  'if-match'?: string
}

export interface SimulateLostDisputeBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface SimulateLostDisputeHeaders {
  'if-match'?: string
}

export interface SimulateArbitrationBody {
  /** Note for the history of the dispute. */
  note?: string
}

export interface SimulateArbitrationHeaders {
  'if-match'?: string
}

export interface SimulateAuthorizationBody {
  /**
   * Format: uuid
   * Id of the card; has no effect with `card_number`.
   */
  card_id?: string
  /** Card number, 12 to 19 digits. */
  card_number?: string
  /** Amount in major units of `currency`. */
  amount: number | string
  /** ISO 4217 currency of the amount. */
  currency: string
  /** Merchant that accepts the card. */
  merchant?: {
    /** Card acceptor id of the merchant. */
    id?: string
    /** Name of the merchant. */
    name?: string
    /** Merchant category code, four digits. */
    mcc?: string
    /** City of the merchant. */
    city?: string
    /** ISO 3166-1 country of the merchant: alpha-2, alpha-3 or number. */
    country?: string
  }
  /** How the card was read; ECOMMERCE by default. */
  entry_mode?:
    | 'CHIP'
    | 'CONTACTLESS'
    | 'MAGSTRIPE'
    | 'FALLBACK'
    | 'MANUAL'
    | 'ECOMMERCE'
    | 'CREDENTIAL_ON_FILE'
  /** Data that the chip sends; only with `entry_mode` CHIP or CONTACTLESS. */
  chip?: {
    /** Cryptogram version; VISA_CVN10 by default, MASTERCARD_CVN16 for numbers from 2 or 5. */
    version?:
      | 'VISA_CVN10'
      | 'VISA_CVN18'
      | 'VISA_CVN22'
      | 'MASTERCARD_CVN16'
      | 'MASTERCARD_CVN17'
      | 'MASTERCARD_CVN20'
      | 'MASTERCARD_CVN21'
    /** Application transaction counter; one above the highest so far by default. If two sales of one chip come at one time at two processes, the second may be declined (1810). */
    atc?: number
    /** RIGHT by default; WRONG is another one, ABSENT sends no chip data. */
    cryptogram?: 'RIGHT' | 'WRONG' | 'ABSENT'
  }
  /** CVV2 to verify. */
  cvv2?: string
  /** PIN to verify, 4 to 12 digits. */
  pin?: string
  /** Expiry date to verify, as YYYY-MM or YYMM. */
  expiry?: string
  /** Result of 3-D Secure; NONE by default. */
  three_ds?: 'AUTHENTICATED' | 'ATTEMPTED' | 'NONE'
  /** AAV of the challenge that was passed; only with `three_ds` AUTHENTICATED. */
  authentication_value?: string
  /** Type of the transaction; PURCHASE by default. */
  transaction_type?:
    | 'PURCHASE'
    | 'WITHDRAWAL'
    | 'CASH_BACK'
    | 'ACCOUNT_FUNDING'
    | 'QUASI_CASH'
    | 'CASH_DISBURSEMENT'
    | 'REFUND'
    | 'DEPOSIT'
    | 'LOAD'
    | 'UNLOAD'
    | 'ORIGINAL_CREDIT'
    | 'PAYMENT'
    | 'BALANCE_INQUIRY'
    | 'VERIFICATION'
    | 'TRANSFER'
  /** Whether part of the amount may be approved; default false. */
  partial_approval?: boolean
}

export interface SimulateAuthorizationQuery {
  /** Decides the request without writing anything, and answers the decision; default false. */
  what_if?: boolean
}

export type SimulateAuthorizationAnswer = Transaction | SimulatedDecision

export interface SimulateIncrementBody {
  /** Amount to add to the hold, in major units of the transaction. */
  amount: number | string
}

export interface SimulateIncrementHeaders {
  'if-match'?: string
}

export interface SimulateReversalBody {
  /** Amount in major units of the transaction; all of it when absent. */
  amount?: number | string
}

export interface SimulateReversalHeaders {
  'if-match'?: string
}

export interface SimulateClearingBody {
  /** Amount in major units of the transaction; all of it when absent. */
  amount?: number | string
}

export interface SimulateClearingHeaders {
  'if-match'?: string
}

export interface SimulateRefundBody {
  /**
   * Format: uuid
   * Id of the transaction that is refunded; its card is used.
   */
  transaction_id?: string
  /**
   * Format: uuid
   * Id of the card; has no effect with `card_number`.
   */
  card_id?: string
  /** Card number, 12 to 19 digits. */
  card_number?: string
  /** Amount in major units of `currency`. */
  amount: number | string
  /** ISO 4217 currency of the amount. */
  currency: string
  /** Merchant that accepts the card. */
  merchant?: {
    /** Card acceptor id of the merchant. */
    id?: string
    /** Name of the merchant. */
    name?: string
    /** Merchant category code, four digits. */
    mcc?: string
    /** City of the merchant. */
    city?: string
    /** ISO 3166-1 country of the merchant: alpha-2, alpha-3 or number. */
    country?: string
  }
}

export interface ListResponderRequestsQuery {
  /** Longest time to wait for a question, in seconds; 0 by default. */
  wait?: number
  /** Ids of questions that the caller already has; they are left out. */
  except?: string[]
}

export interface AnswerResponderRequestBody {
  /** Whether the request is approved. */
  approved: boolean
  /** Largest amount that is approved, in major units of the transaction; absent or null for all. */
  amount?: (number | string) | null
}

export interface CreateWebhookReceiverBody {
  /** HTTP status of its answers: 200 takes a delivery, 500 makes it be tried again, 410 disables the subscription. */
  answer_status?: number
  /** Milliseconds before it answers; a delivery waits at most 10 000. */
  delay_ms?: number
}

export interface ListWebhookReceiversQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateWebhookReceiverBody {
  /** HTTP status of its answers: 200 takes a delivery, 500 makes it be tried again, 410 disables the subscription. */
  answer_status?: number
  /** Milliseconds before it answers; a delivery waits at most 10 000. */
  delay_ms?: number
}

export interface UpdateWebhookReceiverHeaders {
  'if-match'?: string
}

export interface DeleteWebhookReceiverHeaders {
  'if-match'?: string
}

export interface DeleteWebhookReceiverAnswer {
  /**
   * Format: uuid
   * Id of the deleted receiver.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface ListReceivedRequestsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface CreateTenantBody {
  /**
   * Format: uuid
   * Id of the new tenant; generated when absent.
   */
  id?: string
  /**
   * Format: not-blank
   * Name of the tenant.
   */
  name: string
  /** Settings that differ from their defaults. */
  settings?: {
    /** ISO 4217 currency of a funding that states none; default AED. */
    default_currency?: string | null
    /** IANA time zone of the days of limits, charges, reports and embossing, such as Asia/Dubai; default UTC. */
    time_zone?: string | null
    /** ISO 3166-1 countries whose documents are accepted; empty accepts all (default). */
    allowed_issuing_countries?: string[] | null
    /** Whether a new INDIVIDUAL must verify its identity; default false. */
    require_document_verification?: boolean | null
    /** Checks of an identity verification; both by default. */
    checks?: ('DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO')[] | null
    /** True when users have read the privacy notices and consented; false is not valid. */
    privacy_notices_read_consent_given?: boolean | null
    /** Whether an INDIVIDUAL must pass KYC to become ACTIVE; default false. */
    require_kyc?: boolean | null
    /** Days after which a hold expires; default 7. */
    hold_days?: number | null
    /** Days that the rest of a hold remains after a clearing; default 30, 0 for none. */
    clearing_hold_days?: number | null
    /** Seconds before each repeated delivery of an event, each longer by up to a tenth; empty means one attempt. Default 5, 60, 300, 1800, 7200, 18000, 36000, 86400. */
    webhook_retry_seconds?: number[] | null
    /** Whether deposits at ATMs are accepted; default true. */
    atm_deposit?: boolean | null
    /** Wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours that block requests without a reading of the card (1022), until 24 hours after the last; default 10, 0 never blocks. */
    card_verification_max_tries?: number | null
    /** Hour of the day of `time_zone` at which physical cards are ordered from the bureau; default 0, midnight. Cards issued before a change keep their hour. */
    card_order_hour?: number | null
    /** When the cardholder gets the amount of a dispute before it is decided: never, when it is submitted, or when the chargeback has left; taken back if the dispute is lost. Default NONE. */
    dispute_provisional_credit?: ('NONE' | 'AT_SUBMISSION' | 'AT_CHARGEBACK') | null
    /** How the one-time codes of challenges go out: to `challenge_url`, as a mail to the user, or not at all: then cardholders approve payments in an app of the client. Default NONE. */
    challenge_messenger?: ('NONE' | 'SERVER' | 'MAIL') | null
    /** URL that gets the codes by POST, signed as questions to the responder; in live mode https at a public address. None by default. `responder:rotateSecret` answers the secret. */
    challenge_url?: string | null
    /** Whether members who sign in to the portal need a second factor: without one they may only set one up. Default true in live, false in sandbox. May be changed by an owner in a session, and by the operator; no API key of the tenant may. */
    second_factor_required?: boolean | null
    /** Responder that decides on authorizations: `url` or the listener; none by default. Null removes it. */
    responder?: {
      /** URL that is asked by POST; in live mode https at a public address. */
      url?: string | null
      /** True if the tenant answers by calls of /simulate/responderrequests instead of at a `url`; in sandbox only. */
      listener?: boolean | null
      /** Milliseconds within which it must answer; default 2000. */
      timeout_ms?: number | null
      /** Action without a valid answer; default DECLINE (1852). */
      default_action?: ('APPROVE' | 'DECLINE' | 'approve' | 'decline') | null
    } | null
    /** Whether the tenant may handle card numbers in clear; default false. Only the operator may change it. */
    pci_compliant?: boolean | null
    /** Warnings about expiring documents; none by default. Once a day the newest passport, identity card or visa of each INDIVIDUAL is looked at. Only the operator may change it. */
    expired_idv_policy?: {
      /** Days before the expiry of a document at which its user is warned; default 30. */
      days_prior_expiration?: number | null
      /** Statuses of the users that are warned; default ACTIVE. */
      applicable_user_status?: 'ACTIVE'[] | null
    } | null
    /** Average requests per second of a key or a session; default 100. Only the operator may change it. */
    rate_limit_per_second?: number | null
    /** Requests that each of them may send at once; default 200. Only the operator may change it. */
    rate_limit_burst?: number | null
    /** Average requests per second of all API keys and sessions of the tenant together, those of its merchants among them; by default four times `rate_limit_per_second`. Only the operator may change it. */
    tenant_rate_limit_per_second?: number | null
    /** Requests that all of them may send at once; by default four times `rate_limit_burst`. Only the operator may change it. */
    tenant_rate_limit_burst?: number | null
    /** API keys that the tenant may have at a time; default 200. Only the operator may change it. */
    api_keys_max?: number | null
    /** Bytes that the files of the tenant may have together; default 2,000,000,000 in sandbox, no limit in live. Only the operator may change it. */
    stored_bytes_max?: number | null
    /** Card and token numbers that are shown to the tenant within an hour of its clock, by `:reveal` and in widgets; default 1,000 in live, no limit in sandbox. Only the operator may change it. */
    card_details_per_hour?: number | null
    /** Whether webhooks and the responder may be at loopback addresses of the machine of the program: in sandbox only, while HOST and PUBLIC_URL are loopback addresses, and then by default. Other addresses that are not public are never called. Only the operator may change it. */
    allow_private_endpoints?: boolean | null
  }
}

export interface ListTenantsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateSettingsAsOperatorBody {
  /** ISO 4217 currency of a funding that states none; default AED. */
  default_currency?: string | null
  /** IANA time zone of the days of limits, charges, reports and embossing, such as Asia/Dubai; default UTC. */
  time_zone?: string | null
  /** ISO 3166-1 countries whose documents are accepted; empty accepts all (default). */
  allowed_issuing_countries?: string[] | null
  /** Whether a new INDIVIDUAL must verify its identity; default false. */
  require_document_verification?: boolean | null
  /** Checks of an identity verification; both by default. */
  checks?: ('DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO')[] | null
  /** True when users have read the privacy notices and consented; false is not valid. */
  privacy_notices_read_consent_given?: boolean | null
  /** Whether an INDIVIDUAL must pass KYC to become ACTIVE; default false. */
  require_kyc?: boolean | null
  /** Days after which a hold expires; default 7. */
  hold_days?: number | null
  /** Days that the rest of a hold remains after a clearing; default 30, 0 for none. */
  clearing_hold_days?: number | null
  /** Seconds before each repeated delivery of an event, each longer by up to a tenth; empty means one attempt. Default 5, 60, 300, 1800, 7200, 18000, 36000, 86400. */
  webhook_retry_seconds?: number[] | null
  /** Whether deposits at ATMs are accepted; default true. */
  atm_deposit?: boolean | null
  /** Wrong CVV2, iCVV, CVV and expiry dates of a card within 24 hours that block requests without a reading of the card (1022), until 24 hours after the last; default 10, 0 never blocks. */
  card_verification_max_tries?: number | null
  /** Hour of the day of `time_zone` at which physical cards are ordered from the bureau; default 0, midnight. Cards issued before a change keep their hour. */
  card_order_hour?: number | null
  /** When the cardholder gets the amount of a dispute before it is decided: never, when it is submitted, or when the chargeback has left; taken back if the dispute is lost. Default NONE. */
  dispute_provisional_credit?: ('NONE' | 'AT_SUBMISSION' | 'AT_CHARGEBACK') | null
  /** How the one-time codes of challenges go out: to `challenge_url`, as a mail to the user, or not at all: then cardholders approve payments in an app of the client. Default NONE. */
  challenge_messenger?: ('NONE' | 'SERVER' | 'MAIL') | null
  /** URL that gets the codes by POST, signed as questions to the responder; in live mode https at a public address. None by default. `responder:rotateSecret` answers the secret. */
  challenge_url?: string | null
  /** Whether members who sign in to the portal need a second factor: without one they may only set one up. Default true in live, false in sandbox. May be changed by an owner in a session, and by the operator; no API key of the tenant may. */
  second_factor_required?: boolean | null
  /** Responder that decides on authorizations: `url` or the listener; none by default. Null removes it. */
  responder?: {
    /** URL that is asked by POST; in live mode https at a public address. */
    url?: string | null
    /** True if the tenant answers by calls of /simulate/responderrequests instead of at a `url`; in sandbox only. */
    listener?: boolean | null
    /** Milliseconds within which it must answer; default 2000. */
    timeout_ms?: number | null
    /** Action without a valid answer; default DECLINE (1852). */
    default_action?: ('APPROVE' | 'DECLINE' | 'approve' | 'decline') | null
  } | null
  /** Whether the tenant may handle card numbers in clear; default false. Only the operator may change it. */
  pci_compliant?: boolean | null
  /** Warnings about expiring documents; none by default. Once a day the newest passport, identity card or visa of each INDIVIDUAL is looked at. Only the operator may change it. */
  expired_idv_policy?: {
    /** Days before the expiry of a document at which its user is warned; default 30. */
    days_prior_expiration?: number | null
    /** Statuses of the users that are warned; default ACTIVE. */
    applicable_user_status?: 'ACTIVE'[] | null
  } | null
  /** Average requests per second of a key or a session; default 100. Only the operator may change it. */
  rate_limit_per_second?: number | null
  /** Requests that each of them may send at once; default 200. Only the operator may change it. */
  rate_limit_burst?: number | null
  /** Average requests per second of all API keys and sessions of the tenant together, those of its merchants among them; by default four times `rate_limit_per_second`. Only the operator may change it. */
  tenant_rate_limit_per_second?: number | null
  /** Requests that all of them may send at once; by default four times `rate_limit_burst`. Only the operator may change it. */
  tenant_rate_limit_burst?: number | null
  /** API keys that the tenant may have at a time; default 200. Only the operator may change it. */
  api_keys_max?: number | null
  /** Bytes that the files of the tenant may have together; default 2,000,000,000 in sandbox, no limit in live. Only the operator may change it. */
  stored_bytes_max?: number | null
  /** Card and token numbers that are shown to the tenant within an hour of its clock, by `:reveal` and in widgets; default 1,000 in live, no limit in sandbox. Only the operator may change it. */
  card_details_per_hour?: number | null
  /** Whether webhooks and the responder may be at loopback addresses of the machine of the program: in sandbox only, while HOST and PUBLIC_URL are loopback addresses, and then by default. Other addresses that are not public are never called. Only the operator may change it. */
  allow_private_endpoints?: boolean | null
}

export interface UpdateSettingsAsOperatorHeaders {
  'if-match'?: string
}

export interface CreateApiKeyBody {
  /** Permissions of the key. */
  permissions: ('read' | 'write' | 'cards:reveal' | 'cards:widget')[]
}

export interface ListApiKeysQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ListAuditRecordsAsOperatorQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * The tenant; without it the actions of the operator that are about none.
   */
  tenant_id?: string
  /**
   * Format: uuid
   * Records that name this object.
   */
  object_id?: string
  /** Records of this caller. */
  actor_id?: string
  /** Records of this operation, by its `operationId`. */
  operation?: string
  /**
   * Format: date-time
   * Records of this instant and later.
   */
  from?: string
  /**
   * Format: date-time
   * Records before this instant.
   */
  to?: string
}

export interface ListAuditRecordsAsOperatorItem {
  /**
   * Format: uuid
   * Id of the record.
   */
  id: string
  /** The operation, by its `operationId`. */
  operation: string
  /** Sender of the request. */
  actor: {
    /** An API key of the tenant, the operator, a merchant, the holder of a widget token or a member; the card network or the program by itself, of steps of disputes. */
    kind: 'client' | 'operator' | 'merchant' | 'widget' | 'member' | 'network' | 'system'
    /** Id of the API key, the merchant or the person; digest of the widget token. */
    id: string
  }
  /** The IP address that the request came from; empty without one. */
  address: string
  /** Ids of the objects that the request names or made. */
  object_ids: string[]
  /** Members of the body that were sent, without values. */
  members: string[]
  /** The HTTP status of the answer. */
  status: number
  /**
   * Format: uuid
   * Id of the request, as in the answer and the logs.
   */
  request_id: string
  /** Keyed digest of method, path and body, in hexadecimal. */
  digest: string
  /**
   * Format: date-time
   * When it was, by the tenant's clock.
   */
  created: string
  /**
   * Format: date-time
   * When it was, in real time.
   */
  recorded: string
  /** Its place in the chain of the tenant; absent until it is chained. */
  sequence?: number
  /** Its hash in the chain, in hexadecimal. */
  hash?: string
}

export interface ListReviewsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Restricts the list to one tenant.
   */
  tenant_id?: string
  /** Only users with this status. */
  status?:
    | 'PENDINGIDVERIFICATION'
    | 'PENDINGKYC'
    | 'PENDINGKYB'
    | 'ACTIVE'
    | 'SUSPENDED'
    | 'TERMINATED'
  /** Only users of this type. */
  user_type?:
    | 'INDIVIDUAL'
    | 'BUSINESS'
    | 'DIRECTOR'
    | 'SIGNATURE'
    | 'SHAREHOLDER'
    | 'SHAREHOLDER_BUSINESS'
}

export interface ApproveUserBody {
  /** Reason of the decision; it becomes the note when `note` is absent. */
  reason?: string
  /** Note of the decision, in place of the reason. */
  note?: string
  /**
   * Format: date-time
   * `modified` of the user as it was reviewed: one that has changed is refused.
   */
  modified?: string
}

export interface ApproveUserQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface ApproveUserHeaders {
  'if-match'?: string
}

export interface RejectUserBody {
  /** Reason of the decision; it becomes the note when `note` is absent. */
  reason: string
  /** Note of the decision, in place of the reason. */
  note?: string
  /**
   * Format: date-time
   * `modified` of the user as it was reviewed: one that has changed is refused.
   */
  modified?: string
}

export interface RejectUserQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface RejectUserHeaders {
  'if-match'?: string
}

export interface VerifyIdentificationBody {
  /** Becomes `document_status_reason`; `verified` by default. */
  reason?: string
  /**
   * Format: date-time
   * `modified` of the identification as it was reviewed: one that has changed is refused.
   */
  modified?: string
}

export interface VerifyIdentificationQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface VerifyIdentificationHeaders {
  'if-match'?: string
}

export interface RejectIdentificationBody {
  /** Becomes `document_status_reason`. */
  reason: string
  /**
   * Format: date-time
   * `modified` of the identification as it was reviewed: one that has changed is refused.
   */
  modified?: string
}

export interface RejectIdentificationQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface RejectIdentificationHeaders {
  'if-match'?: string
}

export interface ApproveKycRequestBody {
  /** Reason of the decision; it becomes the note when `note` is absent. */
  reason?: string
  /** Note of the decision, in place of the reason. */
  note?: string
}

export interface ApproveKycRequestQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface ApproveKycRequestHeaders {
  'if-match'?: string
}

export interface RejectKycRequestBody {
  /** Reason of the decision; it becomes the note when `note` is absent. */
  reason: string
  /** Note of the decision, in place of the reason. */
  note?: string
}

export interface RejectKycRequestQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface RejectKycRequestHeaders {
  'if-match'?: string
}

export interface ListMatchesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Restricts the list to one tenant.
   */
  tenant_id?: string
  /**
   * Format: uuid
   * Only matches of this user.
   */
  user_id?: string
  /** Only matches with this status. */
  status?: 'OPEN' | 'DISMISSED' | 'CONFIRMED'
}

export interface DismissMatchBody {
  /** Why it is, or is not, the user; kept with the match. */
  reason: string
}

export interface DismissMatchQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface DismissMatchHeaders {
  'if-match'?: string
}

export interface ConfirmMatchBody {
  /** Why it is, or is not, the user; kept with the match. */
  reason: string
}

export interface ConfirmMatchQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface ConfirmMatchHeaders {
  'if-match'?: string
}

export interface SetKeyBlockProtectionKeyAsOperatorBody {
  /** Components of the key in hex, of one length; the key is their exclusive or. */
  components?: string[]
  /** The key as the security module shows it under its own master key, where the keys of cards are in a module; in place of components. */
  key?: string
}

export interface SetKeyBlockProtectionKeyAsOperatorHeaders {
  'if-match'?: string
}

export interface ImportKeyAsOperatorBody {
  /** Name of the key that the block contains. */
  name: 'imk_ac' | 'imk_smi' | 'imk_smc' | 'cvk' | 'pvk' | 'zpk' | 'zpk_aes'
  /** Key block of ANSI X9.143 (TR-31), version A, B, C or D. */
  key_block: string
}

export interface ImportKeyAsOperatorHeaders {
  'if-match'?: string
}

export interface SetRatesBody {
  /**
   * Format: uuid
   * Tenant whose rates these are. Without it they are the rates of every tenant that has no own rate of the two currencies.
   */
  tenant_id?: string
  /** Rates to set; all others stay as they are. */
  rates: {
    /** ISO 4217 currency that is converted. */
    from: string
    /** ISO 4217 currency that it is converted to. */
    to: string
    /** Major units of `to` that one major unit of `from` is worth: a positive decimal of up to 12 digits before and 12 after the point, as text or as a number. */
    rate: number | string
  }[]
}

export interface ListRatesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only own rates of this tenant.
   */
  tenant_id?: string
  /** Lists only rates from this currency. */
  from?: string
  /** Lists only rates to this currency. */
  to?: string
  /** Lists replaced rates as well; default false. */
  history?: boolean
}

export interface FundTenantAsOperatorBody {
  /** ISO 4217 code; by default the default currency of the tenant. */
  currency?: string
  /** Amount to add, in major units and above zero. */
  amount: number | string
}

export interface ListLowFundingQuery {
  /**
   * Available balance below which an account is listed, in major units.
   * @default 1000
   */
  below: number
}

export interface ChangeCardStatusAsOperatorBody {
  /** New status of the card. */
  status: 'INACTIVE' | 'ACTIVE' | 'SUSPENDED' | 'TERMINATED'
  /** Reason of the new status. */
  status_reason_code:
    | 'I0'
    | 'a0'
    | 'A0'
    | 'S0'
    | 'S1'
    | 'S2'
    | 'P0'
    | 'AT'
    | 'ST'
    | 'T0'
    | 'T1'
    | 'T2'
    | 'T3'
    | 'T4'
  /** Explanation that CARD_STATUS_CHANGE contains. */
  note?: {
    /**
     * Format: not-blank
     * Category of the change, 1 to 100 characters.
     */
    category?: string
    /** Explanation, at most 1000 characters. */
    description?: string
    /** At most 20 further texts by name, each of at most 200 characters. */
    extras?: {
      [key: string]: string
    }
  }
}

export interface ChangeCardStatusAsOperatorQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface ChangeCardStatusAsOperatorHeaders {
  'if-match'?: string
}

export interface ChangeFulfillmentAsOperatorBody {
  /** Next fulfillment status of the card. */
  fulfillment_status: 'CREATED' | 'ORDERED' | 'SHIPPED' | 'DELIVERED' | 'FAILED'
  /**
   * Format: not-blank
   * Carrier of the card.
   */
  delivery_partner?: string
  /**
   * Format: not-blank
   * Tracking number given by the carrier.
   */
  tracking_number?: string
}

export interface ChangeFulfillmentAsOperatorQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface ChangeFulfillmentAsOperatorHeaders {
  'if-match'?: string
}

export interface SendCardOrdersBody {
  /**
   * Format: uuid
   * Id of the tenant whose cards are ordered.
   */
  tenant_id: string
  /**
   * Format: uuid
   * Only cards of this card product.
   */
  card_product_id?: string
}

export interface ListBureauAnswersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface RequestScriptAsOperatorBody {
  /** BLOCK blocks the application of the chip; UNBLOCK_PIN resets its counter of PIN tries. */
  script: 'BLOCK' | 'UNBLOCK_PIN'
}

export interface RequestScriptAsOperatorHeaders {
  'if-match'?: string
}

export interface ListNetworksAnswer {
  /** The networks of NETWORKS_FILE, in its order. */
  data: Network[]
}

export interface ExchangeNetworkKeysBody {
  /** ZAK for the codes of messages (MAC), ZPK for PIN blocks. */
  use: 'ZAK' | 'ZPK'
}

export interface ExchangeNetworkKeysAnswer {
  /**
   * Format: uuid
   * Id of the request for a key.
   */
  id: string
  /** ZAK for the codes of messages (MAC), ZPK for PIN blocks. */
  use: 'ZAK' | 'ZPK'
  /** REQUESTED: nobody has asked yet. SENT: the network was asked. DONE: its key has come. FAILED: it has refused. */
  state: 'REQUESTED' | 'SENT' | 'DONE' | 'FAILED'
  /**
   * Format: date-time
   * When it was requested.
   */
  created: string
}

export interface ListOutgoingDisputesQuery {
  /**
   * Format: uuid
   * Tenant of the disputes.
   */
  tenant_id: string
}

export interface ListOutgoingDisputesAnswer {
  /** Disputes, longest first. */
  data: Dispute[]
}

export interface RecordDisputeStepBody {
  /** SENT: the message in `outgoing` has left; a SUBMITTED dispute is CHARGED_BACK then. REPRESENT: the merchant’s side presented the transaction again. WIN, LOSE: it was decided. REJECT: the centre did not take what was sent. */
  step: 'SENT' | 'REPRESENT' | 'WIN' | 'LOSE' | 'REJECT'
  /** Part that a second presentment takes back, for REPRESENT; all if left out. */
  amount?: number | string
  /** Note for the history, as the text of a rejection. */
  note?: string
}

export interface RecordDisputeStepQuery {
  /**
   * Format: uuid
   * Tenant of the object; required if several tenants use the same id.
   */
  tenant_id?: string
}

export interface RecordDisputeStepHeaders {
  'if-match'?: string
}

export interface ImportClearingBody {
  /**
   * Format: binary
   * The clearing file.
   */
  file: Blob
  /**
   * Format: uuid
   * Tenant of records without a card of the platform; left out, that of the first other one.
   */
  tenant_id?: string
}

export interface ListClearingsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ListClearingRecordsQuery {
  /** Records in this state only. */
  state?: 'WAITING' | 'POSTED' | 'BOOKED' | 'SUSPENDED' | 'SHOWN' | 'RESOLVED'
  /** Records behind the one with this number. */
  after?: number
  /** Records of the answer: 50. */
  limit?: number
}

export interface ListClearingRecordsAnswer {
  /** Records in the order of the file. */
  data: ClearingRecord[]
  /** Whether others follow. */
  has_more: boolean
}

export interface ResolveClearingRecordBody {
  /** POST posts it to a card, RETURN takes its amount out of suspense, because the network gets or gives it back, WRITE_OFF books it to fees. */
  action: 'POST' | 'RETURN' | 'WRITE_OFF'
  /**
   * Format: uuid
   * Card of a POST; left out, the one of its number.
   */
  card_id?: string
  /** Why it is resolved so. */
  note: string
}

export interface ResolveClearingRecordHeaders {
  'if-match'?: string
}

export interface ExportClearingBody {
  /**
   * Format: uuid
   * Tenant whose messages leave.
   */
  tenant_id: string
  /** Id of the issuer at the network, in PDS 0105 and DE94; zeros if left out. */
  institution?: string
  /** EBCDIC (code page 500), not ASCII. */
  ebcdic?: boolean
  /** Blocks of 1,014 bytes. */
  blocked?: boolean
}

export interface ListClearingExportsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Tenant of the file.
   */
  tenant_id: string
}

export interface DownloadClearingExportQuery {
  /**
   * Format: uuid
   * Tenant of the file.
   */
  tenant_id: string
}

export interface DownloadClearingExportHeaders {
  range?: string
}

export interface CreateMerchantBody {
  /**
   * Format: uuid
   * Id chosen by the operator; generated when absent.
   */
  id?: string
  /**
   * Format: uuid
   * Id of the tenant to which the merchant belongs.
   */
  tenant_id: string
  /**
   * Format: not-blank
   * Name of the merchant for the operator.
   */
  name: string
  /**
   * Format: not-blank
   * Name that customers see; `name` by default.
   */
  display_name?: string
  /** An `INACTIVE` merchant cannot authenticate; `ACTIVE` by default. */
  status?: 'ACTIVE' | 'INACTIVE'
  /** Merchant category code of ISO 18245, four digits; `5999` by default. */
  mcc?: string
  /** ISO 3166-1 alpha-2 or alpha-3 code; `ARE` by default. */
  country?: string
  /**
   * Format: not-blank
   * City of the merchant; `Dubai` by default.
   */
  city?: string
  /** Lifetime of a token in minutes; 30 by default. */
  token_minutes?: number
  /** Days from the authorization to the capture deadline; 5 by default. */
  capture_window_days?: number
  /** At the capture deadline `void`, the default, releases what is not captured, and `capture` captures it. A released order stays `OPENED`, or is `COMPLETED` where a part was captured. */
  deadline_policy?: 'void' | 'capture'
  /** Whether an order may be captured in several parts; `false` by default. An order keeps the value of the time of its payment. */
  partial_captures?: boolean
  /** Host names allowed in callback URLs; an empty list, the default, allows any. */
  callback_hosts?: string[]
  /** Whether customers may let the merchant keep their cards, and the merchant may pay with them; false by default. Turning it off deletes no card. */
  kept_cards?: boolean
  /** Name of the merchant in messages of the card network (DE43) and so on statements of cardholders: 1 to 25 Latin letters, digits, blanks and marks. If it is absent, that name is `display_name` without accents, other scripts written out in Latin letters. It is required if `display_name` has no Latin letter and no digit, as an Arabic one. Marks of direction and blanks around it are cut. `null` clears. */
  descriptor?: string | null
  /** Color of the payment page such as `#0b6e4f`, with a contrast of at least 3:1 to white. `null` clears. */
  brand_color?: string | null
  /** Logo on the payment page: a PNG, JPEG or WebP picture as a data URL in Base64, of at most 32,768 characters. `null` clears. */
  logo?: string | null
  /** Address of the terms of the merchant, https, to which the payment page leads. `null` clears. */
  terms_url?: string | null
  /** Address of the support of the merchant, https, mailto or tel, to which the payment page leads. `null` clears. */
  support_url?: string | null
  /** Name of the issuer to which new payments go, one of those that the operator has configured; absent for the default one. A payment stays with its issuer. `null` clears. */
  issuer?: string | null
  /** Fees on captures and refunds, at most one object for a currency; none by default. A list that is sent replaces the stored one. A change holds for later captures and refunds. */
  fees?: {
    /** ISO 4217 alphabetic code of the orders. */
    currency: string
    /** Fee of a capture in per cent of its amount, at most 100, with up to four decimals. */
    percent?: number | string
    /** Fee of a capture beside the percentage, in major units. */
    fixed?: number | string
    /** Fee of a refund, in major units. The fee of the capture is not given back. */
    refund_fee?: number | string
    /** Fee of a dispute, in major units; absent for none. It is not given back. */
    chargeback_fee?: number | string
  }[]
}

export interface ListMerchantsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Only merchants of this tenant.
   */
  tenant_id?: string
}

export interface UpdateMerchantBody {
  /**
   * Format: not-blank
   * Name of the merchant for the operator.
   */
  name?: string
  /**
   * Format: not-blank
   * Name that customers see; `name` by default.
   */
  display_name?: string
  /** An `INACTIVE` merchant cannot authenticate; `ACTIVE` by default. */
  status?: 'ACTIVE' | 'INACTIVE'
  /** Merchant category code of ISO 18245, four digits; `5999` by default. */
  mcc?: string
  /** ISO 3166-1 alpha-2 or alpha-3 code; `ARE` by default. */
  country?: string
  /**
   * Format: not-blank
   * City of the merchant; `Dubai` by default.
   */
  city?: string
  /** Lifetime of a token in minutes; 30 by default. */
  token_minutes?: number
  /** Days from the authorization to the capture deadline; 5 by default. */
  capture_window_days?: number
  /** At the capture deadline `void`, the default, releases what is not captured, and `capture` captures it. A released order stays `OPENED`, or is `COMPLETED` where a part was captured. */
  deadline_policy?: 'void' | 'capture'
  /** Whether an order may be captured in several parts; `false` by default. An order keeps the value of the time of its payment. */
  partial_captures?: boolean
  /** Host names allowed in callback URLs; an empty list, the default, allows any. */
  callback_hosts?: string[]
  /** Whether customers may let the merchant keep their cards, and the merchant may pay with them; false by default. Turning it off deletes no card. */
  kept_cards?: boolean
  /** Name of the merchant in messages of the card network (DE43) and so on statements of cardholders: 1 to 25 Latin letters, digits, blanks and marks. If it is absent, that name is `display_name` without accents, other scripts written out in Latin letters. It is required if `display_name` has no Latin letter and no digit, as an Arabic one. Marks of direction and blanks around it are cut. `null` clears. */
  descriptor?: string | null
  /** Color of the payment page such as `#0b6e4f`, with a contrast of at least 3:1 to white. `null` clears. */
  brand_color?: string | null
  /** Logo on the payment page: a PNG, JPEG or WebP picture as a data URL in Base64, of at most 32,768 characters. `null` clears. */
  logo?: string | null
  /** Address of the terms of the merchant, https, to which the payment page leads. `null` clears. */
  terms_url?: string | null
  /** Address of the support of the merchant, https, mailto or tel, to which the payment page leads. `null` clears. */
  support_url?: string | null
  /** Name of the issuer to which new payments go, one of those that the operator has configured; absent for the default one. A payment stays with its issuer. `null` clears. */
  issuer?: string | null
  /** Fees on captures and refunds, at most one object for a currency; none by default. A list that is sent replaces the stored one. A change holds for later captures and refunds. */
  fees?: {
    /** ISO 4217 alphabetic code of the orders. */
    currency: string
    /** Fee of a capture in per cent of its amount, at most 100, with up to four decimals. */
    percent?: number | string
    /** Fee of a capture beside the percentage, in major units. */
    fixed?: number | string
    /** Fee of a refund, in major units. The fee of the capture is not given back. */
    refund_fee?: number | string
    /** Fee of a dispute, in major units; absent for none. It is not given back. */
    chargeback_fee?: number | string
  }[]
}

export interface UpdateMerchantHeaders {
  'if-match'?: string
}

export interface ListMerchantKeysQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface RevokeMerchantKeyAnswer {
  /**
   * Format: uuid
   * Id of the key pair.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface RecordChargebackBody {
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the order. */
  reference: string
  /** Amount in major units of the order; all that is left of it if left out. */
  amount?: number | string
  /**
   * Format: not-blank
   * Reason, in the words of the network.
   */
  reason: string
  /** Code of the scheme. */
  reason_code?: string
  /**
   * Format: date-time
   * Until when the merchant may answer; 20 days from now by default.
   */
  respond_by?: string
}

export interface RecordChargebackStepBody {
  /** WIN and LOSE: it was decided, as the merchant sees it. WITHDRAW: the issuer took it back. */
  step: 'WIN' | 'LOSE' | 'WITHDRAW'
}

export interface RecordChargebackStepHeaders {
  'if-match'?: string
}

export interface ListPayoutsAsOperatorQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only payouts of this tenant.
   */
  tenant_id?: string
  /**
   * Format: uuid
   * Lists only payouts of this merchant.
   */
  merchant_id?: string
  /** Lists only payouts in this currency. */
  currency?: string
  /** Lists only payouts of this status. */
  status?: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
}

export interface MarkPayoutPaidBody {
  /** Name of the transfer, or why it failed, for the merchant; at most 200 characters. */
  reference: string
}

export interface MarkPayoutPaidHeaders {
  'if-match'?: string
}

export interface MarkPayoutFailedBody {
  /** Name of the transfer, or why it failed, for the merchant; at most 200 characters. */
  reference: string
}

export interface MarkPayoutFailedHeaders {
  'if-match'?: string
}

export interface GetReconciliationQuery {
  /**
   * Format: date
   * The day, YYYY-MM-DD of UTC.
   */
  date: string
  /**
   * Format: uuid
   * Compares only the books of this tenant.
   */
  tenant_id?: string
  /**
   * Format: uuid
   * Compares only the payments of this merchant.
   */
  merchant_id?: string
}

export interface ListSettlementsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface ListStuckPaymentsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /**
   * Format: uuid
   * Lists only payments of this tenant.
   */
  tenant_id?: string
  /**
   * Format: uuid
   * Lists only payments of this merchant.
   */
  merchant_id?: string
}

export interface EndStuckPaymentBody {
  /** Outcome at the issuer: `APPROVED` if the payment, capture or refund took effect, `DECLINED` if nothing of it is in effect. */
  outcome: 'APPROVED' | 'DECLINED'
  /** The person at the issuer who stated it, and the place; without card data. */
  note: string
}

export interface ListMailsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Only mails to this address. */
  to?: string
}

/** Every event that a subscription may receive; `event` says which. */
export type WebhookEvent =
  | UserCreatedEvent
  | UserStatusChangeEvent
  | IdentityVerificationEvent
  | KycResultEvent
  | UserDocumentAlertEvent
  | ScreeningMatchEvent
  | AccountSuccessfullyCreatedEvent
  | CardSuccessfullyCreatedEvent
  | AccountStatusChangeEvent
  | ChargeAppliedEvent
  | CardStatusChangeEvent
  | CardDeliveryPartnerAssignedEvent
  | CardDeliveryStatusChangedEvent
  | CardDetailsLimitEvent
  | PinChangeEvent
  | CardProvisioningEvent
  | TokenNotificationEvent
  | TransactionEvent
  | ExpiredAuthEvent
  | ChallengeCreatedEvent
  | DisputeStatusChangeEvent
  | DisputeDeadlineEvent
  | PingEvent
  | OrderAuthorizedEvent
  | OrderCapturedEvent
  | OrderRefundedEvent
  | OrderCaptureExpiringEvent
  | OrderExpiredEvent
  | ChargebackStatusChangeEvent
  | PayoutCreatedEvent
  | PayoutPaidEvent
  | PayoutFailedEvent
