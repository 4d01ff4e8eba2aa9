/** The table of triggers. */

import { declineKinds } from './declines.ts'
import { disputeKinds } from './disputes.ts'
import type { Kind } from './kind.ts'
import { objectKinds } from './objects.ts'
import { orderKinds } from './orders.ts'
import { transactionKinds } from './transactions.ts'

export const kindGroups: readonly [title: string, kinds: readonly Kind[]][] = [
  ['Payments', transactionKinds],
  ['Disputes of payments', disputeKinds],
  ['Users, cards and accounts', objectKinds],
  ['Orders and payouts of the shop', orderKinds],
  ['Decline codes (docs/codes.md)', declineKinds],
]

export const kinds: readonly Kind[] = kindGroups.flatMap(([, group]) => group)
