/** The service code of a magnetic stripe (1848, D-466). */

import type { Case } from '../case.ts'
import { isStripe } from './entry_modes.ts'
import { declined, type Finding, passed } from './findings.ts'
import { NOT_OF_A_STRIPE } from './proofs.ts'

/**
 * The three digits of ISO/IEC 7813 are the area of use, the party that authorizes, and the
 * services.
 */
const WELL_FORMED = /^[125679][024][0-7]$/

/**
 * The service codes of CVV2 and iCVV are a wrong try, declined with the CVV (D-119), and so is a
 * missing track. A chip's value is always computed with 999, whatever service code its track
 * contains (D-320).
 */
export function serviceCode({ request }: Case): Finding {
  const code = request.track_cvv?.service_code ?? ''
  if (code === '' || !isStripe(request)) return passed('not read')
  if (NOT_OF_A_STRIPE.has(code) || WELL_FORMED.test(code)) return passed(code)
  return declined('1848', code)
}
