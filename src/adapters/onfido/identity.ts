/**
 * Onfido behind the interface of a provider, by its official client (API v3.6, checks). Its reports
 * use the terms of the specification: clear, consider; caution, suspected, rejected.
 */

import { buffer } from 'node:stream/consumers'
import type { DefaultApi, WebhookEventVerifier } from '@onfido/api'
import type { StoredDocument } from '#issuing/identifications/identifications.ts'
import {
  type ApplicantData,
  type IdentityProvider,
  ProviderFailure,
  TOKEN_MINUTES,
} from '#issuing/verification/provider.ts'
import type { App } from '#kit/http/app.ts'
import type { Secret } from '#lib/secret.ts'
import {
  acceptedDocument,
  DOCUMENT_BYTES_MAX,
  REPORT_NAMES,
  type ReportRead,
  reportOf,
} from './rules.ts'
import type { OnfidoSettings } from './settings.ts'

const CALL_MS = 10_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** A document and the form around it. */
const REQUEST_BYTES_MAX = DOCUMENT_BYTES_MAX + 64 * 1024
const WEBHOOK_BYTES_MAX = 64 * 1024
/** The answer when the applicant has no document that could be checked. */
const UNPROCESSABLE = 422

export function onfidoIdentity(settings: OnfidoSettings): IdentityProvider {
  let made: Promise<DefaultApi> | undefined
  // The client is large: only a deployment that uses it loads it.
  const api = () => {
    made ??= clientOf(settings)
    return made
  }
  return {
    name: 'onfido',
    outside: true,
    async createApplicant(_ctx, applicant) {
      const { data } = await callOnfido(async () =>
        (await api()).createApplicant(applicantOf(applicant)),
      )
      return data.id
    },
    async updateApplicant(_ctx, applicant_id, applicant) {
      await callOnfido(async () =>
        (await api()).updateApplicant(applicant_id, applicantOf(applicant)),
      )
    },
    async issueToken({ now }, applicant_id) {
      const { referrer } = settings
      const { data } = await callOnfido(async () =>
        (await api()).generateSdkToken({ applicant_id, referrer }),
      )
      const expires = new Date(now.getTime() + TOKEN_MINUTES * 60_000)
      if (data.token === undefined) throw new ProviderFailure('Onfido answered without a token')
      return { sdk_token: data.token, expires }
    },
    async uploadDocuments(_ctx, applicant_id, documents) {
      if (documents.length > 0) await uploadDocuments(await api(), applicant_id, documents)
    },
    async startCheck(_ctx, { applicant_id, checks, consent_given, reference }) {
      const { data: before } = await callOnfido(async () => (await api()).listChecks(applicant_id))
      const made = before.checks.find(({ tags }) => tags?.includes(reference))
      if (made) return made.id
      const check = {
        applicant_id,
        report_names: checks.map((check) => REPORT_NAMES[check]),
        tags: [reference],
        privacy_notices_read_consent_given: consent_given,
      }
      const started = await callOnfido(async () => (await api()).createCheck(check), UNPROCESSABLE)
      return started?.data.id
    },
    async fetchReport(_ctx, check_id) {
      const { data: check } = await callOnfido(async () => (await api()).findCheck(check_id))
      if (check.status === 'withdrawn') return { result: 'CONSIDER', outcome: 'abandoned' }
      if (check.status !== 'complete') return undefined
      const { data } = await callOnfido(async () => (await api()).listReports(check_id))
      // The client's union of all reports is read by the members that they may share.
      return reportOf(data.reports as readonly ReportRead[])
    },
    ...(settings.webhook_token && { listen: listener(settings.webhook_token) }),
  }
}

async function clientOf({ api_token, region, base_url }: OnfidoSettings): Promise<DefaultApi> {
  const { Configuration, DefaultApi, Region } = await import('@onfido/api')
  const baseOptions = {
    timeout: CALL_MS,
    maxRedirects: 0,
    maxContentLength: ANSWER_BYTES_MAX,
    maxBodyLength: REQUEST_BYTES_MAX,
    proxy: false,
  }
  return new DefaultApi(
    new Configuration({
      apiToken: api_token.reveal(),
      region: Region[region],
      ...(base_url !== undefined && { basePath: base_url }),
      baseOptions,
    }),
  )
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
  const known = new Set(before.documents.map(({ file_name }) => file_name))
  for (const document of documents) {
    const accepted = acceptedDocument(document)
    if (!accepted || known.has(accepted.file_name)) continue
    const { type, side, file_name } = accepted
    const file = new FileTransfer(await buffer(document.read()), file_name)
    await callOnfido(
      () => api.uploadDocument(type, applicant_id, file, undefined, side),
      UNPROCESSABLE,
    )
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

/**
 * Calls the client; its errors carry the API token in their headers, so they end here. Undefined
 * for the one status that the caller expects.
 */
async function callOnfido<Answer>(call: () => Promise<Answer>): Promise<Answer>
async function callOnfido<Answer>(
  call: () => Promise<Answer>,
  expected: number,
): Promise<Answer | undefined>
async function callOnfido<Answer>(
  call: () => Promise<Answer>,
  expected?: number,
): Promise<Answer | undefined> {
  try {
    return await call()
  } catch (error) {
    const { response, code } = Object(error)
    const status: unknown = Object(response).status
    if (typeof status !== 'number') throw new ProviderFailure(`Onfido did not answer: ${code}`)
    if (status === expected) return undefined
    throw new ProviderFailure(`Onfido answered ${status}`)
  }
}

/** Onfido notifies that a check is done; its report is fetched, so that only the API is trusted. */
function listener(webhook_token: Secret): NonNullable<IdentityProvider['listen']> {
  return (app: App, services, done) => {
    void app.register(async (scope) => {
      const { WebhookEventVerifier } = await import('@onfido/api')
      const verifier = new WebhookEventVerifier(webhook_token.reveal())
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES_MAX },
        async (_request: unknown, bytes: Buffer) => bytes,
      )
      scope.post('/identity/onfido/webhook', async (request, reply) => {
        const check_id = checkReported(verifier, request.body, request.headers['x-sha2-signature'])
        if (check_id === undefined) return reply.code(403).send()
        if (check_id !== null) await done(services, check_id)
        return reply.code(200).send()
      })
    })
  }
}

/**
 * The check that an event is about; null for other events, undefined if the body is not Onfido's.
 */
function checkReported(
  verifier: WebhookEventVerifier,
  body: unknown,
  signature: unknown,
): string | null | undefined {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') return undefined
  if (!/^[0-9a-f]{64}$/i.test(signature)) return undefined
  try {
    const { payload } = verifier.readPayload(body.toString('utf8'), signature)
    if (payload?.resource_type !== 'check') return null
    return payload.object?.id ?? null
  } catch {
    return undefined
  }
}
