/** The shape of all commands: a message is read whole first, and then carried out. */

import type { ErrorName } from './errors.ts'
import type { Ending, Fields } from './fields.ts'
import type { Lmk } from './lmk.ts'

/** The fields of the answer behind the error code; `done` unless a code is named. */
export type Answer = string | Buffer | { code: ErrorName; fields: string }

export type Prepared = { ending: Ending; run: (lmk: Lmk) => Answer }

export type Command = (fields: Fields) => Prepared
