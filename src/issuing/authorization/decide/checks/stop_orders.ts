/** Stop orders: recurring payments of a merchant that the cardholder has ended (D-111). */

import type { Case } from '../case.ts'
import { declined, type Finding, passed } from './findings.ts'

const NOT_RECURRING = passed('not recurring')
const NONE = passed('none')

type Message = Pick<Case, 'request' | 'kind'>
export type CardPayment = { card_id: string; merchant_id: string }

export const nameOfPayment = ({ card_id, merchant_id }: CardPayment) => `${card_id}|${merchant_id}`

/** The merchant of a payment that a stop order may be about. */
export function stoppableMerchant({ request, kind }: Message): string | undefined {
  const isStoppable = request.recurring && kind.direction === 'debit'
  return isStoppable ? request.merchant.id : undefined
}

export const stopOrders = {
  name: 'stop orders',
  codes: ['1895'],
  credits: 'none',
  look: (input: Case): Finding => {
    const merchant_id = stoppableMerchant(input)
    if (merchant_id === undefined) return NOT_RECURRING
    return input.stopped ? declined('1895', `stop order for ${merchant_id}`) : NONE
  },
} as const
