/**
 * Compares the orders of the merchant side with the transactions of the issuer, by the retrieval
 * reference of the payment (D-340). It is here because neither side imports the other.
 */

import { type RawBuilder, sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { isComplete } from '#kit/db/partitions/partitions.ts'

/** Orders that one statement reads, in one snapshot of both sides. */
const PAGE = 1_000
const FIRST = '00000000-0000-0000-0000-000000000000'

type Row = {
  tenant_id: string
  id: string
  captured: bigint
  refunded: bigint
  /** Its hold was released or used up. */
  closed: boolean
  under_way: boolean
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
  const found: Finding[] = []
  let under_way = 0
  for (let after = { tenant_id: FIRST, id: FIRST }; ; ) {
    const page = sql`
      select * from orders where (tenant_id, id) > (${after.tenant_id}::uuid, ${after.id}::uuid)
      order by tenant_id, id limit ${PAGE}`
    const rows = await read(db, page, sql`(select o.tenant_id as id)`)
    const last = rows.at(-1)
    if (!last) return { found: found.slice(0, FINDINGS_MAX), under_way }
    after = last
    under_way += rows.filter((row) => row.under_way).length
    const finished = rows.filter((row) => !row.under_way)
    for (const row of finished) if (row.known > 0n) found.push(...faultsOf(row))
    found.push(...(await elsewhere(db, finished, isFinding)))
  }
}

/** The card of a payment may belong to another tenant of this platform. */
async function elsewhere(db: Db, rows: readonly Row[], own_issuer: boolean): Promise<Finding[]> {
  const ids = rows.filter(({ known }) => known === 0n).map(({ id }) => id)
  if (ids.length === 0) return []
  const again = await read(
    db,
    sql`select * from orders where id = any(${ids}::uuid[])`,
    sql`tenants`,
  )
  return again.flatMap((row) => {
    if (row.under_way) return []
    if (row.known > 0n) return faultsOf(row)
    return own_issuer ? [finding(row, 'the issuer has no transaction of it')] : []
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
  ...{ invariant: 'I4', tenant_id, subject: `order ${id}`, detail },
})

/** `issuers` are the tenants whose transactions are read, by an index. */
async function read(
  db: Db,
  orders: RawBuilder<unknown>,
  issuers: RawBuilder<unknown>,
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select o.tenant_id, o.id, o.captured, o.refunded, o.released or o.captured > 0 as closed,
      exists (select from order_operations p
        where p.tenant_id = o.tenant_id and p.order_id = o.id and p.status = 'PENDING')
      or exists (select from acquirer_messages w
        where w.tenant_id = o.tenant_id and w.authorization_id = o.authorization_id
          and w.status in ('PENDING', 'REVERSING')) as under_way,
      b.known, b.booked, b.returned, b.held
    from (${orders}) o
    join acquirer_messages m on m.tenant_id = o.tenant_id and m.id = o.authorization_id
    cross join lateral (
      select count(t.id) as known,
        coalesce(sum(o.cleared) filter (where t.transaction_type = 'PURCHASE'), 0)::bigint
          as booked,
        coalesce(sum(o.cleared) filter (where t.transaction_type = 'REFUND'), 0)::bigint
          as returned,
        coalesce(sum(t.held), 0)::bigint as held
      from ${issuers} i
      join transactions t on t.tenant_id = i.id and t.rrn = m.fields ->> '37'
        and t.status <> 'DECLINED'
      -- In the currency of the order, which may differ from that of the account.
      cross join lateral (select coalesce((t.details #>> '{foreign,cleared}')::bigint,
        t.cleared_amount) as cleared) o
    ) b
    order by o.tenant_id, o.id`.execute(db)
  return rows
}
