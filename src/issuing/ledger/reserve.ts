/** Program funding that is set aside for accounts which are opened a portion at a time (D-38). */

import { emitSequenced } from '#events/outbox.ts'
import type { Tx } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import { accountCreated } from './events.ts'
import { insertOpenHold, insertUnownedAccounts, updateHoldDrawn } from './reserve_store.ts'
import { available, covers, placeHold, programAccountId } from './rules.ts'
import { insertTransfers, lockAccounts, updateAccounts } from './store.ts'

/** `id` names the hold; `amount` in minor units. */
export type Reservation = { id: string; currency: string; amount: bigint }

/**
 * Holds program funding, without an end, until `drawReservation` takes it. 409 insufficient_funds
 * with the needed and the available amount, in major units.
 */
export async function reserveFunding(tx: Tx, { id, currency, amount }: Reservation): Promise<void> {
  const account_id = programAccountId(tx.tenant_id, 'FUNDING', currency)
  const [account] = await lockAccounts(tx, [account_id])
  if (!account || !covers(account, amount)) {
    const needed = formatAmount(amount, currency)
    const left = formatAmount(account ? available(account) : 0n, currency)
    throw new ApiError('insufficient_funds', {
      detail: `Program funding has ${left} ${currency} available, ${needed} are needed.`,
      extra: { needed, available: left },
    })
  }
  await Promise.all([
    updateAccounts(tx, [placeHold(account, amount)]).start(),
    insertOpenHold(tx, { id, account_id, currency, amount }),
  ])
}

/** `preload` is moved to each of the accounts, in minor units; null moves nothing. */
export type UnownedOpening = {
  ids: readonly string[]
  card_product_id: string
  currency: string
  preload: bigint | null
}

/**
 * Opens ACTIVE accounts without a user, with the LOAD transfers of their preload: their sum must be
 * drawn in the same transaction. Emits SUCCESSFULLY_CREATED for each. Three statements, whatever
 * their number.
 */
export async function openUnownedAccounts(tx: Tx, opening: UnownedOpening): Promise<void> {
  const { ids, card_product_id, currency, preload } = opening
  const debit_account_id = programAccountId(tx.tenant_id, 'FUNDING', currency)
  const loads = preload === null ? [] : ids
  const loaded = insertTransfers(
    tx,
    loads.map((credit_account_id) => ({
      kind: 'LOAD',
      debit_account_id,
      credit_account_id,
      currency,
      amount: preload ?? 0n,
    })),
  )
  const emitted = emitSequenced(
    tx,
    ids.map((id) => ({
      ...accountCreated({ id, user_id: null, currency, card_product_id }),
      sequence: 1,
    })),
  )
  await Promise.all([insertUnownedAccounts(tx, opening), loaded.start(), emitted.start()])
}

/**
 * Takes the sum that `openUnownedAccounts` has moved from the held amount. Call it last: every
 * other call that needs program funding waits from here to the commit.
 */
export async function drawReservation(tx: Tx, part: Reservation): Promise<void> {
  const account_id = programAccountId(tx.tenant_id, 'FUNDING', part.currency)
  if (!(await updateHoldDrawn(tx, { ...part, account_id }))) throw new Error('a hold is missing')
}
