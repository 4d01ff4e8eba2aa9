/** The interfaces of the providers of identity verification (D-23), KYC (D-22) and KYB (D-1080). */

import type { DocumentWithFiles, StoredDocument } from '#issuing/identifications/identifications.ts'
import type { UserRow } from '#issuing/users/users.ts'
import type { Context } from '#kit/context.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { type KycPolicy, kycResults } from './rules/kyc.ts'

export type IdentityCheck = 'DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO'

/** The data of the person that a provider receives before a document. */
export type Person = {
  first_name: string
  last_name: string
  date_of_birth: string | null
  email: string | null
}

export type ApplicantData = {
  person: Person
  checks: readonly IdentityCheck[]
  /** The person has read the privacy notices and agrees (D-25). */
  consent_given: boolean
}

/** Opens the provider's pages and SDK to one applicant; 90 minutes on the tenant's clock. */
export type SdkToken = { sdk_token: string; expires: Date }

export const TOKEN_MINUTES = 90

/** Why a report is not clear. The last two end a check without a verdict. */
export const outcomes = [
  'caution',
  'suspected',
  'rejected',
  'terminated',
  'document_requested',
  'abandoned',
] as const
export type Outcome = (typeof outcomes)[number]

export type Report =
  | { result: 'CLEAR'; issuing_country?: string }
  | { result: 'CONSIDER'; outcome: Outcome; issuing_country?: string }

export type NewCheck = {
  applicant_id: string
  checks: readonly IdentityCheck[]
  consent_given: boolean
  /** Identifies this check: a start that is repeated after a crash finds the check made before. */
  reference: string
}

export type IdentityProvider = {
  readonly name: string
  /**
   * Whether it is a remote service. A local one works inside the transaction that needs it; a sweep
   * calls a remote one, without locks, until it answers.
   */
  readonly outside: boolean
  createApplicant: (ctx: Context, applicant: ApplicantData) => Promise<string>
  /** Sends changes of the person. */
  updateApplicant?: (ctx: Context, applicant_id: string, applicant: ApplicantData) => Promise<void>
  issueToken: (ctx: Context, applicant_id: string) => Promise<SdkToken>
  /** Whether the applicant has uploaded documents, if that is known without a call. */
  hasDocuments?: (ctx: Context, applicant_id: string) => Promise<boolean>
  /** Uploads stored documents of an applicant, without those that it has already. */
  uploadDocuments?: (
    ctx: Context,
    applicant_id: string,
    documents: readonly StoredDocument[],
  ) => Promise<void>
  /** Returns the provider's id of the check; undefined when documents to check are missing. */
  startCheck: (ctx: Context, check: NewCheck) => Promise<string | undefined>
  /** The report of a check; undefined while it is not done. */
  fetchReport: (ctx: Context, check_id: string) => Promise<Report | undefined>
  /** Receives the provider's notifications and calls `done` with the id of a finished check. */
  listen?: (app: App, services: Services, done: CheckDone) => void
}
export type CheckDone = (services: Services, check_id: string) => Promise<void>

/** The members of a user that a check of a person receives, as the API names them. */
export const personMembers = [
  'id',
  'user_type',
  'title',
  'first_name',
  'middle_name',
  'last_name',
  'native_name',
  'date_of_birth',
  'place_of_birth',
  'gender',
  'nationality',
  'country_residence',
  'country_tax_residence',
  'address',
  'email',
  'mobile',
  'phone_number',
  'designation',
  'local_address',
  'shares_percentage',
  'share_controller_name',
] as const

/** The same of a company: the business itself, or a shareholder that is one. */
export const businessMembers = [
  'id',
  'user_type',
  'business_legal_name',
  'business_dba_name',
  'native_name',
  'old_entity_name',
  'incorporation_type',
  'entity_registered_no',
  'tin',
  'date_established',
  'license_type',
  'license_expiry',
  'regulated_entity',
  'regulator_name',
  'address',
  'company_address',
  'company_country',
  'country_residence',
  'tax_residence_country',
  'other_operated_countries',
  'business_activities',
  'industry_type',
  'website',
  'email',
  'mobile',
  'phone_number',
  'local_address',
  'shares_percentage',
  'share_controller_name',
] as const

