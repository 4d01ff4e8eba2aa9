/** What ends a scenario. */

import type { Path } from '../file/compare.ts'

/** A step cannot be done, or what it expects is not there. `path` is that of a member of it. */
export class StepFault extends Error {
  readonly path: Path

  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}
