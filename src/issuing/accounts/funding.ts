/** The operator's part (D-100): a tenant's program funding accounts. */

import {
  type FundingAccount,
  fundProgram,
  listFunding,
  listProgramAccounts,
} from '#issuing/ledger/ledger.ts'
import { readSettings, withinTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { readMoney } from './money.ts'
import type { FundingInput } from './schema.ts'

/**
 * Adds money of the tenant's bank to its program funding account, in the tenant's default currency
 * where the input has none. 400 on currency or amount, 404 for no such tenant, 409
 * balance_too_large.
 */
export function fundTenant(ctx: Context | Tx, tenant_id: string, input: FundingInput) {
  return transact(ctx, async (tx) => {
    const within = await withinTenant(tx, tenant_id)
    const chosen = input.currency ?? (await readSettings(within)).default_currency
    const { currency, amount } = readMoney({ ...input, currency: chosen })
    const { funding, transfer_id } = await fundProgram(within, { currency, amount })
    return {
      transfer_id,
      amount: formatAmount(amount, currency),
      ...fundingAnswer(funding),
    }
  })
}

/** What the tenant's program funding accounts hold, one entry a currency. 404 for no tenant. */
export async function fundingOf(ctx: Context | Tx, tenant_id: string) {
  const accounts = await listFunding(await withinTenant(ctx, tenant_id))
  return { data: accounts.map(fundingAnswer), has_more: false }
}

/** The program's own accounts of a tenant; their balances are the sums of their entries. */
export async function programAccountsOf(ctx: Context | Tx, tenant_id: string) {
  const accounts = await listProgramAccounts(await withinTenant(ctx, tenant_id))
  const data = accounts.map(({ kind, ...account }) => ({ kind, ...fundingAnswer(account) }))
  return { data, has_more: false }
}

function fundingAnswer({ id, currency, balance }: FundingAccount) {
  return { account_id: id, currency, balance: formatAmount(balance, currency) }
}
