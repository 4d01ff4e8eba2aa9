/** Requests that simulate the embosser and the courier. */

import { Type } from 'typebox'
import { Field, Name, Strict } from '#kit/http/schema.ts'

export const Shipment = Strict({
  delivery_partner: Field('Name of the courier.', Name),
  tracking_number: Type.Optional(Field('Tracking number of the courier.', Name)),
})
