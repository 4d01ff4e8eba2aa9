import type { Slice } from '#kit/slice.ts'
import type { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import { orderErrors } from './errors.ts'
import { orderEvents } from './events.ts'
import { orderRoutes } from './routes.ts'
import { orderSweeps } from './sweeps.ts'

export const ordersSlice = (link: IssuerLink): Slice => ({
  name: 'orders',
  routes: orderRoutes(link),
  errors: orderErrors,
  events: orderEvents,
  sweeps: orderSweeps(link),
})
