/** How the card data came into a message, as far as a rule needs it. */

import type { EntryMode } from '#issuing/transactions/schema.ts'

type Entry = { entry_mode: EntryMode }

const CHIP: ReadonlySet<EntryMode> = new Set(['CHIP', 'CONTACTLESS'])
const STRIPE: ReadonlySet<EntryMode> = new Set(['MAGSTRIPE', 'FALLBACK'])

export const isChip = ({ entry_mode }: Entry): boolean => CHIP.has(entry_mode)
export const isStripe = ({ entry_mode }: Entry): boolean => STRIPE.has(entry_mode)

/** The card itself was read: by chip, contactless or stripe. */
export const isRead = (entry: Entry): boolean => isChip(entry) || isStripe(entry)
