/** Failed attempts to provision a card to a wallet, and the block after them (D-39). */

import type { Tx } from '#kit/context.ts'
import { checkStatusChange } from './rules/status.ts'
import { changeCardState } from './status.ts'
import { type CardRow, updateCardRow } from './store.ts'

/** Stores the wrong attempts in a row, including the present one. The card is locked. */
export async function countProvisioningFailure(
  tx: Tx,
  card: CardRow,
  failures: number,
): Promise<void> {
  await updateCardRow(tx, { ...card, provisioning_failures: failures })
}

/**
 * Blocks provisioning until then and resets the count. A card in ordinary use is SUSPENDED (P0)
 * meanwhile, which the sweep lifts; a card in another status or in migration keeps its status
 * (D-31). The card is locked.
 */
export function blockCardProvisioning(tx: Tx, card: CardRow, until: Date): Promise<CardRow> {
  const blocked = { ...card, provisioning_failures: 0, provisioning_blocked_until: until }
  const target = { status: 'SUSPENDED', status_reason_code: 'P0' } as const
  const result = checkStatusChange(blocked, target, 'system')
  return result.ok ? changeCardState(tx, blocked, result.value) : updateCardRow(tx, blocked)
}
