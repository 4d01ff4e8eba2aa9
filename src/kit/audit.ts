/** A broken promise that an audit of the database has found; `npm run doctor` prints them. */
export type Finding = {
  /** The invariant, by its number in the list of those that must hold after every fault. */
  invariant: 'I1' | 'I2' | 'I4' | 'I6'
  tenant_id: string
  /** What it is about: `account 0192…`, `order 0192…`. */
  subject: string
  detail: string
}

/** More findings than this of one kind say nothing new. */
export const FINDINGS_MAX = 100
