/** The rules of backtests (D-482 to D-484). Pure. */

export { type Left, replayPortion } from './rules/order.ts'
export {
  countsFrom,
  levelOf,
  type Owner,
  type Plan,
  readPlan,
  type StoredPlan,
  storedTerms,
  withProposed,
} from './rules/proposed.ts'
export { type Open, Replay, type ReplayCard } from './rules/replay.ts'
export { noSums, type Sums } from './rules/sums.ts'
