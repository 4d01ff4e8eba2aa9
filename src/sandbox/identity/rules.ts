/** Simulated results: the provider's report from a request, the KYC result from a name. */

import type { KycAnswer, Report } from '#issuing/verification/provider.ts'
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

/** Two last names have a result; the operator decides others (D-22). */
export function kycAnswerFor(last_name: string): KycAnswer {
  const name = last_name.trim().toLowerCase()
  if (name === 'pass') return 'OK'
  return name === 'fail' ? 'FAILED' : 'COMPLIANCE'
}
