/** A violated invariant that an audit of the database has found; `npm run doctor` prints them. */
export type Finding = {
  /** The invariant, by its number in the list of those that must hold after every fault. */
  invariant: 'I1' | 'I2' | 'I4' | 'I6' | 'I7'
  tenant_id: string
  /** What it is about: `account 0192…`, `order 0192…`. */
  subject: string
  detail: string
}

/** The most findings of one kind. */
export const FINDINGS_MAX = 100
