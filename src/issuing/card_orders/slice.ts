import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import { fetchingAnswers } from './answers/fetching.ts'
import { collecting } from './collect.ts'
import type { Bureau } from './provider.ts'
import { cardOrderRoutes } from './routes.ts'
import { handingOver } from './send.ts'
import { ordersBacklog } from './store.ts'

/** Without a bureau no card is ordered: it stays CREATED (D-1020). */
export function cardOrdersSlice({ bureau, log }: { bureau?: Bureau; log: Log }): Slice {
  return {
    name: 'card orders',
    routes: cardOrderRoutes(bureau),
    backlogs: [ordersBacklog],
    sweeps: bureau
      ? [
          collecting(bureau),
          handingOver({ bureau, log }),
          ...(bureau.outside ? [fetchingAnswers({ bureau, log })] : []),
        ]
      : [],
  }
}
