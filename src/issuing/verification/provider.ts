/** The interfaces of the providers of identity verification (D-23) and of KYC (D-22). */

import type { StoredDocument } from '#issuing/identifications/identifications.ts'
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

/** A KYC request as a provider receives it. */
export type KycCase = {
  /** Identifies the request: a call that is repeated finds the case made before. */
  reference: string
  kyc_policy: KycPolicy
  person: Person
}

/** PENDING is asked for again later; COMPLIANCE leaves the request to the operator. */
export const kycAnswers = [...kycResults, 'PENDING', 'COMPLIANCE'] as const
export type KycAnswer = (typeof kycAnswers)[number]

export type KycProvider = {
  readonly name: string
  /** Whether it is a remote service. A call of it ends within 30 s, and holds no locks. */
  readonly outside: boolean
  /** The answer to a request. A ProviderFailure is PENDING too, and is logged. */
  decide: (ctx: Context, request: KycCase) => Promise<KycAnswer>
}

/** A provider that did not answer or rejected the call. The message contains no secret. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
}
