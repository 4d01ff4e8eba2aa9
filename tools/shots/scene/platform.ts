import type { Member } from '../member.ts'
import type { Issued } from './issuing.ts'

/** Webhooks, controls, a bulk issuance, a team and keys. */
export async function setUp({ call }: Member, { ids }: Issued) {
  const { id: webhook } = await call('POST', '/v1/webhooks', {
    endpoint: 'https://hooks.palm.example/bezant',
    events: ['CARD_STATUS_CHANGE', 'TRANSACTION'],
  })
  const day = { type: 'CUMULATIVE', currency: 'AED', max_amount: 3_000, frequency: 20 }
  const { id: limit } = await call('POST', '/v1/velocitylimits', {
    ...day,
    period: 'DAILY',
    description: 'Everyday spending',
  })
  const link = { ids: [limit] }
  await call('POST', `/v1/cardproducts/${ids.product}/velocitylimits:link`, link)
  const betting = { name: 'Betting', allow: false, mccs: ['7995', '7801'] }
  const { id: list } = await call('POST', '/v1/allowedmccs', betting)
  await call('POST', '/v1/allowedcountries', { name: 'Gulf', country_codes: ['AE', 'SA', 'QA'] })
  const bulk = await call('POST', '/v1/bulkissuances', {
    card_product_id: ids.product,
    number_of_cards: 25,
    amount: 50,
    status: 'DRAFT',
  })
  await call('POST', '/portal/v1/keys', { name: 'Ledger export', permissions: ['read'] })
  await call('POST', '/portal/v1/invitations', { email: 'sara@palm.example', role: 'finance' })
  return { webhook, limit, list, bulk: bulk.id }
}

/** A backtest of a lower limit on the day's payments. */
export async function runBacktest({ call }: Member): Promise<string> {
  const { now } = await call('GET', '/v1/simulate/clock')
  const { id } = await call('POST', '/v1/controls:backtest', {
    from: new Date(Date.parse(now) - 86_400_000).toISOString(),
    to: now,
    velocity_limits: [{ type: 'PER_TRANSACTION', currency: 'AED', max_amount: 100 }],
  })
  return id
}
