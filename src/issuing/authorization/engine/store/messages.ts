/**
 * Messages of the card network: the answers that their repeats get (D-109, D-312). A message that
 * made a transaction is in the row of that; all others are in `network_messages`.
 */

import { sql } from 'kysely'
import { readTransaction, type StoredTransaction } from '#issuing/transactions/transactions.ts'
import { databaseNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { jsonArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { Write } from '#kit/db/write.ts'
import { timeOfId } from '#lib/id.ts'
import type { NewMessage } from '../../decide/state/gathered.ts'
import { ANSWERS_MAX, answerKeysOf, isOfEarlyReversal } from '../../decide/state/message_keys.ts'
import { makingMessage } from '../../decide/state/repeats.ts'
import { DECLINED, type Undone } from '../../decide/state/undone.ts'
import type { AuthorizationAnswer } from '../../schema.ts'
import { isKey, isRecent, isRecentMessage } from './recent.ts'

type StoredMessage = Omit<NewMessage, 'answer'> & { answer: unknown }

/** Earlier answers under these keys, and reversals that wait for their original. */
export async function listMessages(ctx: Context, keys: readonly string[]): Promise<NewMessage[]> {
  if (keys.length === 0) return []
  const [made, others] = await Promise.all([
    listMakingMessages(
      ctx,
      keys.filter((key) => !isOfEarlyReversal(key)),
    ),
    listOtherMessages(ctx, keys),
  ])
  return [...made, ...others]
}

/** The messages that made a transaction. */
async function listMakingMessages(
  { db, tenant_id }: Context,
  keys: readonly string[],
): Promise<NewMessage[]> {
  if (keys.length === 0) return []
  const { rows } = await sql<StoredTransaction>`
    select t.* from ${madeUnder(tenant_id, keys)}`.execute(db)
  return rows.flatMap((row) => makingMessage(readTransaction(row)) ?? [])
}

/** The transactions, as `t`, whose message has one of these keys: the first of each. */
const madeUnder = (tenant_id: string, keys: readonly string[]) => sql`
  unnest(${textArray(keys)}::text[]) as given (key) cross join lateral (
    select * from transactions
    where tenant_id = ${tenant_id} and ${isKey(sql`message_key`, sql`given.key`)}
      and ${isRecentMessage()}
    order by tenant_id, message_key limit 1) t`

async function listOtherMessages(
  { db, tenant_id }: Context,
  keys: readonly string[],
): Promise<NewMessage[]> {
  const { rows } = await sql<StoredMessage>`
    select key, mti, transaction_id, answer, encode(fingerprint, 'hex') as fingerprint
    from network_messages
    where tenant_id = ${tenant_id} and key = any (${textArray(keys)}::text[])
      and ${isRecent('network_messages')}`.execute(db)
  return rows.map(readMessage)
}

/** The stored answers of these approvals beside the first, and those that were not sent. */
export async function listAnswered(
  { db, tenant_id }: Context,
  duplicate_keys: readonly string[],
): Promise<NewMessage[]> {
  if (duplicate_keys.length === 0) return []
  const ranges = duplicate_keys.flatMap(answerKeysOf)
  const { rows } = await sql<StoredMessage>`
    select m.key, m.mti, m.transaction_id, m.answer, encode(m.fingerprint, 'hex') as fingerprint
    from unnest(${textArray(ranges.map(({ first }) => first))}::text[],
      ${textArray(ranges.map(({ last }) => last))}::text[]) as given (first, last)
    cross join lateral (
      select * from network_messages
      where tenant_id = ${tenant_id} and key >= given.first and key < given.last
        and ${isRecent('network_messages')}
      order by tenant_id, key limit ${sql.lit(2 * ANSWERS_MAX)}) m`.execute(db)
  return rows.map(readMessage)
}

export function insertMessages(tx: Tx, messages: readonly NewMessage[]): Write {
  if (messages.length === 0) return Write.of(tx.db)
  // Sorted by their keys, so that two processes with the same repeats do not deadlock.
  const sorted = messages.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const inserted = sql`
    insert into network_messages (tenant_id, created, key, mti, transaction_id, fingerprint, answer)
    select anchor.tenant_id, ${databaseNow}, given.*
    from tenant_anchors anchor cross join rows from (
      unnest(${textArray(sorted.map(({ key }) => key))}::text[]),
      unnest(${plainArray(sorted.map(({ mti }) => mti))}::text[]),
      unnest(${plainArray(sorted.map(({ transaction_id }) => transaction_id))}::uuid[]),
      unnest(${plainArray(sorted.map(({ fingerprint }) => bytea(fingerprint)))}::bytea[]),
      unnest(${jsonArray(sorted.map(({ answer }) => writeAnswer(answer)))})) as given
    where anchor.tenant_id = ${tx.tenant_id}`
  return Write.of(tx.db, inserted)
}

/** Longer than a batch takes, and than clocks of processes differ. */
const MONTH_END_MS = 10 * 60_000

/**
 * Whether the message made a transaction about the end of a month. The key of such a message is
 * stored here as well: another process may give the same message an id of the other month, where
 * the key of the transaction is not compared (D-414).
 */
export function isOfMonthEnd({ transaction_id }: NewMessage): boolean {
  const at = timeOfId(transaction_id ?? '')
  const monthAt = (time: number) => new Date(time).getUTCMonth()
  return monthAt(at - MONTH_END_MS) !== monthAt(at + MONTH_END_MS)
}

/** Hex digits as PostgreSQL reads bytes inside an array. */
const bytea = (hex: string | null): string | null => (hex === null ? null : `"\\\\x${hex}"`)

/** The answer of message `m` as a declined one (1894). */
const declinedAnswer = sql`(m.answer::jsonb - 'approval_code' - 'emv'
  || ${JSON.stringify({ ...DECLINED, amount: String(DECLINED.amount) })}::jsonb)::json`

/**
 * The stored answers of requests that raised a transaction and were reversed become those of
 * declined ones (1894): a repeat must not get an approval that holds nothing (D-302).
 */
export function updateReversedAnswers(tx: Tx, undone: readonly Undone[]): Write {
  if (undone.length === 0) return Write.of(tx.db)
  const updated = sql`
    update network_messages as m
    set answer = ${declinedAnswer}
    from rows from (unnest(${plainArray(undone.map((one) => one.transaction_id))}::uuid[]),
      unnest(${textArray(undone.map((one) => one.message_key ?? null))}::text[]),
      unnest(${plainArray(undone.map((one) => one.amount))}::bigint[]))
      as given (id, message_key, amount)
    cross join lateral (
      select key from network_messages
      where tenant_id = ${tx.tenant_id} and transaction_id = given.id and mti in ('0100', '0200')
        and ${isRecent('network_messages')}
      offset 0) of
    where m.tenant_id = ${tx.tenant_id} and m.key = of.key and ${isRecent('m')}
      and (m.answer ->> 'approved')::boolean
      and (given.message_key is null or (starts_with(m.key, given.message_key || '|')
        and (m.answer ->> 'amount')::bigint <= given.amount))`
  return Write.of(tx.db, updated)
}

/** Amounts are stored as text: JSON has no bigint. */
function writeAnswer(answer: AuthorizationAnswer | null): string {
  return JSON.stringify(answer, (_name, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
}

type WrittenAnswer = Omit<AuthorizationAnswer, 'amount' | 'available'> & {
  amount: string
  available?: { amount: string; ledger: string; currency: string }
}

function readMessage({ answer, ...message }: StoredMessage): NewMessage {
  return { ...message, answer: answer ? readAnswer(answer as WrittenAnswer) : null }
}

function readAnswer({ amount, available, ...rest }: WrittenAnswer): AuthorizationAnswer {
  return {
    ...rest,
    amount: BigInt(amount),
    ...(available && {
      available: {
        ...available,
        amount: BigInt(available.amount),
        ledger: BigInt(available.ledger),
      },
    }),
  }
}
