import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import type { PaymentServices } from './checkouts.ts'
import { checkoutErrors } from './errors.ts'
import { checkoutPages } from './pages.ts'
import { checkoutRoutes } from './routes.ts'
import { checkoutSweeps } from './sweeps.ts'

type Parts = { api: PaymentServices; log: Log }

export const checkoutsSlice = ({ api, log }: Parts): Slice => ({
  name: 'checkouts',
  routes: checkoutRoutes(api),
  errors: checkoutErrors,
  sweeps: checkoutSweeps,
  pages: (app, services) => checkoutPages(app, { services, api, log }),
})
