/** The responder's verdict; `ms` is the time that the question took. */
export type Verdict = { ms: number } & (
  | {
      kind: 'answered'
      /** The source of the answer: `HTTP 200` or `listener`. */
      by: string
      approved: boolean
      /** Minor units of the message's currency, if it approves less than all. */
      amount?: bigint
    }
  /** No valid answer: the action of the tenant's settings, and why. */
  | { kind: 'default'; action: 'APPROVE' | 'DECLINE'; cause: string }
)
