/** The API schemas of stop orders (D-111). */

import { type Static, Type } from 'typebox'
import { MerchantId } from '#issuing/lists/schema.ts'
import { Field, Instant, ListQuery, Strict, Uuid } from '#kit/http/schema.ts'

export const NewStopOrder = Strict({
  id: Type.Optional(Field('Id of the stop order; generated when left out.', Uuid)),
  merchant_id: MerchantId,
})
export type NewStopOrder = Static<typeof NewStopOrder>

export const StopOrder = Type.Object(
  {
    id: Field('Id of the stop order.', Uuid),
    card_id: Field('Id of the card that the order was made for.', Uuid),
    merchant_id: MerchantId,
    created: Field('Time at which the stop order was made.', Instant),
  },
  { title: 'StopOrder' },
)

export const StopOrderQuery = ListQuery({})
export type StopOrderQuery = Static<typeof StopOrderQuery>

export const StopOrderPath = Strict({
  id: Field('Id of the card.', Uuid),
  stop_order_id: Field('Id of the stop order.', Uuid),
})
