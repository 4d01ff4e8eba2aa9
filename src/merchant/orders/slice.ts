import type { Slice } from '#kit/slice.ts'
import { type IssuerLink, sweepsByIssuer } from '#merchant/acquirer/acquirer.ts'
import { orderErrors } from './errors.ts'
import { orderEvents } from './events.ts'
import { orderRoutes } from './routes.ts'
import { operationBacklog } from './store.ts'
import { deadlineSweep, operationSweep } from './sweeps.ts'

export function ordersSlice(link: IssuerLink): Slice {
  const operations = sweepsByIssuer(link, (issuer) => operationSweep(link, issuer))
  return {
    name: 'orders',
    routes: orderRoutes(link),
    errors: orderErrors,
    events: orderEvents,
    backlogs: [operationBacklog],
    sweeps: [deadlineSweep(link), ...operations.sweeps],
    grow: operations.grow,
  }
}
