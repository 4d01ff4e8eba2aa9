/** The parts of a page that show the submitted form, beside the state of its checkout. */

import type { Challenge } from '../challenge.ts'
import type { Notice } from '../payment.ts'
import type { TestCardKind } from '../provider.ts'
import type { CardFaults, CardForm } from '../rules/card.ts'

/** `picked` is a test card, whose payment may be held up. */
export type FormOutcome = {
  faults?: CardFaults
  notice?: Notice
  picked?: Picked
  /** Id of the kept card that was chosen; empty if one was typed. */
  kept_card?: string
}
export type Picked = { kind: TestCardKind; card: CardForm }

/** With a challenge the page is that of the issuer. */
export type Outcome = FormOutcome & { challenge?: Challenge }
