/** What a write needs is looked for first, so that a refusal names all that is wrong (D-125). */

import { ApiError, type Fault } from '#lib/result.ts'

type Step<Value> = () => Promise<Value>
type Steps<Values extends readonly unknown[]> = { [At in keyof Values]: Step<Values[At]> }

/** What several steps found: their values, and the faults of those that refused. */
export class Gathered<Values extends readonly unknown[]> {
  readonly found: { readonly [At in keyof Values]: Values[At] | undefined }
  readonly faults: readonly Fault[]
  readonly #refusal: ApiError | undefined

  constructor(
    found: Gathered<Values>['found'],
    faults: readonly Fault[],
    otherError: ApiError | undefined,
  ) {
    this.found = found
    this.faults = faults
    this.#refusal = otherError
  }

  /** The values. Refuses with the faults of all steps and `more` ones, then with another refusal. */
  complete(more: readonly Fault[] = []): Values {
    const errors = [...this.faults, ...more]
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    if (this.#refusal) throw this.#refusal
    // Without a refusal every step has its value.
    return this.found as unknown as Values
  }
}

/**
 * Takes steps one after the other, so that a 400 names the faults of all of them (D-125): each step
 * may refuse with `validation_failed`, or with another refusal, of which the first one counts.
 */
export async function gather<Values extends readonly unknown[]>(
  ...steps: Steps<Values>
): Promise<Gathered<Values>> {
  const found: unknown[] = []
  const faults: Fault[] = []
  let other: ApiError | undefined
  for (const step of steps as readonly Step<unknown>[]) {
    try {
      found.push(await step())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'validation_failed') faults.push(...(error.errors ?? []))
      else other ??= error
      found.push(undefined)
    }
  }
  return new Gathered<Values>(found as unknown as Gathered<Values>['found'], faults, other)
}
