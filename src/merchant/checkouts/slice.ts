import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import type { CheckoutHouse } from './checkouts.ts'
import { checkoutPages } from './pages.ts'
import { checkoutRefusals } from './refusals.ts'
import { checkoutRoutes } from './routes.ts'
import { checkoutSweeps } from './sweeps.ts'

type Parts = { house: CheckoutHouse; log: Log }

export const checkoutsSlice = ({ house, log }: Parts): Slice => ({
  name: 'checkouts',
  routes: checkoutRoutes(house),
  refusals: checkoutRefusals,
  sweeps: checkoutSweeps,
  pages: (app, services) => checkoutPages(app, { services, house, log }),
})
