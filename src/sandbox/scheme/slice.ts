import { SELDOM_MS } from '#kit/jobs/sweep.ts'
import type { Slice } from '#kit/slice.ts'
import { schemeRoutes } from './routes.ts'
import { answer } from './scheme.ts'
import { schemeReactions } from './shop.ts'
import { answersDue, listUnanswered } from './store.ts'

/** Disputes of one turn, each in a transaction of its own. */
const PORTION = 20

export const simulatedSchemeSlice: Slice = {
  name: 'simulated scheme',
  routes: schemeRoutes,
  reactions: schemeReactions,
  sweeps: [
    {
      name: 'answers of the simulated scheme',
      every_ms: SELDOM_MS,
      dueTenants: answersDue,
      run: async (ctx) => {
        const due = await listUnanswered(ctx, PORTION)
        for (const one of due) await answer(ctx, one)
        return { more: due.length === PORTION }
      },
    },
  ],
}
