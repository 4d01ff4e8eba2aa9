/** The checks and the answer of every movement of funds, locked or not. */

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

/** A movement as the client asked for it; a dry run has no transfer id. */
export type Asked = { money: Money; notes: string | undefined; transfer_id: string | undefined }

export function fundsAnswer(asked: Asked, account: AccountAnswer) {
  return { ...movementAnswer(asked), account }
}

export function transferAnswer(asked: Asked, sender: AccountAnswer, recipient: AccountAnswer) {
  return {
    ...movementAnswer(asked),
    sender_account_id: sender.id,
    recipient_account_id: recipient.id,
    sender_account: sender,
    recipient_account: recipient,
  }
}

function movementAnswer({ money: { amount, currency }, notes, transfer_id }: Asked) {
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
  row: AccountRow | undefined,
  accounts: ReadonlyMap<string, KeptAccount>,
): AccountAnswer {
  const moved = row && accounts.get(row.id)
  if (!moved) throw new Error('a moved account is missing')
  const { balance, held } = moved
  return presentAccount({ ...row, balance, held, modified: now })
}
