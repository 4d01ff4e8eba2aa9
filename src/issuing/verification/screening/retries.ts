/** When a provider that has not answered is asked again (D-1171). */

import { doubledWait } from '#lib/time.ts'
import { ProviderFailure } from '../provider.ts'

const MINUTE = 60_000
/** The longest wait between two calls that fail. */
const LAST_MS = 60 * MINUTE
const FAILURE_LENGTH = 200

/** A minute, doubled with each further call that failed, up to an hour. */
export const waitAfter = (failed: number): number => doubledWait(failed, MINUTE, LAST_MS)

/** One line for people. The text of another error may contain anything. */
export const failureOf = (error: unknown): string =>
  error instanceof ProviderFailure
    ? error.message.slice(0, FAILURE_LENGTH)
    : 'the check could not be made'
