/** Errors that end a scenario. */

import { Fault } from '../../kit/faults.ts'
import type { Path } from '../../kit/values.ts'

/** A step cannot be done, or what it expects is not there. `path` is that of a member of it. */
export class StepFault extends Fault {
  readonly path: Path

  constructor(path: Path, message: string) {
    super(message)
    this.path = path
  }
}
