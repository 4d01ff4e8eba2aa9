/** Records what this process alone knows, also if the database is away for a while. */

import { DatabaseUnavailable } from '#kit/db/database.ts'

const PAUSE_MS = 200

/**
 * Records an outcome that this process has received: tried again while the database is
 * unavailable, until `end` (of performance.now()). `work` checks what an unanswered COMMIT stored.
 */
export async function insist<Result>(end: number, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const passes = error instanceof DatabaseUnavailable && performance.now() + PAUSE_MS < end
      if (!passes) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
