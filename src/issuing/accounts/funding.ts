/** A tenant's program funding accounts: the operator's part (D-100), and the tenant's view. */

import {
  type FundingAccount,
  type FundingUse,
  fundProgram,
  listFunding,
  listFundingUse,
  listLowFunding,
  listProgramAccounts,
} from '#issuing/ledger/ledger.ts'
import { readSettings, withinTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { currencyCodes, exponentOf } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import { addDays } from '#lib/time.ts'
import { readMoney } from './money.ts'
import { daysLeft } from './rules.ts'
import type { FundingInput } from './schema.ts'

/**
 * Adds money of the tenant's bank to its program funding account, in the tenant's default currency
 * if the input has none. 400 on currency or amount, 404 for no such tenant, 409 balance_too_large.
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

/**
 * The balances of the tenant's program funding accounts, one entry a currency. 404 for no tenant.
 */
export async function fundingOf(ctx: Context | Tx, tenant_id: string) {
  const accounts = await listFunding(await withinTenant(ctx, tenant_id))
  return { data: accounts.map(fundingAnswer), has_more: false }
}

/** Movements out of the funding are read for so many days, and so many of them. */
const USE_DAYS = 7
const USE_MOVEMENTS_MAX = 10_000

/**
 * The caller's program funding accounts, and for how many days each lasts if as much leaves it as
 * lately (D-612).
 */
export async function ownFunding(ctx: Context) {
  const accounts = await listFundingUse(ctx, addDays(ctx.now, -USE_DAYS), USE_MOVEMENTS_MAX)
  return { data: accounts.map((account) => fundingUse(account, ctx.now)), has_more: false }
}

function fundingUse({ held, drawn, since, ...account }: FundingUse, now: Date) {
  const { currency, balance } = account
  const days = daysLeft({ available: balance - held, drawn, since, now })
  return {
    ...fundingAnswer(account),
    held: formatAmount(held, currency),
    drawn: formatAmount(drawn, currency),
    drawn_since: since,
    ...(days !== undefined && { days_left: days }),
  }
}

/** More than a person looks through. */
const LOW_MAX = 200

/**
 * The program funding accounts of all tenants with less available than `below`, in major units of
 * its currency.
 */
export async function lowFunding(ctx: Context, { below }: { below: number }) {
  const bounds = currencyCodes.map((code): [string, bigint] => {
    // A part of a minor unit counts as one; the rounding error of a product of doubles does not.
    const bound = Number((below * 10 ** exponentOf(code)).toPrecision(15))
    return [code, BigInt(Math.ceil(bound))]
  })
  const accounts = await listLowFunding(ctx, new Map(bounds), LOW_MAX)
  const data = accounts.map(({ tenant_id, tenant_name, held, ...account }) => ({
    tenant_id,
    tenant_name,
    ...fundingAnswer(account),
    available: formatAmount(account.balance - held, account.currency),
  }))
  return { data, has_more: false }
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
