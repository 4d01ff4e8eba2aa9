/**
 * Compares the orders of the merchant side with the transactions of the issuer, by the retrieval
 * reference of the payment (D-340). It is here because neither side imports the other.
 */

import { type RawBuilder, sql } from 'kysely'
import { FINDINGS_MAX, type Finding, type Scope } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'
import { scopesOf } from './scopes.ts'

/** Orders that one statement reads, in one snapshot of both sides. */
const PAGE = 1_000
const FIRST = '00000000-0000-0000-0000-000000000000'

type Row = {
  tenant_id: string
  id: string
  /** The retrieval reference of its payment. */
  rrn: string
  captured: bigint
  refunded: bigint
  /** Its hold was released or used up. */
  closed: boolean
  under_way: boolean
  /** It went to an issuer of ISSUERS_FILE. */
  is_elsewhere: boolean
  /** How many transactions of the issuer have its retrieval reference. */
  known: bigint
  booked: bigint
  returned: bigint
  held: bigint
}

export type SidesCompared = {
  found: Finding[]
  /** Orders of which an operation or a message is under way: they are not compared. */
  under_way: number
}

/**
 * Compares every order, in pages. Reads only, also while the program runs. Only with `own_issuer`
 * an order without a transaction of the issuer is a finding; another issuer has its own database,
 * and once old transactions were dropped, that of the order may be one of them.
 */
export async function compareSides(db: Db, own_issuer: boolean): Promise<SidesCompared> {
  const isFinding = own_issuer && (await isComplete(db, 'transactions'))
  const all: SidesCompared = { found: [], under_way: 0 }
  for (const of of await scopesOf(db)) {
    const { found, under_way } = await compareOrders(db, of, isFinding)
    all.found.push(...found)
    all.under_way += under_way
  }
  return { ...all, found: all.found.slice(0, FINDINGS_MAX) }
}

async function compareOrders(db: Db, of: Scope, isFinding: boolean): Promise<SidesCompared> {
  const found: Finding[] = []
  let under_way = 0
  for (let after = { tenant_id: FIRST, id: FIRST }; ; ) {
    const page = sql`
      select * from orders
      where ${of('orders')} and (tenant_id, id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
      order by tenant_id, id limit ${PAGE}`
    const rows = await read(db, page, OWN, of)
    const last = rows.at(-1)
    if (!last) return { found, under_way }
    after = last
    under_way += rows.filter((row) => row.under_way).length
    const finished = rows.filter((row) => !row.under_way)
    for (const row of finished) if (row.known > 0n) found.push(...faultsOf(row))
    const others = finished.filter(({ known }) => known === 0n)
    found.push(...(await elsewhere(db, others, { of, own_issuer: isFinding })))
  }
}

/** The tenants whose transactions are read: that of the order alone. */
const OWN = sql`(select o.tenant_id as id)`

type Elsewhere = { of: Scope; own_issuer: boolean }

/** The card of a payment may belong to another tenant of this platform. */
async function elsewhere(
  db: Db,
  orders: readonly Row[],
  { of, own_issuer }: Elsewhere,
): Promise<Finding[]> {
  if (orders.length === 0) return []
  const same = sql`
    select * from orders
    where ${of('orders')} and id = any(${orders.map(({ id }) => id)}::uuid[])`
  const again = (await db.isSpread())
    ? await readApart(db, orders, () => read(db, same, OWN, of))
    : await read(db, same, sql`tenants`, of)
  return again.flatMap((row) => {
    if (row.under_way) return []
    if (row.known > 0n) return faultsOf(row)
    return own_issuer && !row.is_elsewhere
      ? [finding(row, 'the issuer has no transaction of it')]
      : []
  })
}

/**
 * On a cluster the two sides are on two nodes, so in two snapshots. The issuer's is read between
 * two readings of the orders, and an order that was changed meanwhile counts as under way.
 */
