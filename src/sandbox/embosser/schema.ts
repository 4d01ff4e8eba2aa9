/** What the embosser and the courier of the sandbox tell. */

import { Type } from 'typebox'
import { Name, Strict } from '#kit/schema.ts'

export const Shipment = Strict({ delivery_partner: Name, tracking_number: Type.Optional(Name) })
