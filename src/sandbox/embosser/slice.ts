import type { Sending } from '#issuing/card_orders/card_orders.ts'
import type { Slice } from '#kit/slice.ts'
import { embosserRoutes } from './routes.ts'

export const simulatedEmbosserSlice = (sending: Sending): Slice => ({
  name: 'simulated embosser',
  routes: embosserRoutes(sending),
})
