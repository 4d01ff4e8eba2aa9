import type { Stage } from './stage.ts'

/** One row of the table of triggers. */
export type Kind = {
  name: string
  /** The event, in words. */
  about: string
  /**
   * Options that it uses beside those of a payment. One that makes a card or user of its own uses
   * none.
   */
  takes: 'card' | 'user' | 'transaction' | 'nothing'
  run: (stage: Stage) => Promise<void>
}
