/** Stored transactions of past months, as the engine wrote them, in bulk. */

import type pg from 'pg'
import { onServer } from '#test/support/processes/server.ts'
import type { Platform } from './platform.ts'

const PORTION = 100_000

/**
 * The one place that names columns of a transaction: those that differ between two of them, by
 * their values. The others are copied from a transaction that the engine has decided. `g` counts
 * the rows, `t.at` is the instant and `i.id` the id of the row, `c` its card.
 */
const differing: Readonly<Record<string, string>> = {
  id: 'i.id',
  card_id: 'c.card_id',
  account_id: 'c.account_id',
  rrn: `lpad((g % 1000000000000)::text, 12, '0')`,
  status: `'SETTLED'`,
  hold_expires: 'null',
  held: '0',
  cleared_amount: 's.amount',
  created: 't.at',
}

export type Filling = { tenant_id: string; count: number; from: Date; to: Date }

/** Spreads rows evenly over the time and over all cards; the tenant has one transaction already. */
export async function fillTransactions(
  { url }: Platform,
  { tenant_id, count, from, to }: Filling,
  report: (stored: number) => void,
): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`
      create table bench_cards as select row_number() over () - 1 as n, id as card_id, account_id
        from cards where tenant_id = '${tenant_id}';
      alter table bench_cards add primary key (n);
      create table bench_sample as select * from transactions
        where tenant_id = '${tenant_id}' limit 1;
      analyze bench_cards`)
    const insert = await insertText(client)
    const cards = await client.query('select count(*)::int as count from bench_cards')
    const step_ms = (to.getTime() - from.getTime()) / count
    for (let stored = 0; stored < count; stored += PORTION) {
      const last = Math.min(count, stored + PORTION) - 1
      await client.query(insert, [stored, last, from.getTime(), step_ms, cards.rows[0].count])
      report(last + 1)
    }
    await client.query('drop table bench_cards; drop table bench_sample')
  })
}

/** $1 and $2: the first and the last row. $3: the time of row 0, $4: between two rows; ms. */
async function insertText(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns
     where table_schema = 'public' and table_name = 'transactions' order by ordinal_position`,
  )
  const names = rows.map(({ column_name }) => column_name)
  const values = names.map((name) => differing[name] ?? `s.${name}`)
  return `
    insert into transactions (${names.join(', ')})
    select ${values.join(', ')}
    from bench_sample s
    cross join generate_series($1::bigint, $2::bigint) g
    cross join lateral (select ($3::float8 + g * $4::float8)::bigint as ms) m
    cross join lateral (select to_timestamp(ms / 1000.0) as at,
      lpad(to_hex(ms), 12, '0') as hex) t
    cross join lateral (select (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-'
      || lpad(to_hex(g), 12, '0'))::uuid as id) i
    join bench_cards c on c.n = (g * 7919) % $5::bigint`
}
