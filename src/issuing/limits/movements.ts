/** Balance limits where a client moves money (D-41): the account is locked by the caller. */

import type { KeptAccount } from '#issuing/ledger/ledger.ts'
import type { Context, Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { lockUserCounters } from './counters_store.ts'
import type { LimitErrorCode } from './errors.ts'
import { findUserFunds, listBalanceTerms, listTermsByProduct } from './movements_store.ts'
import {
  type BalanceCode,
  type Beyond,
  findExceeded,
  findUndercut,
  ofCurrency,
  restOnUser,
} from './rules.ts'

const errors: Record<BalanceCode, LimitErrorCode> = {
  '1875': 'maximum_account_balance_limit_reached',
  '1876': 'minimum_account_balance_limit_reached',
  '1877': 'maximum_user_balance_limit_reached',
  '1878': 'minimum_user_balance_limit_reached',
}

const errorOf = ({ code, limit }: Beyond<BalanceCode>, account_id?: string) =>
  new ApiError(errors[code], {
    extra: { limit_id: limit.id, status_code: code, ...(account_id && { account_id }) },
  })

/** `amount` in minor units of the currency of all of them. */
export type LimitedMove = {
  amount: bigint
  /** The account of a client that money leaves, and the one that it comes to. */
  from?: KeptAccount | undefined
  to?: KeptAccount | undefined
}

/**
 * Fails with 409 and the limit's id if a linked limit permits no such movement; the ledger fails if
 * money is short altogether (D-106). The sum of a user's accounts is read once no other decision on
 * it is under way; a transfer between two accounts of one user leaves it as it is.
 */
export async function requireWithinLimits(
  tx: Tx,
  { amount, from, to }: LimitedMove,
): Promise<void> {
  const accounts = [from, to].flatMap((account) => account ?? [])
  const linked = await listBalanceTerms(
    tx,
    accounts.map(({ id }) => id),
  )
  if (linked.size === 0) return
  const limitsOf = (account: KeptAccount | undefined) =>
    account ? ofCurrency(linked.get(account.id) ?? [], account.currency) : []
  const users = accounts.flatMap((account) =>
    account.user_id !== null && restOnUser(limitsOf(account)) ? [account.user_id] : [],
  )
  await lockUserCounters(tx, [...new Set(users)])
  const isWithin = from !== undefined && from.user_id !== null && from.user_id === to?.user_id
  for (const [account, find] of [
    [from, findUndercut],
    [to, findExceeded],
  ] as const) {
    if (!account) continue
    const limits = limitsOf(account).filter(({ type }) => type === 'PER_ACCOUNT' || !isWithin)
    if (limits.length === 0) continue
    const own = { balance: account.balance, available: account.balance - account.held }
    if (account === from && own.available < amount) return
    const isSummed = restOnUser(limits) && account.user_id !== null
    const user = isSummed ? await findUserFunds(tx, account.user_id, account.currency) : own
    const beyond = find(limits, { account: own, user }, amount)
    if (beyond) throw errorOf(beyond, account.id)
  }
}

/** Fails likewise if a new account of the product may not get so much. */
export async function requirePreloadWithinLimits(
  ctx: Context,
  product: { id: string; currency: string },
  amount: bigint | null,
): Promise<void> {
  if (amount === null) return
  const limits = ofCurrency(await listTermsByProduct(ctx, product.id), product.currency)
  const none = { balance: 0n, available: 0n }
  const accounts = limits.filter(({ type }) => type === 'PER_ACCOUNT')
  const beyond = findExceeded(accounts, { account: none, user: none }, amount)
  if (beyond) throw errorOf(beyond)
}
