/** Rates of exchange. */

import type { Story } from './story.ts'

/** Sets rates of the tenant; no payment of the story needs them. */
export async function setRates({ call }: Story, tenant_id: string): Promise<void> {
  const rates = [
    { from: 'USD', to: 'AED', rate: '3.6725' },
    { from: 'EUR', to: 'AED', rate: '4.01' },
  ]
  await call('setRates', { body: { tenant_id, rates } })
  await call('listRates', { query: { tenant_id, limit: 1 } })
}
