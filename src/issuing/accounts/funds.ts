/** Money in and out of card accounts by calls of a client (D-35, D-111). */

import {
  type KeptAccount,
  lockAccounts,
  moveAtCommit,
  programAccountId,
} from '#issuing/ledger/ledger.ts'
import { requireWithinLimits } from '#issuing/limits/limits.ts'
import { authSettingsOf } from '#issuing/products/products.ts'
import type { Context, Tx } from '#kit/context.ts'
import { rehearse } from '#kit/db/savepoints.ts'
import { gather } from '#kit/gather.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { allOf } from '#lib/promises.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { readMoney } from './money.ts'
import { accountAfter, fundsAnswer, noted, requireMovable, transferAnswer } from './movement.ts'
import { checkTransfer } from './rules.ts'
import type { FundsInput, TransferInput } from './schema.ts'
import { type AccountRow, findAccountRow } from './store.ts'

/** Moves money from the tenant's program funding account to the card account. */
export function loadFunds(ctx: Context | Tx, id: string, input: FundsInput) {
  return moveFunds(ctx, id, input, 'LOAD')
}

/** Moves money from the card account back to the tenant's program funding account. */
export function unloadFunds(ctx: Context | Tx, id: string, input: FundsInput) {
  return moveFunds(ctx, id, input, 'UNLOAD')
}

/**
 * 400 on currency or amount, 404, 409 account_not_active, insufficient_funds, balance_too_large,
 * and those of balance limits (D-41).
 * The answer contains the account as it is afterwards; a dry run has no transfer id.
 */
function moveFunds(ctx: Context | Tx, id: string, input: FundsInput, kind: 'LOAD' | 'UNLOAD') {
  const money = readMoney(input)
  const { notes, dry_run = false } = input
  return rehearse(ctx, dry_run, async (tx) => {
    const card_account_id = id.toLowerCase()
    const funding = programAccountId(tx.tenant_id, 'FUNDING', money.currency)
    // Sent together and run in this order: the second reads what is locked.
    const [own, row] = await allOf([
      lockAccounts(tx, [card_account_id]),
      findAccountRow(tx, card_account_id),
    ])
    const account = cardAccount(own, card_account_id)
    if (!account || !row) throw new ApiError('not_found')
    requireMovable(account, money)

    const { amount } = money
    await requireWithinLimits(
      tx,
      kind === 'LOAD' ? { amount, to: account } : { amount, from: account },
    )
    // Last: a wait for the counters of a user must not hold up all other loads (D-935).
    const locked = [...own, ...(await lockAccounts(tx, [funding]))]
    const [debit_account_id, credit_account_id] =
      kind === 'LOAD' ? [funding, account.id] : [account.id, funding]
    const { transfer_ids, accounts } = moveAtCommit(tx, locked, [
      { kind, debit_account_id, credit_account_id, ...money, ...noted(notes) },
    ])
    const asked = { money, notes, transfer_id: dry_run ? undefined : transfer_ids[0] }
    return fundsAnswer(asked, accountAfter(tx.now, row, accounts))
  })
}

/**
 * Moves money between two card accounts of one currency. 400 on sender_account_id or
 * recipient_account_id that does not exist (D-114), on both the same, on currency and amount; 409
 * account_not_active, outgoing_transfers_not_allowed, incoming_transfers_not_allowed,
 * insufficient_funds, balance_too_large, and those of balance limits (D-41).
 */
export function transferFunds(ctx: Context | Tx, input: TransferInput) {
  const { notes, dry_run = false } = input
  const sender_account_id = input.sender_account_id.toLowerCase()
  const recipient_account_id = input.recipient_account_id.toLowerCase()
  return rehearse(ctx, dry_run, async (tx) => {
    const [locked, ...rows] = await allOf([
      lockAccounts(tx, [...new Set([sender_account_id, recipient_account_id])]),
      findAccountRow(tx, sender_account_id),
      findAccountRow(tx, recipient_account_id),
    ])
    const gathered = await gather(
      async () => readMoney(input),
      async () => required(locked, sender_account_id, 'sender_account_id'),
      async () => required(locked, recipient_account_id, 'recipient_account_id'),
      async () => {
        if (sender_account_id !== recipient_account_id) return
        throw invalid('recipient_account_id', 'must be another account than the sender')
      },
    )
    const [money, sender, recipient] = gathered.complete()
    for (const account of [sender, recipient]) requireMovable(account, money)
    await requireTransferable(tx, sender, recipient)
    await requireWithinLimits(tx, { amount: money.amount, from: sender, to: recipient })

    const parties = { debit_account_id: sender.id, credit_account_id: recipient.id }
    const { transfer_ids, accounts } = moveAtCommit(tx, locked, [
      { kind: 'TRANSFER', ...parties, ...money, ...noted(notes) },
    ])
    const after = (row: AccountRow | undefined) => accountAfter(tx.now, row, accounts)
    const asked = { money, notes, transfer_id: dry_run ? undefined : transfer_ids[0] }
    return transferAnswer(asked, after(rows[0]), after(rows[1]))
  })
}

/** Clients name card accounts only, not the tenant's own. */
function cardAccount(locked: readonly KeptAccount[], id: string): KeptAccount | undefined {
  return locked.find((account) => account.id === id && account.kind === 'CARD')
}

function required(locked: readonly KeptAccount[], id: string, field: string): KeptAccount {
  const account = cardAccount(locked, id)
  if (!account) throw invalid(field, 'does not exist')
  return account
}

async function requireTransferable(tx: Tx, sender: KeptAccount, recipient: KeptAccount) {
  const ids = [sender, recipient].flatMap(({ card_product_id }) => card_product_id ?? [])
  const products = await authSettingsOf(tx, ids)
  const partyOf = ({ id, card_product_id }: KeptAccount) => ({
    id,
    auth_settings: products.get(card_product_id ?? ''),
  })
  unwrap(checkTransfer(partyOf(sender), partyOf(recipient)))
}
