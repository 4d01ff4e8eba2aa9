import { type Context, transact } from '#kit/context.ts'
import { SELDOM_MS } from '#kit/jobs/sweep.ts'
import type { Slice } from '#kit/slice.ts'
import { ApiError } from '#lib/result.ts'
import { schemeRoutes } from './routes.ts'
import { answer } from './scheme.ts'
import { catchUp, schemeReactions } from './shop.ts'
import { answersDue, listShort, listUnanswered, shortDue, type Unanswered } from './store.ts'

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
        let answered = 0
        for (const one of due) if (await answerUnlessMoved(ctx, one)) answered += 1
        return { more: due.length === PORTION && answered > 0 }
      },
    },
    {
      name: 'chargebacks beside failed refunds',
      every_ms: SELDOM_MS,
      dueTenants: shortDue,
      run: async (ctx) => {
        const short = await listShort(ctx, PORTION)
        for (const id of short) await transact(ctx, (tx) => catchUp(tx, id))
        return { more: false }
      },
    },
  ],
}

/** False if a call of a tester or the clock has moved the dispute since it was listed. */
async function answerUnlessMoved(ctx: Context, one: Unanswered): Promise<boolean> {
  try {
    await answer(ctx, one)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'dispute_move_refused') return false
    throw error
  }
}
