/** Rules of the engine for those that decide stored messages again (D-483). Pure. */

export { isDebit, kindOf } from './decide/kinds.ts'
export { type Proposed, type Redecision, redecide, redecideIncrement } from './decide/redecide.ts'
export type { HeldCard, Lists } from './decide/rows.ts'
export { Counters, countedOf } from './decide/state/counters.ts'
export { requestedOf } from './decide/stored_request.ts'
