/** The check of the responder's answer (D-58, D-111, D-470 to D-472). Pure. */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'

const NONE = passed('none')
const UNASKED = passed('not asked')

/**
 * Whether the responder is asked about such a message: a request for money of the account, unless
 * the product of the card skips it (D-514).
 */
export const isAskedAbout = ({ request, kind, product }: Case): boolean =>
  product?.responder !== 'SKIP' &&
  (request.message_type === '0100' || request.message_type === '0200') &&
  kind.direction === 'debit'

export const responder = {
  name: 'responder',
  codes: ['1851', '1852'],
  credits: 'none',
  look: (input: Case): Finding => {
    const { verdict } = input
    if (!verdict) return input.settings.responder ? UNASKED : NONE
    const { ms } = verdict
    if (verdict.kind === 'default') {
      const { action, cause } = verdict
      const detail = `${action} by default: ${cause} after ${ms} ms`
      return action === 'APPROVE' ? passed(detail) : declined('1852', detail)
    }
    const answered = `${verdict.by} after ${ms} ms`
    if (!verdict.approved) return declined('1851', `declined, ${answered}`)
    const { amount } = verdict
    if (amount === undefined) return passed(`approved, ${answered}`)
    const lowered = `approved ${amount} of ${input.request.amount}, ${answered}`
    if (input.product?.partial_approval && input.request.partial_capable) return passed(lowered)
    return declined('1851', `${lowered}, no partial approval`)
  },
} as const
