/** Whether the database has each effect that clients have an answer for, once (I3 to I5). */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Answered, Crowd, Kind } from './crowd.ts'

type Effect = { key: string; count: number }

/** The number of effects of each key, by the mark that its request left there. */
async function effectsOf(db: Db, kind: Kind): Promise<Map<string, number>> {
  const { rows } = await effects[kind]().execute(db)
  return new Map(rows.map(({ key, count }) => [key, count]))
}

/** The name of the merchant of transaction `t`. */
const shop = sql`t.details -> 'merchant' ->> 'name'`
const marked = (message_type: string) => sql<Effect>`
  select ${shop} as key, count(*)::int as count from transactions t
  where details ->> 'message_type' = ${message_type} and ${shop} ~ '^k[0-9]+$' group by 1`
const operations = (type: string) => sql<Effect>`
  select substring(idempotency_key from '[^:]*$') as key, count(*)::int as count
  from order_operations where type = ${type} and status = 'SUCCESS' group by 1`

const effects: Record<Kind, () => ReturnType<typeof sql<Effect>>> = {
  load: () => sql<Effect>`
    select notes as key, count(*)::int as count from transfers where notes is not null group by 1`,
  authorize: () => marked('0100'),
  refund: () => marked('0200'),
  clear: () => sql<Effect>`
    select t.id::text as key, count(*)::int as count
    from transactions t cross join lateral json_array_elements(t.details -> 'events') e
    where e ->> 'type' = 'CLEARED' and t.details ->> 'message_type' = '0100'
      and ${shop} ~ '^k[0-9]+$' group by 1`,
  'order capture': () => operations('CAPTURE'),
  'order refund': () => operations('REFUND'),
}

const succeeded = ({ kind, status, body }: Answered): boolean =>
  status === 200 && (!kind.startsWith('order') || body.status === 'SUCCESS')

type Remembered = Pick<Crowd, 'answered' | 'stock' | 'acknowledged'>

/** Keys and cards with another number of effects than their answers state. */
export async function auditCrowd(db: Db, { answered, stock, acknowledged }: Remembered) {
  const found: object[] = await acknowledged.audit(db)
  for (const kind of Object.keys(effects) as Kind[]) {
    const done = await effectsOf(db, kind)
    const expected = new Map<string, number>()
    for (const one of answered.filter((each) => each.kind === kind)) {
      const name = kind === 'clear' ? one.about : one.key
      expected.set(name, (expected.get(name) ?? 0) + (succeeded(one) ? 1 : 0))
    }
    for (const key of new Set([...done.keys(), ...expected.keys()])) {
      const [is, expected_count] = [done.get(key) ?? 0, expected.get(key) ?? 0]
      if (is !== expected_count)
        found.push({ invariant: 'I4', kind, key, effects: is, answered: expected_count })
    }
  }
  for (const { id, status, moves } of stock.own_cards) {
    const { rows } = await sql<{ status: string; moves: number }>`
      select status, (select count(*)::int from events e where e.tenant_id = c.tenant_id
        and e.object_id = c.id and e.event = 'CARD_STATUS_CHANGE') as moves
      from cards c where id = ${id}`.execute(db)
    const is = rows[0]
    if (is?.status !== status || is.moves !== moves)
      found.push({ invariant: 'I5', card: id, is, answered: { status, moves } })
  }
  return found
}
