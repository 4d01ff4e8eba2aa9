import { unwrap } from '#lib/result.ts'
import { checkCredit, checkDebit, forceDebit, programAccountId, summedKinds } from './rules.ts'
import type { KeptAccount, NewTransfer } from './schema.ts'

/**
 * The accounts after the movements, each of which sees those before it. Fails with the errors of
 * checkDebit and checkCredit; throws if an account with a stored balance is missing.
 */
export function planMoves(
  tenant_id: string,
  locked: readonly KeptAccount[],
  movements: readonly NewTransfer[],
): Map<string, KeptAccount> {
  const accounts = new Map(locked.map((account) => [account.id, account]))
  for (const movement of movements) {
    const { debit_account_id, credit_account_id, currency, amount, forced } = movement
    const from = partyOf(tenant_id, accounts, debit_account_id, currency)
    if (from) {
      accounts.set(from.id, forced ? forceDebit(from, amount) : unwrap(checkDebit(from, amount)))
    }
    const to = partyOf(tenant_id, accounts, credit_account_id, currency)
    if (to) accounts.set(to.id, unwrap(checkCredit(to, amount)))
  }
  return accounts
}

/** The account to change, or undefined for a program account whose balance is summed. */
function partyOf(
  tenant_id: string,
  accounts: ReadonlyMap<string, KeptAccount>,
  id: string,
  currency: string,
): KeptAccount | undefined {
  const account = accounts.get(id)
  if (account?.currency === currency) return account
  if (account) throw new Error('a transfer has one currency')
  if (!summedKinds.some((kind) => programAccountId(tenant_id, kind, currency) === id)) {
    throw new Error('an account is missing')
  }
  return undefined
}
