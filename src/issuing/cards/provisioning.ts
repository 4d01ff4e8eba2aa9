/** What cards know of attempts to put them into a wallet (D-39): wrong ones, and the block. */

import type { Tx } from '#kit/context.ts'
import { ruleOnStatusChange } from './rules/status.ts'
import { changeCardState } from './status.ts'
import { type CardRow, saveCard } from './store.ts'

/** Wrong attempts in a row so far, the present one among them. The card is locked. */
export async function countProvisioningFailure(
  tx: Tx,
  card: CardRow,
  failures: number,
): Promise<void> {
  await saveCard(tx, { ...card, provisioning_failures: failures })
}

/**
 * No attempt is heard until then; counting begins anew. A card in ordinary use is SUSPENDED (P0)
 * meanwhile, which the sweep lifts; one that is not, or is on its way to plastic, keeps its status
 * (D-31). The card is locked.
 */
export function blockCardProvisioning(tx: Tx, card: CardRow, until: Date): Promise<CardRow> {
  const blocked = { ...card, provisioning_failures: 0, provisioning_blocked_until: until }
  const wanted = { status: 'SUSPENDED', status_reason_code: 'P0' } as const
  const result = ruleOnStatusChange(blocked, wanted, 'system')
  return result.ok ? changeCardState(tx, blocked, result.value) : saveCard(tx, blocked)
}