type AddressMember =
  | 'address_line1'
  | 'address_line2'
  | 'city'
  | 'state'
  | 'postal_code'
  | 'country'
export type AddressData = { [Member in AddressMember]?: string | null }

type Addresses = 'address' | 'local_address' | 'company_address'
/** A member that the tenant does not know is null. Dates are YYYY-MM-DD, countries alpha-3. */
type DataOf<Member extends keyof UserRow> = Pick<UserRow, Exclude<Member, Addresses>> & {
  [Name in Member & Addresses]: AddressData | null
} & { documents: readonly DocumentWithFiles[] }
export type PersonData = DataOf<(typeof personMembers)[number]>
export type CompanyData = DataOf<(typeof businessMembers)[number]>

/** A business with its people, in the order of its lists. A shareholder may be a company. */
export type BusinessData = CompanyData & {
  directors: readonly PersonData[]
  signatories: readonly PersonData[]
  shareholders: readonly (PersonData | CompanyData)[]
}

/** KYC and KYB come before a user is ACTIVE, ONGOING while it is (D-1082). */
export const purposes = ['KYC', 'KYB', 'ONGOING'] as const
export type Purpose = (typeof purposes)[number]

/** An entry of a watchlist that may be the subject (D-1080). */
export type Match = {
  /** The user that it is about: the person or the business, or one of its people. */
  subject_id: string
  /** The name of the list, as the provider has it. */
  list: string
  /** The entry's own id within the list: the same entry is not reported as new again. */
  listed_id: string
  /** The name as the list has it. */
  name: string
  /** How alike they are, in whole per cent. */
  score: number
  /** The members that matched, in one line. */
  reason: string
}

/** A KYC request, or a further check of a user that is ACTIVE, as a provider receives it. */
export type KycCase = {
  /** Identifies the check: a call that is repeated finds the case made before. */
  reference: string
  purpose: Exclude<Purpose, 'KYB'>
  /** Null for a further check. */
  kyc_policy: KycPolicy | null
  person: PersonData
  /** People of the tenant have read the privacy notices and agree (D-25). */
  consent_given: boolean
  /** The provider's own id of the case, once it was kept. */
  kept: string | null
  /** Keeps it at once, ahead of further calls, so that a repeat after a crash goes on from there. */
  keep: (provider_case: string) => Promise<void>
}

/** PENDING is asked for again later; COMPLIANCE leaves the request to the operator. */
export const kycOutcomes = [...kycResults, 'PENDING', 'COMPLIANCE'] as const
export type KycAnswer = {
  result: (typeof kycOutcomes)[number]
  matches: readonly Match[]
}

/**
 * A provider of KYC or KYB. It is asked again with the same reference until it answers; with
 * `listen` its notification of an answer has it asked at once.
 */
type Screener = {
  readonly name: string
  /** Whether it is a remote service. A call of it ends within 30 s, and holds no locks. */
  readonly outside: boolean
  /** Receives the provider's notifications and calls `done` with the reference of a check. */
  listen?: (app: App, services: Services, done: CheckDone) => void
}

export type KycProvider = Screener & {
  /**
   * The answer about a person. OK with a match is COMPLIANCE: a match is for people to judge. An
   * ONGOING check has no verdict: only PENDING and the matches count. A ProviderFailure is PENDING
   * too.
   */
  decide: (ctx: Context, request: KycCase) => Promise<KycAnswer>
}

export type KybCase = {
  reference: string
  purpose: Exclude<Purpose, 'KYC'>
  business: BusinessData
}

/** A business is approved by people alone, so there is no verdict: only what was found. */
export const kybOutcomes = ['DONE', 'PENDING'] as const
export type KybAnswer = { result: (typeof kybOutcomes)[number]; matches: readonly Match[] }

export type KybProvider = Screener & {
  check: (ctx: Context, request: KybCase) => Promise<KybAnswer>
}

/** A provider that did not answer or rejected the call. The message contains no secret. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
}
