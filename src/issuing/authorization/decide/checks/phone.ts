/** One-time passwords of 3-D Secure go to the cardholder's mobile (D-44, D-117). */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'

const NOT_ASKED = passed('not asked')

export const phone = {
  name: 'cardholder phone',
  codes: ['1893'],
  credits: 'none',
  look: ({ request, kind, product, holder }: Case): Finding => {
    const is3ds = request.three_ds !== 'NONE' && kind.direction === 'debit'
    if (!product?.otp_3ds || !is3ds) return NOT_ASKED
    const level = request.three_ds.toLowerCase()
    return holder?.has_mobile
      ? passed(`${level}, mobile present`)
      : declined('1893', `${level}, no mobile for the password`)
  },
} as const
