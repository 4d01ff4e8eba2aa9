import type { Slice } from '#kit/slice.ts'
import { transactionEvents } from './events.ts'
import { transactionRoutes } from './routes.ts'

export const transactionsSlice: Slice = {
  name: 'transactions',
  routes: transactionRoutes,
  events: transactionEvents,
}
