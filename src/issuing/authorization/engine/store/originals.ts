/** The transactions that messages act on, by the names that the messages have for them. */

import { type RawBuilder, sql } from 'kysely'
import { readTransaction, type StoredTransaction } from '#issuing/transactions/transactions.ts'
import type { Context } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import type { OpenTransaction } from '../../decide/rows.ts'
import { isOfAny, type MessageName } from '../../decide/state/message_keys.ts'
import { isKey, isRecent, isRecentAuthorization, isRecentMessage } from './recent.ts'

/** How follow-up messages name their originals: all that the batch needs, as parallel lists. */
export type Originals = {
  ids: readonly string[]
  message_keys: readonly MessageName[]
  by_rrn: readonly Reference[]
}

/** `isNew`: the message is a new authorization, which acts only on amounts that are still held. */
export type Reference = { card_id: string; rrn: string; isNew: boolean }

type NamedRow = StoredTransaction & { named_by: string | null }

/**
 * Messages that differ only in their retrieval reference. The one that has the reference of the
 * message that names it is read beside them, however many there are.
 */
const MESSAGES_OF_A_KEY = 20
/** Transactions of a card under one retrieval reference that are looked at, the newest first. */
const OF_A_REFERENCE = 100

/**
 * The messages that DE90 may name: `whole` is a key with its reference, and `first` and `last` are
 * around all keys that differ only in theirs. They are values: under row security, no index serves
 * a condition that computes one from a column (D-509). In a table where `key` is their key and `id`
 * the transaction.
 */
const messagesOf = (table: RawBuilder<unknown>, tenant_id: string) => sql`
  (select key, id from ${table} where tenant_id = ${tenant_id}
    and ${isKey(sql`key`, sql`given.whole`)} order by tenant_id, key limit 1)
  union all
  (select key, id from ${table} where tenant_id = ${tenant_id}
    and key >= given.first and key < given.last
    order by tenant_id, key limit ${sql.lit(MESSAGES_OF_A_KEY)})`

const ofTransactions = () => sql`(select tenant_id, message_key as key, id from transactions
  where ${isRecentMessage()}) m`
const ofOthers = sql`(select tenant_id, key, transaction_id as id from network_messages
  where ${isRecent('network_messages')}) m`

const byId = (ids: readonly string[]) => sql`
  select null::text as named_by, given.id from unnest(${plainArray(ids)}::uuid[]) as given (id)`

/** A name that leaves the acquirer open begins those of all acquirers. */
const startOf = (name: string) => (isOfAny(name) ? name.slice(0, -1) : name)

const byMessage = (names: readonly MessageName[], tenant_id: string) => sql`
  select m.key as named_by, m.id
  from unnest(${textArray(names.map(({ message_key, rrn }) => `${message_key}|${rrn}`))}::text[],
    ${textArray(names.map(({ message_key }) => `${startOf(message_key)}|`))}::text[],
    ${textArray(names.map(({ message_key }) => `${startOf(message_key)}}`))}::text[])
    as given (whole, first, last)
  cross join lateral (
    ${messagesOf(ofTransactions(), tenant_id)} union all ${messagesOf(ofOthers, tenant_id)}) m`

/** The expression of the index. */
const RRN = sql`rrn collate "C"`

/** Transactions of these references: recent ones, or of any age. */
const byReference = (
  given: readonly Reference[],
  tenant_id: string,
  age: RawBuilder<unknown>,
) => sql`
  select null::text as named_by, t.id
  from unnest(${textArray(given.map(({ rrn }) => rrn))}::text[],
    ${plainArray(given.map(({ card_id }) => card_id))}::uuid[]) as given (rrn, card_id)
  cross join lateral (
    select id from transactions
    where tenant_id = ${tenant_id} and rrn is not null and card_id is not null
      and ${isKey(RRN, sql`given.rrn`)} and ${isKey(sql`card_id`, sql`given.card_id`)} and ${age}
    order by tenant_id desc, ${RRN} desc, card_id desc, id desc limit ${sql.lit(OF_A_REFERENCE)}) t`

/** The originals of a batch, and the duplicate keys that DE90 may mean. */
export async function listOriginals(
  { db, tenant_id }: Context,
  { ids, message_keys, by_rrn }: Originals,
): Promise<{ transactions: OpenTransaction[]; named: Map<string, string> }> {
  const named = new Map<string, string>()
  if (ids.length + message_keys.length + by_rrn.length === 0) return { transactions: [], named }
  const recent = by_rrn.filter(({ isNew }) => isNew)
  const old = by_rrn.filter(({ isNew }) => !isNew)
  // Only the parts that are asked for: each takes time, also if it finds nothing.
  const parts: RawBuilder<unknown>[] = []
  if (ids.length > 0) parts.push(byId(ids))
  if (message_keys.length > 0) parts.push(byMessage(message_keys, tenant_id))
  if (recent.length > 0) parts.push(byReference(recent, tenant_id, isRecentAuthorization()))
  if (old.length > 0) parts.push(byReference(old, tenant_id, sql`true`))
  const { rows } = await sql<NamedRow>`
    with named as (${sql.join(parts, sql` union `)})
    select n.named_by, t.*
    from named n
    cross join lateral (
      select * from transactions where tenant_id = ${tenant_id} and id = n.id limit 1) t
    order by t.id`.execute(db)

  const transactions = new Map<string, OpenTransaction>()
  for (const { named_by, ...stored } of rows) {
    if (named_by !== null) named.set(named_by, stored.id)
    if (!transactions.has(stored.id)) transactions.set(stored.id, opened(stored))
  }
  return { transactions: [...transactions.values()], named }
}

/** The transactions of a card that are looked at for the code of an approval, the newest first. */
const OF_A_CARD = 200

export type ApprovalOfCard = { card_id: string; approval_code: string }

/**
 * The recent transactions of these cards with these approval codes, their own or that of an advice
 * (D-1035). Both are in the text of the details, as they were written.
 */
export async function listApproved(
  { db, tenant_id }: Context,
  given: readonly ApprovalOfCard[],
): Promise<OpenTransaction[]> {
  const { rows } = await sql<StoredTransaction>`
    select distinct on (t.id) t.*
    from unnest(${plainArray(given.map(({ card_id }) => card_id))}::uuid[],
      ${textArray(given.map(({ approval_code }) => `"approval_code":"${approval_code}"`))}::text[])
      as given (card_id, code)
    cross join lateral (
      select * from transactions
      where tenant_id = ${tenant_id} and card_id is not null
        and ${isKey(sql`card_id`, sql`given.card_id`)} and ${isRecentAuthorization()}
      order by tenant_id desc, card_id desc, id desc limit ${sql.lit(OF_A_CARD)}) t
    where position(given.code in t.details::text) > 0
    order by t.id`.execute(db)
  return rows.map(opened)
}

function opened(stored: StoredTransaction): OpenTransaction {
  const row = readTransaction(stored)
  return { row, read_sequence: row.events.length }
}
