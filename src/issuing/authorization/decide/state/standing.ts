/** The funds of an account and of its user, for the balance limits of a batch (D-41). Pure. */

import type { Account } from '#issuing/ledger/schema.ts'
import {
  type CardLimits,
  debitRoom,
  type Funds,
  type LimitTerms,
  restOnUser,
  type Standing,
} from '#issuing/limits/rules.ts'

const fundsOf = ({ balance, held }: Account): Funds => ({ balance, available: balance - held })

/** The user's accounts are among `accounts` if a limit asks for their sum. */
export function standingOf(
  limits: readonly LimitTerms[],
  account: Account,
  accounts: Iterable<Account>,
): Standing {
  const own = fundsOf(account)
  if (!restOnUser(limits) || account.user_id === null) return { account: own, user: own }
  const user = { balance: 0n, available: 0n }
  for (const one of accounts) {
    if (one.user_id !== account.user_id || one.currency !== account.currency) continue
    const { balance, available } = fundsOf(one)
    user.balance += balance
    user.available += available
  }
  return { account: own, user }
}

/** The most that may be debited, minor units. */
export function roomWithin(
  limits: readonly LimitTerms[],
  account: Account,
  accounts: Iterable<Account>,
): bigint {
  if (limits.length === 0) return account.balance - account.held
  return debitRoom(limits, standingOf(limits, account, accounts))
}

/** The users on the sum of whose accounts decisions of the batch rest. */
export function summedUsers(
  accounts: readonly Account[],
  limits: Iterable<CardLimits>,
): ReadonlySet<string> {
  const currencies = new Set<string>()
  for (const { balance } of limits) {
    for (const { type, currency } of balance) if (type === 'PER_USER') currencies.add(currency)
  }
  if (currencies.size === 0) return NONE
  return new Set(
    accounts.flatMap(({ currency, user_id }) =>
      currencies.has(currency) && user_id ? [user_id] : [],
    ),
  )
}

const NONE: ReadonlySet<string> = new Set()
