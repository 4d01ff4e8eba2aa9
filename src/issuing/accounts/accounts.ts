/** Public functions of the accounts slice: the ledger as clients read and move it (D-35). */

import { emit } from '#events/outbox.ts'
import { lockAccounts } from '#issuing/ledger/ledger.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { listPage } from '#kit/http/lists.ts'
import { ApiError, unwrap } from '#lib/result.ts'
import { accountStatusChange } from './events.ts'
import { type AccountAnswer, presentAccount } from './present.ts'
import { checkAccountStatus } from './rules.ts'
import type { AccountStatusChange, AccountsOfCardQuery, AccountsQuery } from './schema.ts'
import { findAccountRow, hasCard, listAccountRows, updateAccountStatus } from './store.ts'

export { fundingOf, fundTenant, lowFunding, ownFunding, programAccountsOf } from './funding.ts'
export { type FundsRequest, moveFundsInList, moveFundsOnce } from './funds.ts'
export { readMoney } from './money.ts'
export { fundsAnswer, requireMovable, transferAnswer } from './movement.ts'
export { listEntries, statementCsv } from './statement.ts'

/** A card account with its balances and cards. 404 for the program's own accounts too. */
export async function findAccount(ctx: Context | Tx, id: string): Promise<AccountAnswer> {
  const row = await findAccountRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return presentAccount(row)
}

/** Card accounts, newest first, of one user or linked to one card. */
export async function listAccounts(ctx: Context | Tx, query: AccountsQuery) {
  const page = await listPage('accounts', query, (range) => listAccountRows(ctx, query, range))
  return { ...page, data: page.data.map(presentAccount) }
}

/** The accounts linked to a card: one, or none before its first link. 404 for no such card. */
export async function listAccountsOfCard(
  ctx: Context | Tx,
  card_id: string,
  query: AccountsOfCardQuery,
) {
  const [found, page] = await Promise.all([
    hasCard(ctx, card_id),
    listAccounts(ctx, { ...query, card_id }),
  ])
  if (!found) throw new ApiError('not_found')
  return page
}

/** 404; 409 account_status_move_refused when it has that status. Emits ACCOUNT_STATUS_CHANGE. */
export function changeAccountStatus(
  ctx: Context | Tx,
  id: string,
  { status, notes }: AccountStatusChange,
): Promise<AccountAnswer> {
  return transact(ctx, async (tx) => {
    const [account] = await lockAccounts(tx, [id])
    if (account?.kind !== 'CARD') throw new ApiError('not_found')
    const new_status = unwrap(checkAccountStatus(account, status))

    await updateAccountStatus(tx, account.id, new_status)
    await emit(tx, accountStatusChange(account, new_status, notes))
    return findAccount(tx, account.id)
  })
}
