/**
 * Onfido's watchlist reports behind the interface of KYC: an applicant and a check of their own, so
 * that nothing of an identity check depends on them. Onfido answers later as a rule; people
 * judge its matches.
 */

import type { DefaultApi, ReportName } from '@onfido/api'
import {
  type AddressData,
  type KycAnswer,
  type KycCase,
  type KycProvider,
  type PersonData,
  ProviderFailure,
} from '#issuing/verification/provider.ts'
import { isId } from '#lib/id.ts'
import { callOnfido, idIn, listIn, openClient } from './client.ts'
import type { OnfidoSettings } from './settings.ts'
import { fullName, matchesIn, type WatchlistReport } from './watchlist_rules.ts'
import type { Listen } from './webhook.ts'

/** A check is at most five calls, and ends within 30 s. */
const CALL_MS = 5_000
/** Onfido takes no longer line of an address. */
const LINE_LENGTH = 32
const NOT_FOUND = 404

type Settings = OnfidoSettings & { watchlist: NonNullable<OnfidoSettings['watchlist']> }
type Api = () => Promise<DefaultApi>

export function onfidoWatchlists(
  settings: Settings,
  listen?: Listen,
  patience_ms = CALL_MS,
): KycProvider {
  const api = openClient(settings, patience_ms)
  const report_name: ReportName = `watchlist_${settings.watchlist}`
  return {
    name: 'onfido',
    outside: true,
    async decide(_ctx, request) {
      // Onfido has no applicant without a name, and nobody is searched without one.
      if (fullName(request.person) === '') return { result: 'COMPLIANCE', matches: [] }
      const applicant_id = request.kept ?? (await createApplicant(api, request))
      const check_id = await startOnce(api, applicant_id, { ...request, report_name })
      const { data: check } = await callOnfido(async () => (await api()).findCheck(check_id))
      idIn(check)
      if (check.status === 'withdrawn') throw new ProviderFailure('Onfido has withdrawn the check')
      if (check.status !== 'complete') return { result: 'PENDING', matches: [] }
      const { data } = await callOnfido(async () => (await api()).listReports(check_id))
      const reports: readonly WatchlistReport[] = listIn(data, 'reports')
      return answerOf(
        reports.find(({ name }) => name === report_name),
        request.person,
        settings.clear,
      )
    },
    ...(listen && {
      listen: (app, services, done) =>
        listen(app, services, async (to, check_id) => {
          for (const reference of await referencesOf(api, check_id)) await done(to, reference)
        }),
    }),
  }
}

/** The applicant is kept before its check starts: a start whose answer is lost is found by it. */
async function createApplicant(api: Api, { person, consent_given, keep }: KycCase) {
  const { data } = await callOnfido(async () =>
    (await api()).createApplicant(applicantOf(person, consent_given)),
  )
  const id = idIn(data)
  await keep(id)
  return id
}

async function startOnce(
  api: Api,
  applicant_id: string,
  { reference, report_name, consent_given }: KycCase & { report_name: ReportName },
): Promise<string> {
  const { data: before } = await callOnfido(async () => (await api()).listChecks(applicant_id))
  const made = listIn(before, 'checks').find(({ tags }) => tags?.includes(reference))
  if (made) return idIn(made)
  const check = {
    applicant_id,
    report_names: [report_name],
    tags: [reference],
    privacy_notices_read_consent_given: consent_given,
  }
  const { data } = await callOnfido(async () => (await api()).createCheck(check))
  return idIn(data)
}

function answerOf(
  report: WatchlistReport | undefined,
  person: PersonData,
  clear: Settings['clear'],
): KycAnswer {
  if (report?.result === 'clear') return { result: clear, matches: [] }
  if (report?.result === 'consider') {
    return { result: 'COMPLIANCE', matches: matchesIn(report, person) }
  }
  throw new ProviderFailure('Onfido completed the check without a result')
}

/** The checks of this program have their reference as a tag. */
async function referencesOf(api: Api, check_id: string): Promise<string[]> {
  const found = await callOnfido(async () => (await api()).findCheck(check_id), NOT_FOUND)
  const tags: unknown = Object(found?.data).tags
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string' && isId(tag)) : []
}

/** Onfido requires both names: a person of one name has it as both. */
function applicantOf(person: PersonData, consent_given: boolean) {
  const { first_name, middle_name, last_name, date_of_birth, email } = person
  const first = [first_name, middle_name].filter((part) => part?.trim()).join(' ')
  const address = addressOf(person.address)
  return {
    first_name: first || (last_name ?? ''),
    last_name: last_name?.trim() || first,
    ...(date_of_birth !== null && { dob: date_of_birth }),
    ...(email !== null && { email }),
    ...(address && { address }),
    consents: [{ name: 'privacy_notices_read' as const, granted: consent_given }],
  }
}

/** Onfido takes an address with its postcode and country. */
function addressOf(address: AddressData | null) {
  const { address_line1, address_line2, city, state, postal_code, country } = address ?? {}
  if (!postal_code || !country) return undefined
  return {
    postcode: postal_code,
    country: country as 'ARE',
    ...(address_line1 && { line1: address_line1.slice(0, LINE_LENGTH) }),
    ...(address_line2 && { line2: address_line2.slice(0, LINE_LENGTH) }),
    ...(city && { town: city }),
    ...(state && country === 'USA' && { state }),
  }
}
