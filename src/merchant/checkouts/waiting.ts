/** The wait of a merchant's request for the issuer's outcome (D-131). */

import { CommitInDoubt, DatabaseUnavailable } from '#kit/db/database.ts'
import { LinkClosed } from '#merchant/acquirer/acquirer.ts'
import { outcomeUnknown } from './unknown.ts'

/** How long it waits for its outcome, and for earlier work. */
export const WAIT_MS = 30_000
const FIRST_PAUSE_MS = 10
const LONGEST_PAUSE_MS = 500

/** The answer of a pass once it is known. */
export type Known<Result> = { result: Result }

type Waiting<Result> = {
  /** The start, by `performance.now()`. */
  start: number
  /** `begin` notes that the requested operation is under way, by this request or by another. */
  pass: (isAgain: boolean, begin: () => void) => Promise<Known<Result> | undefined>
  /** Thrown if the time ends before anything has begun. */
  notBegun: () => Error
}

/**
 * Passes until one knows the result, with growing pauses. Fails with `outcome_unknown` if something
 * has begun and its outcome is not known within 30 seconds, or as the process ends. A database that
 * is away is waited for only once something has begun.
 */
export async function untilKnown<Result>(waiting: Waiting<Result>): Promise<Result> {
  const { start, pass, notBegun } = waiting
  let begun = false
  const begin = () => {
    begun = true
  }
  let isAgain = false
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      const known = await pass(isAgain, begin)
      if (known) return known.result
    } catch (error) {
      // An unanswered COMMIT may have recorded it: the next pass looks for it.
      begun ||= error instanceof CommitInDoubt
      if (error instanceof LinkClosed) throw outcomeUnknown()
      if (!begun || !(error instanceof DatabaseUnavailable)) throw error
    }
    if (performance.now() - start + pause > WAIT_MS) throw begun ? outcomeUnknown() : notBegun()
    await new Promise((resolve) => setTimeout(resolve, pause))
    isAgain = true
  }
}
