/** Lists of countries, MCCs and merchants, and a stop order. */

import type { Cards } from './cards.ts'
import type { Story } from './story.ts'

/** Limits the places at which the card may pay; afterwards it may pay everywhere again. */
export async function limitPlaces({ call, prepare }: Story, { card }: Cards): Promise<void> {
  const gulf = { name: 'Gulf', country_codes: ['AE', 'SA', 'OM'] }
  const countries = await call('createAllowedCountryList', { body: gulf })
  await call('listAllowedCountryLists', { query: { limit: 1 } })
  await call('getAllowedCountryList', { params: { id: countries.id } })
  const fewer = { country_codes: ['ARE', 'OMN'] }
  await call('updateAllowedCountryList', { params: { id: countries.id }, body: fewer })
  await call('getAllowedCountryListShadow', { params: { id: countries.id } })

  const betting = { name: 'Betting', allow: false, mccs: ['7995', '7801'] }
  const mccs = await call('createAllowedMccList', { body: betting })
  await call('listAllowedMccLists', { query: { limit: 1 } })
  await call('getAllowedMccList', { params: { id: mccs.id } })
  await call('updateAllowedMccList', { params: { id: mccs.id }, body: { mode: 'SHADOW' } })
  await call('getAllowedMccListShadow', { params: { id: mccs.id } })

  const suppliers = [{ merchant_id: 'PALMBOOKS', allow: true }]
  const body = { name: 'Suppliers', merchants: suppliers }
  const merchants = await call('createAllowedMerchantList', { body })
  await call('listAllowedMerchantLists', { query: { limit: 1 } })
  await call('getAllowedMerchantList', { params: { id: merchants.id } })
  await call('updateAllowedMerchantList', {
    params: { id: merchants.id },
    body: { active: false },
  })
  await call('getAllowedMerchantListShadow', { params: { id: merchants.id } })

  const params = { id: card.id }
  const named = { allowed_countries_id: countries.id, allowed_mccs_id: mccs.id }
  await prepare('updateCardAuthSettings', { params, body: named })
  const none = { allowed_countries_id: null, allowed_mccs_id: null }
  await prepare('updateCardAuthSettings', { params, body: none })

  const order = await call('createStopOrder', { params, body: { merchant_id: 'GYM00001' } })
  const ofOrder = { params: { ...params, stop_order_id: order.id } }
  await call('listStopOrders', { params, query: { limit: 1 } })
  await call('getStopOrder', ofOrder)
  await call('deleteStopOrder', ofOrder)
}