async function readApart(
  db: Db,
  before: readonly Row[],
  readAgain: () => Promise<Row[]>,
): Promise<Row[]> {
  const { rows } = await sql<Pick<Row, 'rrn' | keyof Booked>>`
    select t.rrn, ${booked} from transactions t cross join ${clearedOf}
    where t.rrn = any(${before.map(({ rrn }) => rrn)}::text[]) and t.status <> 'DECLINED'
    group by t.rrn`.execute(db)
  const issuers = new Map(rows.map((row) => [row.rrn, row]))
  const earlier = new Map(before.map((row) => [row.id, row]))
  return (await readAgain()).map((row) => {
    const one = earlier.get(row.id)
    const changed = one?.captured !== row.captured || one.refunded !== row.refunded
    return { ...row, ...issuers.get(row.rrn), under_way: row.under_way || changed }
  })
}

function faultsOf(row: Row): Finding[] {
  const { captured, refunded, closed, booked, returned, held } = row
  const agrees = captured === booked && refunded === returned && !(closed && held > 0n)
  if (agrees) return []
  const own = `captured ${captured}, refunded ${refunded}`
  return [finding(row, `${own}, at the issuer ${booked}, ${returned} and ${held} held`)]
}

const finding = ({ tenant_id, id }: Row, detail: string): Finding => ({
  invariant: 'I4',
  tenant_id,
  subject: `order ${id}`,
  detail,
})

type Booked = Pick<Row, 'known' | 'booked' | 'returned' | 'held'>

/** The issuer's sums of a payment, from transactions `t` with `clearedOf`. */
const booked = sql<Booked>`
  count(t.id) as known,
  coalesce(sum(c.cleared) filter (where t.transaction_type = 'PURCHASE'), 0)::bigint as booked,
  coalesce(sum(c.cleared) filter (where t.transaction_type = 'REFUND'), 0)::bigint as returned,
  coalesce(sum(t.held), 0)::bigint as held`

/** The cleared amount in the currency of the order, which may differ from that of the account. */
const clearedOf = sql`lateral (
  select coalesce((t.details #>> '{foreign,cleared}')::bigint, t.cleared_amount) as cleared) c`

/** Whether message `w` reaches its issuer by a file that is not made, or not posted (D-1047). */
const waitsInFile = (of: Scope) => sql<boolean>`exists (
  select from acquirer_presentments f
  left join acquirer_files x on x.tenant_id = f.tenant_id and x.id = f.file_id and ${of('x')}
  where f.tenant_id = w.tenant_id and f.message_id = w.id and ${of('f')}
    and (f.file_id is null or x.due is not null))`

/**
 * `issuers` are the tenants whose transactions are read, by the index of retrieval references. That
 * of an order is read out of its message behind a fence, since no index of rows with a policy is
 * used for a condition with `->>` in it.
 */
async function read(
  db: Db,
  orders: RawBuilder<unknown>,
  issuers: RawBuilder<unknown>,
  of: Scope,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.tenant_id, o.id, o.rrn, o.captured, o.refunded, o.issuer is not null as is_elsewhere,
      o.released or o.status = 'COMPLETED' as closed,
      exists (select from order_operations p
        where p.tenant_id = o.tenant_id and p.order_id = o.id and p.status = 'PENDING'
          and ${of('p')})
      or exists (select from acquirer_messages w
        where w.tenant_id = o.tenant_id and w.authorization_id = o.authorization_id
          and (w.status in ('PENDING', 'REVERSING') or ${waitsInFile(of)}) and ${of('w')})
        as under_way,
      b.known, b.booked, b.returned, b.held
    from (
      select p.*, m.fields ->> '37' as rrn, m.issuer
      from (${orders}) p
      join acquirer_messages m on m.tenant_id = p.tenant_id and m.id = p.authorization_id
        and ${of('m')}
      offset 0
    ) o
    cross join lateral (
      select ${booked}
      from ${issuers} i
      join transactions t on t.tenant_id = i.id and t.rrn collate "C" = o.rrn
        and t.card_id is not null and t.status <> 'DECLINED' and ${of('t')}
      cross join ${clearedOf}
    ) b
    order by o.tenant_id, o.id`.execute(db)
  return rows
}
