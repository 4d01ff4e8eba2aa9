/** What came of asking; `ms` is the time that it took. */
export type Verdict = { ms: number } & (
  | {
      kind: 'answered'
      /** Where the answer came from: `HTTP 200` or `listener`. */
      by: string
      approved: boolean
      /** Minor units of the message's currency, where it approves less than all. */
      amount?: bigint
    }
  /** No valid answer: the action of the tenant's settings, and why. */
  | { kind: 'default'; action: 'APPROVE' | 'DECLINE'; cause: string }
)
