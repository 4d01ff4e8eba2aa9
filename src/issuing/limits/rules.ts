/**
 * What limits permit, as pure arithmetic in minor units (D-41, D-42). The engine and the movements
 * of clients ask the same functions.
 */

import type { BalanceType, Scope, VelocityType } from './schema.ts'

/** A limit as decisions use it; `version` is the one that it was read with. */
export type LimitTerms = {
  id: string
  kind: 'BALANCE' | 'VELOCITY'
  type: BalanceType | VelocityType
  currency: string
  min_amount: bigint | null
  max_amount: bigint | null
  frequency: number | null
  period: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY' | 'LIFETIME' | null
  /** Null for a balance limit. */
  transaction_scope: readonly Scope[] | null
  version: bigint
}
