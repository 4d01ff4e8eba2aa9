/** The books of a lane, to be compared with what the network believes. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { firstIdAt } from '#lib/id.ts'
import type { Sums } from './belief.ts'

export type AccountState = {
  balance: bigint
  held: bigint
  /** Charges of its transactions that are not given back, and those of them that were taken. */
  charged: bigint
  taken: bigint
  /** The amounts that its velocity limit, and that of its user, have counted. */
  counted: bigint
  user_counted: bigint
}

/** The books of the program from the network's side: the amount paid to it, and fees. */
export type ProgramState = { settled: bigint; exchanged: bigint; fees: bigint }

type Moved = Omit<AccountState, 'counted' | 'user_counted'> & { id: string }

export async function readMoved(
  db: Db,
  tenant_id: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Omit<Moved, 'id'>>> {
  const { rows } = await sql<Moved>`
    select a.id, a.balance, a.held,
      coalesce(sum(c.amount) filter (where c.status in ('APPLIED', 'PENDING')), 0)::bigint
        as charged,
      coalesce(sum(c.amount) filter (where c.status = 'APPLIED'), 0)::bigint as taken
    from accounts a
    left join charges c on c.tenant_id = a.tenant_id and c.account_id = a.id
    where a.tenant_id = ${tenant_id} and a.id = any (${sql.val(ids)})
    group by a.id, a.balance, a.held`.execute(db)
  return new Map(rows.map(({ id, ...state }) => [id, state]))
}

/** Reads the transfers since an instant, and not the balances that are kept beside them. */
export async function readProgram(db: Db, tenant_id: string, since: number): Promise<ProgramState> {
  const { rows } = await sql<{ kind: string; sum: bigint }>`
    select a.kind,
      sum(case when t.credit_account_id = a.id then t.amount else -t.amount end)::bigint as sum
    from transfers t
    join accounts a on a.tenant_id = t.tenant_id and a.kind in ('SETTLEMENT', 'FX', 'FEES')
      and a.id in (t.credit_account_id, t.debit_account_id)
    where t.tenant_id = ${tenant_id} and t.id >= ${firstIdAt(since)}
    group by a.kind`.execute(db)
  const of = (kind: string) => rows.find((row) => row.kind === kind)?.sum ?? 0n
  return { settled: of('SETTLEMENT'), exchanged: of('FX'), fees: of('FEES') }
}

/** The differences of one account: `sums` is what the network believes of its payments. */
export function differenceOf(
  before: AccountState,
  after: AccountState,
  { held, posted, counted, fees }: Sums,
): string[] {
  const taken = after.taken - before.taken
  return [
    ...unequal('held', held, after.held - before.held),
    ...unequal('paid', posted + taken, before.balance - after.balance),
    ...unequal('charged', fees, after.charged - before.charged),
    ...unequal('counted', counted, after.counted - before.counted),
  ]
}

export const differenceOfProgram = (
  { settled, exchanged, fees }: ProgramState,
  believed: Sums,
  taken: bigint,
): string[] => [
  ...unequal('settled', believed.settled, settled),
  ...unequal('gained by exchange', believed.posted - believed.settled, exchanged),
  ...unequal('taken as fees', taken, fees),
]

export const unequal = (what: string, believed: bigint, booked: bigint): string[] =>
  believed === booked ? [] : [`the network believes ${believed} ${what}, the books say ${booked}`]
