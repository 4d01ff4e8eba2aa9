/** The check of places where cash may be withdrawn (D-44). */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'

/** Cash over the counter of a bank, and at a machine. */
const CASH_MCCS: ReadonlySet<string> = new Set(['6010', '6011'])
const WITHDRAWALS: ReadonlySet<string> = new Set(['WITHDRAWAL', 'CASH_DISBURSEMENT'])

const NO_WITHDRAWAL = passed('no withdrawal')
const PERMITTED = passed('permitted')

/** A withdrawal without an MCC passes: only simulations leave it out (D-424). */
export const cashTerminal = {
  name: 'cash terminal',
  codes: ['1020'],
  credits: 'none',
  look: ({ request, kind }: Case): Finding => {
    if (!WITHDRAWALS.has(kind.type)) return NO_WITHDRAWAL
    const { mcc } = request.merchant
    if (mcc === undefined || CASH_MCCS.has(mcc)) return PERMITTED
    return declined('1020', `MCC ${mcc}`)
  },
} as const
