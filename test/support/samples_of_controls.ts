/** A request for every operation of lists, stop orders and limits. */

import { randomUUID } from 'node:crypto'
import { bodyOf, none, of, type SampleOf, type Samples } from './sample.ts'

const ofStopOrder: SampleOf = ({ ids }) => ({
  params: { id: ids.card, stop_order_id: ids.stop_order },
})

export const ofControls: Samples = {
  'POST /v1/allowedcountries': bodyOf(() => ({
    id: randomUUID(),
    name: 'Gulf',
    country_codes: ['AE', 'SAU', '048'],
  })),
  'GET /v1/allowedcountries': none,
  'GET /v1/allowedcountries/{id}': of('country_list'),
  'PUT /v1/allowedcountries/{id}': of('country_list', { country_codes: ['OM'] }),
  'POST /v1/allowedmccs': bodyOf(() => ({ id: randomUUID(), name: 'Food', mccs: ['5411'] })),
  'GET /v1/allowedmccs': none,
  'GET /v1/allowedmccs/{id}': of('mcc_list'),
  'PUT /v1/allowedmccs/{id}': of('mcc_list', { allow: false }),
  'POST /v1/allowedmerchants': bodyOf(() => ({
    id: randomUUID(),
    name: 'Suppliers',
    merchants: [{ merchant_id: 'SHOP1', allow: true }],
  })),
  'GET /v1/allowedmerchants': none,
  'GET /v1/allowedmerchants/{id}': of('merchant_list'),
  'PUT /v1/allowedmerchants/{id}': of('merchant_list', { active: false }),

  'POST /v1/cards/{id}/stoporders': ({ ids }) => ({
    params: { id: ids.card },
    body: { id: randomUUID(), merchant_id: randomUUID().slice(0, 13) },
  }),
  'GET /v1/cards/{id}/stoporders': of('card'),
  'GET /v1/cards/{id}/stoporders/{stop_order_id}': ofStopOrder,
  'DELETE /v1/cards/{id}/stoporders/{stop_order_id}': ofStopOrder,
}
