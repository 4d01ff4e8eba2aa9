/** Sample values of the parts. */

import type { Check } from '../../api/types.ts'

export const PROBLEM = {
  code: 'funds_insufficient',
  detail: 'The program funding does not cover the amount.',
  request_id: '019aba2f-3c1e-7d42-9b7a-52d1c4f0a9be',
  errors: [{ path: '/amount', message: 'must be at most 10000.00' }],
}

export type Sample = {
  id: string
  merchant: string
  status: string
  at: string
  amount: number
  currency: string
}

const AT = '2026-11-25T08:30:00.000Z'

export const SAMPLES: readonly Sample[] = [
  ['1', 'Palm Books', 'SETTLED', 45.5, 'AED'],
  ['2', 'Kyoto Rail', 'PENDING', 12800, 'JPY'],
  ['3', 'Gulf Fuel', 'DECLINED', 4.125, 'KWD'],
].map(([id, merchant, status, amount, currency]) => ({
  id: String(id),
  merchant: String(merchant),
  status: String(status),
  at: AT,
  amount: Number(amount),
  currency: String(currency),
}))

export const CHECKS: readonly Check[] = [
  { check: 'card_status', verdict: 'passed', decisive: false },
  { check: 'velocity_limits', verdict: 'would_refuse', status_code: '1897', decisive: false },
  {
    check: 'balance',
    verdict: 'refused',
    status_code: '1806',
    detail: 'AED 9.99 available',
    decisive: true,
  },
  { check: 'responder', verdict: 'skipped', decisive: false },
]
