import type { Services } from '#kit/callers.ts'
import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import type { CheckoutHouse } from './checkouts.ts'
import { checkoutPages } from './pages.ts'
import { checkoutRoutes } from './routes.ts'
import { checkoutSweeps } from './sweeps.ts'

type Parts = { services: Services; house: CheckoutHouse; log: Log }

export const checkoutsSlice = ({ services, house, log }: Parts): Slice => ({
  name: 'checkouts',
  routes: checkoutRoutes(house),
  sweeps: checkoutSweeps,
  pages: (app) => checkoutPages(app, { services, house, log }),
})
