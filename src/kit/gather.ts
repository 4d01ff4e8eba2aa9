/** Collects the inputs of a write first, so that one error names every fault (D-125). */

import { ApiError, type Fault } from '#lib/result.ts'

type Step<Value> = () => Promise<Value>
type Steps<Values extends readonly unknown[]> = { [At in keyof Values]: Step<Values[At]> }

/** The results of several steps: their values, and the faults of those that failed. */
export class Gathered<Values extends readonly unknown[]> {
  readonly found: { readonly [At in keyof Values]: Values[At] | undefined }
  readonly faults: readonly Fault[]
  readonly #otherError: unknown

  constructor(found: Gathered<Values>['found'], faults: readonly Fault[], otherError: unknown) {
    this.found = found
    this.faults = faults
    this.#otherError = otherError
  }

  /** The values. Fails with the faults of all steps and `more`, else with the other error. */
  complete(more: readonly Fault[] = []): Values {
    const errors = [...this.faults, ...more]
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    if (this.#otherError !== undefined) throw this.#otherError
    // Without an error every step has its value.
    return this.found as unknown as Values
  }
}

/**
 * Starts all steps, so that a 400 names the faults of all of them (D-125) and their statements are
 * sent together, in the order of the steps. Each step may fail with `validation_failed`, or with
 * another error, of which the first one counts. Faults come before any other error: a step may fail
 * since the body is rehearsed without its faulty members (D-1000).
 */
export async function gather<Values extends readonly unknown[]>(
  ...steps: Steps<Values>
): Promise<Gathered<Values>> {
  const started = (steps as readonly Step<unknown>[]).map((step) => step())
  return gatheredOf<Values>(await Promise.allSettled(started))
}

type SyncSteps<Values extends readonly unknown[]> = { [At in keyof Values]: () => Values[At] }

/** The same for steps that wait for nothing. */
export function gatherSync<Values extends readonly unknown[]>(
  ...steps: SyncSteps<Values>
): Gathered<Values> {
  return gatheredOf<Values>((steps as readonly (() => unknown)[]).map(settle))
}

function settle(step: () => unknown): PromiseSettledResult<unknown> {
  try {
    return { status: 'fulfilled', value: step() }
  } catch (reason) {
    return { status: 'rejected', reason }
  }
}

function gatheredOf<Values extends readonly unknown[]>(
  results: readonly PromiseSettledResult<unknown>[],
): Gathered<Values> {
  const found: unknown[] = []
  const faults: Fault[] = []
  let other: unknown
  for (const result of results) {
    found.push(result.status === 'fulfilled' ? result.value : undefined)
    if (result.status === 'fulfilled') continue
    const error: unknown = result.reason
    const isFault = error instanceof ApiError && error.code === 'validation_failed'
    if (isFault) faults.push(...(error.errors ?? []))
    else other ??= error
  }
  return new Gathered<Values>(found as unknown as Gathered<Values>['found'], faults, other)
}
