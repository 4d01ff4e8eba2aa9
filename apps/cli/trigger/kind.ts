import type { Stage } from './stage.ts'

/** One row of the table of triggers. */
export type Kind = {
  name: string
  /** What happens, in words. */
  about: string
  /** What of the options it uses beside those of a payment; a card or user that is its own: none. */
  takes: 'card' | 'user' | 'transaction' | 'nothing'
  run: (stage: Stage) => Promise<void>
}
