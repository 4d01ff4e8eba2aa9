/** The checks of every movement of funds, and its answers. */

import type { KeptAccount } from '#issuing/ledger/ledger.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { formatAmount } from '#lib/money.ts'
import { unwrap } from '#lib/result.ts'
import type { Money } from './money.ts'
import { type AccountAnswer, presentAccount } from './present.ts'
import { checkMovement } from './rules.ts'
import type { AccountRow } from './store.ts'

/** 400 on currency, 409 account_not_active. */
export function requireMovable(account: KeptAccount, { currency }: Money): void {
  if (account.currency !== currency) {
    throw invalid('currency', `is not the currency of the account (${account.currency})`)
  }
  unwrap(checkMovement(account))
}

/** A movement with its card accounts after it; a dry run has no transfer id. */
export type Moved = {
  transfer_id: string | undefined
  money: Money
  notes: string | undefined
  from: AccountAnswer | undefined
  to: AccountAnswer | undefined
}

/** The answer to a load or an unload, which have one card account. */
export function fundsAnswer(moved: Moved) {
  return { ...movementAnswer(moved), account: existing(moved.from ?? moved.to) }
}

export function transferAnswer(moved: Moved) {
  const [sender, recipient] = [existing(moved.from), existing(moved.to)]
  return {
    ...movementAnswer(moved),
    sender_account_id: sender.id,
    recipient_account_id: recipient.id,
    sender_account: sender,
    recipient_account: recipient,
  }
}

function movementAnswer({ money: { amount, currency }, notes, transfer_id }: Moved) {
  return {
    ...(transfer_id !== undefined && { transfer_id }),
    amount: formatAmount(amount, currency),
    currency,
    dry_run: transfer_id === undefined,
    ...noted(notes),
  }
}

export const noted = (notes: string | undefined) => (notes === undefined ? {} : { notes })

/** The account as it is when the movement is committed, from its row before. */
export function accountAfter(
  now: Date,
  row: AccountRow,
  accounts: ReadonlyMap<string, KeptAccount>,
): AccountAnswer {
  const { balance, held } = existing(accounts.get(row.id))
  return presentAccount({ ...row, balance, held, modified: now })
}

function existing<Account>(account: Account | undefined): Account {
  if (account === undefined) throw new Error('a moved account is missing')
  return account
}
