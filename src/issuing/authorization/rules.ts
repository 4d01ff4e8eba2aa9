/** Rules of the engine for those that decide stored messages again (D-483). Pure. */

export { requestedOf } from './decide/asked.ts'
export type { CardEvidence, Lists } from './decide/checks/evidence.ts'
export { isDebit } from './decide/kinds.ts'
export { type Proposed, type Redecision, redecide, redecideIncrement } from './decide/redecide.ts'
export { Counters, countedOf } from './decide/state/counters.ts'
