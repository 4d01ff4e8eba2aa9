/**
 * Onfido behind the interface of a provider, by its official client (API v3.6, checks). Its reports
 * use the terms of the specification: clear, consider; caution, suspected, rejected.
 */

import { buffer } from 'node:stream/consumers'
import type { DefaultApi } from '@onfido/api'
import type { StoredDocument } from '#issuing/identifications/identifications.ts'
import {
  type ApplicantData,
  type IdentityProvider,
  ProviderFailure,
  TOKEN_MINUTES,
} from '#issuing/verification/provider.ts'
import { callOnfido, idIn, listIn, openClient, UNPROCESSABLE } from './client.ts'
import { acceptedDocument, REPORT_NAMES, type ReportRead, reportOf } from './rules.ts'
import type { OnfidoSettings } from './settings.ts'
import type { Listen } from './webhook.ts'

const CALL_MS = 10_000

export function onfidoIdentity(
  settings: OnfidoSettings,
  listen?: Listen,
  patience_ms = CALL_MS,
): IdentityProvider {
  const api = openClient(settings, patience_ms)
  return {
    name: 'onfido',
    outside: true,
    async createApplicant(_ctx, applicant) {
      const { data } = await callOnfido(async () =>
        (await api()).createApplicant(applicantOf(applicant)),
      )
      return idIn(data)
    },
    async updateApplicant(_ctx, applicant_id, applicant) {
      const { data } = await callOnfido(async () =>
        (await api()).updateApplicant(applicant_id, applicantOf(applicant)),
      )
      idIn(data)
    },
    async issueToken({ now }, applicant_id) {
      const { referrer } = settings
      const { data } = await callOnfido(async () =>
        (await api()).generateSdkToken({ applicant_id, referrer }),
      )
      const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
      const sdk_token: unknown = Object(data).token
      if (typeof sdk_token !== 'string') {
        throw new ProviderFailure('Onfido answered without a token')
      }
      return { sdk_token, expires }
    },
    async uploadDocuments(_ctx, applicant_id, documents) {
      if (documents.length > 0) await uploadDocuments(await api(), applicant_id, documents)
    },
    async startCheck(_ctx, { applicant_id, checks, consent_given, reference }) {
      const { data: before } = await callOnfido(async () => (await api()).listChecks(applicant_id))
      const made = listIn(before, 'checks').find(({ tags }) => tags?.includes(reference))
      if (made) return idIn(made)
      const check = {
        applicant_id,
        report_names: checks.map((check) => REPORT_NAMES[check]),
        tags: [reference],
        privacy_notices_read_consent_given: consent_given,
      }
      const started = await callOnfido(async () => (await api()).createCheck(check), UNPROCESSABLE)
      return started && idIn(started.data)
    },
    async fetchReport(_ctx, check_id) {
      const { data: check } = await callOnfido(async () => (await api()).findCheck(check_id))
      idIn(check)
      if (check.status === 'withdrawn') return { result: 'CONSIDER', outcome: 'abandoned' }
      if (check.status !== 'complete') return undefined
      const { data } = await callOnfido(async () => (await api()).listReports(check_id))
      // The client's union of all reports is read by the members that they may share.
      return reportOf(listIn(data, 'reports') as readonly ReportRead[])
    },
    ...(listen && { listen }),
  }
}

/**
 * One document at a time, because each is in memory as a whole. One that Onfido rejects is skipped:
 * the check reports whether documents are missing.
 */
async function uploadDocuments(
  api: DefaultApi,
  applicant_id: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  const { FileTransfer } = await import('@onfido/api')
  const { data: before } = await callOnfido(() => api.listDocuments(applicant_id))
  const known = new Set(listIn(before, 'documents').map(({ file_name }) => file_name))
  for (const document of documents) {
    const accepted = acceptedDocument(document)
    if (!accepted || known.has(accepted.file_name)) continue
    const { type, side, file_name } = accepted
    const file = new FileTransfer(await buffer(document.read()), file_name)
    const stored = await callOnfido(
      () => api.uploadDocument(type, applicant_id, file, undefined, side),
      UNPROCESSABLE,
    )
    if (stored) idIn(stored.data)
  }
}

function applicantOf({ person, consent_given }: ApplicantData) {
  const { first_name, last_name, date_of_birth, email } = person
  return {
    first_name,
    last_name,
    ...(date_of_birth !== null && { dob: date_of_birth }),
    ...(email !== null && { email }),
    consents: [{ name: 'privacy_notices_read' as const, granted: consent_given }],
  }
}
