/** Simulated results: the provider's report from a request, the KYC result from a name. */

import type {
  BusinessData,
  KycAnswer,
  KycCase,
  Match,
  Report,
} from '#issuing/verification/provider.ts'
import { toAlpha3 } from '#lib/country.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { SimulatedReport } from './schema.ts'

/** An outcome makes a report CONSIDER; CONSIDER without one is "with caution" (D-23, D-111). */
export function checkSimulated(simulated: SimulatedReport): Result<Report, 'validation_failed'> {
  const { result, outcome, issuing_country } = simulated
  const country = issuing_country === undefined ? undefined : toAlpha3(issuing_country)
  const errors: Fault[] = []
  if (result === undefined && outcome === undefined) {
    errors.push({ path: 'result', message: 'is required, unless there is an outcome' })
  }
  if (result === 'CLEAR' && outcome !== undefined) {
    errors.push({ path: 'outcome', message: 'belongs to a report that is CONSIDER' })
  }
  if (issuing_country !== undefined && country === undefined) {
    errors.push({ path: 'issuing_country', message: 'is not a country of ISO 3166-1' })
  }
  if (errors.length > 0) return fail('validation_failed', { errors })
  const from = country === undefined ? {} : { issuing_country: country }
  if (result === 'CLEAR') return ok({ result: 'CLEAR', ...from })
  return ok({ result: 'CONSIDER', outcome: outcome ?? 'caution', ...from })
}

/**
 * Two last names have a result, two have a match; the operator decides others (D-22). `watched`
 * passes, and is listed when it is checked again.
 */
export function kycAnswerFor(purpose: KycCase['purpose'], person: Named): KycAnswer {
  const name = nameOf(person)
  const isListed = name === 'match' || (name === 'watched' && purpose === 'ONGOING')
  if (isListed) return { result: 'COMPLIANCE', matches: [matchOf(person)] }
  const passes = name === 'pass' || name === 'watched'
  const verdict = name === 'fail' ? 'FAILED' : 'COMPLIANCE'
  return { result: passes ? 'OK' : verdict, matches: [] }
}

/** The business and each of its people whose name is `match`. */
export function matchesOfBusiness(business: BusinessData): Match[] {
  const { directors, signatories, shareholders } = business
  const people = [business, ...directors, ...signatories, ...shareholders]
  return people.filter((one) => nameOf(one) === 'match').map(matchOf)
}

type Named = { id: string; last_name?: string | null; business_legal_name?: string | null }

const writtenName = ({ business_legal_name, last_name }: Named) =>
  business_legal_name ?? last_name ?? ''
const nameOf = (of: Named) => writtenName(of).trim().toLowerCase()

const matchOf = (of: Named): Match => ({
  subject_id: of.id,
  list: 'sandbox_list',
  listed_id: 'SB-1',
  name: writtenName(of).toUpperCase(),
  score: 97,
  reason: 'the name is that of the list’s entry',
})
