import { sql } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import { plainArray } from '#kit/db/arrays.ts'
import type { Funds, LimitTerms } from './rules.ts'
import { termColumns } from './store.ts'

/** The balance limits of accounts that have any: linked to them, their product or their user. */
export async function listBalanceTerms(
  { db, tenant_id }: Context,
  account_ids: readonly string[],
): Promise<Map<string, LimitTerms[]>> {
  const { rows } = await sql<LimitTerms & { account_id: string }>`
    select a.id as account_id, ${termColumns}
    from accounts a
    left join card_products p on p.tenant_id = a.tenant_id and p.id = a.card_product_id
    left join users u on u.tenant_id = a.tenant_id and u.id = a.user_id
    join limits l on l.tenant_id = a.tenant_id and l.kind = 'BALANCE' and l.mode = 'ENFORCED'
      and l.id = any (a.balance_limit_ids || p.balance_limit_ids || u.balance_limit_ids)
    where a.tenant_id = ${tenant_id} and a.id = any (${plainArray(account_ids)}::uuid[])
    order by l.id`.execute(db)
  const linked = new Map<string, LimitTerms[]>()
  for (const { account_id, ...limit } of rows) {
    linked.set(account_id, [...(linked.get(account_id) ?? []), limit])
  }
  return linked
}

export async function listTermsByProduct(
  { db, tenant_id }: Context,
  card_product_id: string,
): Promise<LimitTerms[]> {
  const { rows } = await sql<LimitTerms>`
    select ${termColumns} from card_products p
    join limits l on l.tenant_id = p.tenant_id and l.kind = 'BALANCE' and l.mode = 'ENFORCED'
      and l.id = any (p.balance_limit_ids)
    where p.tenant_id = ${tenant_id} and p.id = ${card_product_id}`.execute(db)
  return rows
}

/** The sums over the user's accounts of a currency. */
export async function findUserFunds(
  { db, tenant_id }: Tx,
  user_id: string | null,
  currency: string,
): Promise<Funds> {
  const { rows } = await sql<{ balance: string; available: string }>`
    select coalesce(sum(balance), 0) as balance, coalesce(sum(balance - held), 0) as available
    from accounts
    where tenant_id = ${tenant_id} and user_id = ${user_id} and currency = ${currency}
      and kind = 'CARD'`.execute(db)
  const [sums = { balance: '0', available: '0' }] = rows
  return { balance: BigInt(sums.balance), available: BigInt(sums.available) }
}
