/** What a provider of identity verification must do for us (D-23): one small interface. */

import type { StoredDocument } from '#issuing/identifications/identifications.ts'
import type { Services } from '#kit/callers.ts'
import type { Context } from '#kit/context.ts'
import type { App } from '#kit/http.ts'

export type IdentityCheck = 'DOCUMENT' | 'FACIAL_SIMILARITY_VIDEO'

/** What a provider is told of the person before it sees a document. */
export type Person = {
  first_name: string
  last_name: string
  date_of_birth: string | null
  email: string | null
}

export type Wanted = {
  person: Person
  checks: readonly IdentityCheck[]
  /** The person has read the privacy notices and agrees (D-25). */
  consent_given: boolean
}

/** Opens the provider's pages and SDK to one applicant; 90 minutes on the tenant's clock. */
export type SdkToken = { sdk_token: string; expires: Date }

export const TOKEN_MINUTES = 90

/** Why a report is not clear. The last two end a try without a verdict. */
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

export type CheckWanted = {
  applicant_id: string
  checks: readonly IdentityCheck[]
  consent_given: boolean
  /** Names this try: a start that is repeated after a crash finds the check it made before. */
  reference: string
}

export type IdentityProvider = {
  readonly name: string
  /**
   * Whether it is elsewhere. One that is not works inside the transaction that wants it; one that
   * is gets called by a sweep, with no lock held, until it answers.
   */
  readonly outside: boolean
  createApplicant: (ctx: Context, wanted: Wanted) => Promise<string>
  /** Tells it what has changed of a person since. */
  updateApplicant?: (ctx: Context, applicant_id: string, wanted: Wanted) => Promise<void>
  issueToken: (ctx: Context, applicant_id: string) => Promise<SdkToken>
  /** Whether the applicant has handed in documents, where that can be told without asking. */
  hasDocuments?: (ctx: Context, applicant_id: string) => Promise<boolean>
  /** Brings documents that lie here to an applicant; those that it has already are left out. */
  handIn?: (
    ctx: Context,
    applicant_id: string,
    documents: readonly StoredDocument[],
  ) => Promise<void>
  /** Answers the provider's id of the check; undefined when it lacks documents to check. */
  startCheck: (ctx: Context, wanted: CheckWanted) => Promise<string | undefined>
  /** The report of a check; undefined while it is not done. */
  fetchReport: (ctx: Context, check_id: string) => Promise<Report | undefined>
  /** Where the provider tells that a check is done: it calls `done` with the check's id. */
  listen?: (app: App, services: Services, done: CheckDone) => void
}
export type CheckDone = (services: Services, check_id: string) => Promise<void>
