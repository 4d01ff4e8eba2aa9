/** Stop orders: recurring payments of a merchant that the cardholder has ended (D-111). */

import type { AuthorizationRequest } from '../../schema.ts'
import { kindOf } from '../kinds.ts'
import type { Evidence } from './evidence.ts'
import { declined, type Finding, passed } from './findings.ts'

const NOT_RECURRING = passed('not recurring')
const NONE = passed('none')

/** The merchant of a payment that a stop order may be about. */
export function stoppableMerchant(request: AuthorizationRequest): string | undefined {
  const isStoppable = request.recurring && kindOf(request).direction === 'debit'
  return isStoppable ? request.merchant.id : undefined
}

export const stopOrders = {
  name: 'stop orders',
  codes: ['1895'],
  credits: 'none',
  look: ({ request, stopped }: Evidence): Finding => {
    const merchant_id = stoppableMerchant(request)
    if (merchant_id === undefined) return NOT_RECURRING
    return stopped ? declined('1895', `stop order for ${merchant_id}`) : NONE
  },
} as const
