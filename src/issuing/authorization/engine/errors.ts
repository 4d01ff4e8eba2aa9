/** Why a message got no decision, and how long it may wait for one. */

import { isAdvice } from '#iso8583/mti.ts'
import { CommitInDoubt, DatabaseUnavailable } from '#kit/db/database.ts'
import { hasCode } from '#kit/start_error.ts'
import { InvariantViolated } from '../decide/state/invariants.ts'
import type { Undecided } from '../metrics.ts'
import type { Pending } from './pending.ts'

export const defaultLimits = {
  /**
   * How many messages have to wait for a batch to follow none, one and two batches that are not
   * answered yet: a batch has a price of its own, and the next one answers a few messages sooner.
   */
  following: [0, 16, 64] as readonly number[],
  /** A request is not answered so long after it came: its sender has given up, milliseconds. */
  answer_ms: 4_500,
  /** An advice waits so long for an account that another session has locked. */
  advice_ms: 30_000,
  /** `drain` waits no longer. */
  drain_ms: 10_000,
}
export type EngineLimits = typeof defaultLimits

/** More requests wait than can be answered in time. Nothing was committed. */
export class EngineOverloaded extends Error {
  override name = 'EngineOverloaded'
}

/** The account stayed locked by another session for too long. Nothing was committed. */
export class AccountBusy extends EngineOverloaded {
  override name = 'AccountBusy'
}

/**
 * Whether the request took effect could not be found out in time. The network gets no answer: an
 * approval that turns out to be committed is reversed (D-301). Over HTTP it is a 503 like any
 * outage.
 */
export class OutcomeUnknown extends CommitInDoubt {
  override name = 'OutcomeUnknown'
}

/** It was decided and committed, but so late that its sender no longer waits (D-300). */
export class DecidedTooLate extends OutcomeUnknown {
  override name = 'DecidedTooLate'
}

/** An advice of the network waits until its outcome is known; a call by HTTP does not. */
export const waitsLong = ({ request: { message_type, duplicate_key } }: Pending): boolean =>
  isAdvice(message_type) && duplicate_key !== undefined

/**
 * Whether a request came so long ago that its sender no longer waits: it is not answered (D-300).
 * Milliseconds of the monotonic clock; an advice is answered whenever its outcome is known.
 */
export const isTooLate = (
  pending: Pending,
  { answer_ms }: Pick<EngineLimits, 'answer_ms'>,
): boolean => !waitsLong(pending) && performance.now() - pending.received > answer_ms

/** How long a message waits for an account that stays locked, beside the time of the responder. */
export const patience = (pending: Pending, { advice_ms, answer_ms }: EngineLimits): number =>
  (waitsLong(pending) ? advice_ms : answer_ms) + (pending.verdict?.ms ?? 0)

/** The word of the metrics for it. */
export function undecidedOf(error: unknown): Undecided {
  if (error instanceof DecidedTooLate) return 'late'
  if (error instanceof OutcomeUnknown) return 'unknown'
  if (error instanceof AccountBusy) return 'locked'
  if (error instanceof EngineOverloaded) return 'overloaded'
  if (error instanceof InvariantViolated) return 'invariant'
  return error instanceof DatabaseUnavailable ? 'database' : 'fault'
}

const UNIQUE_VIOLATION = '23505'

/** Another process has made a row of the same key, such as that of the same message. */
export const isTaken = (error: unknown): boolean => hasCode(error, UNIQUE_VIOLATION)
