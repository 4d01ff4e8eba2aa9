/** The transactions that messages act on, by the names that the messages have for them. */

import { sql } from 'kysely'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type { Context } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import type { OpenTransaction } from '../../decide/evidence.ts'
import type { MessageName } from '../../decide/message_keys.ts'
import { isRecent } from './recent.ts'

/** How follow-up messages name their originals: all that the batch needs, as parallel lists. */
export type Originals = {
  ids: readonly string[]
  message_keys: readonly MessageName[]
  by_rrn: readonly { card_id: string; rrn: string }[]
}

type OpenRow = TransactionRow & { held: bigint | null; message_key: string | null }

/**
 * Messages that differ only in their retrieval reference. The one that has the reference of the
 * message that names it is read beside them, however many there are.
 */
const MESSAGES_OF_A_KEY = 20

/** The originals of a batch with what is still held, and the duplicate keys that DE90 may mean. */
export async function listOriginals(
  { db, tenant_id }: Context,
  { ids, message_keys, by_rrn }: Originals,
): Promise<{ transactions: OpenTransaction[]; named: Map<string, string> }> {
  const named = new Map<string, string>()
  if (ids.length + message_keys.length + by_rrn.length === 0) return { transactions: [], named }
  const { rows } = await sql<OpenRow>`
    with named as (
      select null::text as message_key, id from unnest(${plainArray(ids)}::uuid[]) as given (id)
      union all
      select m.key, m.transaction_id
      from unnest(${textArray(message_keys.map(({ message_key }) => message_key))}::text[],
        ${textArray(message_keys.map(({ rrn }) => rrn))}::text[]) as given (key, rrn)
      cross join lateral (
        (select key, transaction_id from network_messages
        where tenant_id = ${tenant_id} and key = given.key || '|' || given.rrn
          and ${isRecent('network_messages')} limit 1)
        union all
        (select key, transaction_id from network_messages
        where tenant_id = ${tenant_id} and key >= given.key || '|' and key < given.key || '}'
          and ${isRecent('network_messages')}
        limit ${sql.lit(MESSAGES_OF_A_KEY)})) m
      union all
      select null, t.id
      from unnest(${textArray(by_rrn.map(({ rrn }) => rrn))}::text[],
        ${plainArray(by_rrn.map(({ card_id }) => card_id))}::uuid[]) as given (rrn, card_id)
      cross join lateral (
        select id, card_id from transactions
        where tenant_id = ${tenant_id} and rrn = given.rrn offset 0) t
      where t.card_id = given.card_id)
    select n.message_key, t.*, h.amount as held
    from named n
    cross join lateral (
      select * from transactions where tenant_id = ${tenant_id} and id = n.id limit 1) t
    left join lateral (
      select amount from holds where tenant_id = ${tenant_id} and id = n.id limit 1) h on true
    order by t.id`.execute(db)

  const transactions = new Map<string, OpenTransaction>()
  for (const { held, message_key, ...row } of rows) {
    if (message_key !== null) named.set(message_key, row.id)
    const hold = held === null ? 'none' : 'stored'
    transactions.set(row.id, { row, held: held ?? 0n, hold })
  }
  return { transactions: [...transactions.values()], named }
}
