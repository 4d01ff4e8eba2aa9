/** Records of clearing files, each with the tenant of its card. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow } from '#kit/clock.ts'
import type { Context, Tx } from '#kit/context.ts'
import { idArray, jsonArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import { Write } from '#kit/db/write.ts'
import type { Facts, RecordKind } from './rules/facts.ts'
import type { RecordState, Sibling } from './rules/ways.ts'

export type NewRecord = {
  number: number
  place: number
  mti: string
  function_code: string
  kind: RecordKind
  content: Record<string, string>
  facts: Facts
  card_id: string | null
  amount: bigint | null
  currency: string | null
  credit: boolean
  ard: string | null
}

export type RecordRow = Omit<NewRecord, 'place'> & {
  file_id: string
  place: string
  state: RecordState
  transaction_id: string | null
  dispute_id: string | null
  status_code: string | null
  reason: string | null
  booked_amount: bigint | null
  booked_currency: string | null
  reversed: boolean
  resolution: string | null
  note: string | null
  resolved_by: string | null
  resolved: Date | null
}

/** Up to `limit` records of a file that is not accepted; answers how many. */
export async function deleteRecords(
  { db, tenant_id }: Context,
  file_id: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number = any (array(
      select number from clearing_records
      where tenant_id = ${tenant_id} and file_id = ${file_id}
      order by number limit ${limit}))`.execute(db)
  return Number(numAffectedRows)
}

/** In the order of the file. */
export async function insertRecords(
  { db, tenant_id }: Context,
  file_id: string,
  records: readonly NewRecord[],
): Promise<void> {
  if (records.length === 0) return
  const plain = (of: (record: NewRecord) => string | number | bigint | boolean | null) =>
    plainArray(records.map(of))
  await sql`
    insert into clearing_records (tenant_id, file_id, state, claimed, number, place, mti,
      function_code, kind, card_id, amount, currency, credit, ard, content, facts)
    select anchor.tenant_id, ${file_id}::uuid, 'WAITING', ${databaseNow}, given.*
    from tenant_anchors anchor cross join rows from (
      unnest(${plain((one) => one.number)}::int[]), unnest(${plain((one) => one.place)}::bigint[]),
      unnest(${textArray(records.map((one) => one.mti))}::text[]),
      unnest(${textArray(records.map((one) => one.function_code))}::text[]),
      unnest(${plain((one) => one.kind)}::text[]), unnest(${plain((one) => one.card_id)}::uuid[]),
      unnest(${plain((one) => one.amount)}::bigint[]),
      unnest(${plain((one) => one.currency)}::text[]),
      unnest(${plain((one) => one.credit)}::boolean[]),
      unnest(${textArray(records.map((one) => one.ard))}::text[]),
      unnest(${jsonArray(records.map((one) => JSON.stringify(one.content)))}),
      unnest(${jsonArray(records.map((one) => JSON.stringify(one.facts)))})) as given
    where anchor.tenant_id = ${tenant_id}`.execute(db)
}

export const ofAccepted = sql`exists (select from clearing_files f
  where f.id = r.file_id and f.state = 'ACCEPTED')`

export const inOrder = (one: Key, other: Key): number =>
  one.file_id === other.file_id ? one.number - other.number : one.file_id < other.file_id ? -1 : 1

export type Key = Pick<RecordRow, 'file_id' | 'number'>

const filesOf = (records: readonly Key[]) => plainArray(records.map(({ file_id }) => file_id))
const numbersOf = (records: readonly Key[]) => plainArray(records.map(({ number }) => number))

export const keysOf = (records: readonly Key[]) => sql`
  unnest(${filesOf(records)}::uuid[], ${numbersOf(records)}::int[]) as given (file_id, number)`

/** Records of one file with numbers so near to each other are found by the range of them. */
const NEAR = 1_000

/**
 * A record, `r`, is `given`. Without the lists, a join that is planned before the statistics of a
 * new file are made reads all of its records. PostgreSQL 15 does with them too: it reads only the
 * range of a portion's.
 */
export const isGiven = (records: readonly Key[]) => sql`
  r.file_id = given.file_id and r.number = given.number
    and r.file_id = any (${plainArray([...new Set(records.map(({ file_id }) => file_id))])}::uuid[])
    and r.number = any (${numbersOf(records)}::int[]) ${isNear(records)}`

function isNear(records: readonly Key[]): RawBuilder<unknown> {
  const sorted = records.toSorted(inOrder)
  const [first, last] = [sorted.at(0), sorted.at(-1)]
  if (!first || first.file_id !== last?.file_id || last.number - first.number >= NEAR) return sql``
  return sql`and (r.file_id, r.number) >= (${first.file_id}::uuid, ${first.number}::int)
    and (r.file_id, r.number) <= (${last.file_id}::uuid, ${last.number}::int)`
}

/** Those of the records that still wait; another process may have decided the others. */
export async function lockWaiting({ db, tenant_id }: Tx, records: readonly Key[]): Promise<Key[]> {
  if (records.length === 0) return []
  const { rows } = await sql<Key>`
    select r.file_id, r.number from clearing_records r join ${keysOf(records)}
      on ${isGiven(records)}
    where r.tenant_id = ${tenant_id} and r.state = 'WAITING'
    order by r.file_id, r.number for update of r`.execute(db)
  return rows
}

/**
 * All records with these acquirer reference data, in the order of the files. Each is looked up for
 * itself (`offset 0`): a list of them, before the statistics are made, reads all of a new file.
 */
export async function listSiblings(
  { db, tenant_id }: Context,
  ards: readonly string[],
): Promise<(Sibling & { ard: string })[]> {
  if (ards.length === 0) return []
  const { rows } = await sql<Sibling & { ard: string }>`
    select r.ard, r.file_id, r.number, r.kind, r.state, r.reason, r.reversed
    from unnest(${textArray(ards)}::text[]) as given (ard)
    cross join lateral (
      select * from clearing_records
      where tenant_id = ${tenant_id} and ard = given.ard offset 0) r
    where ${ofAccepted}`.execute(db)
  return rows.toSorted(inOrder)
}

/**
 * Purchases of these cards, before the last of the records, that wait: another process has them in
 * hand, so they are few.
 */
export async function listEarlierPurchases(
  { db, tenant_id }: Context,
  records: readonly (Key & Pick<RecordRow, 'card_id'>)[],
): Promise<(Key & { card_id: string; rrn: string })[]> {
  const last = records.toSorted(inOrder).at(-1)
  if (!last) return []
  const cards = [...new Set(records.map(({ card_id }) => card_id))]
  const { rows } = await sql<Key & { card_id: string; rrn: string }>`
    select r.file_id, r.number, r.card_id, r.facts ->> 'rrn' as rrn from clearing_records r
    where r.tenant_id = ${tenant_id} and r.state = 'WAITING'
      and (r.file_id, r.number) < (${last.file_id}::uuid, ${last.number}::int)
      and r.card_id = any (${plainArray(cards)}::uuid[]) and r.kind = 'PRESENTMENT'
      and not r.credit and r.facts ->> 'rrn' is not null and ${ofAccepted}`.execute(db)
  return rows
}

export type DecidedRecord = Pick<RecordRow, 'file_id' | 'number'> & {
  state: RecordState
  transaction_id: string | null
  /** The dispute that it moves. */
  dispute_id?: string
  status_code: string | null
  reason: string | null
  booked: { amount: bigint; currency: string } | undefined
}

/**
 * Fails (kit/db/conflict.ts) if one of them does not wait any more. The values by the place of the
 * number, not by a join, which compares each record with each other one; so a file at a time.
 */
export function updateDecided(tx: Tx, decided: readonly DecidedRecord[]): Write {
  const byFile = Map.groupBy(decided, ({ file_id }) => file_id)
  const files = [...byFile].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Write.all(tx.db, ...files.map(([file_id, records]) => updateOfFile(tx, file_id, records)))
}

function updateOfFile(tx: Tx, file_id: string, given: readonly DecidedRecord[]): Write {
  const decided = given.toSorted((one, other) => one.number - other.number)
  const column = (of: (record: DecidedRecord) => string | number | bigint | null) =>
    plainArray(decided.map(of))
  const ids = (of: (record: DecidedRecord) => string | null) => idArray(decided.map(of))
  const numbers = sql`${numbersOf(decided)}::int[]`
  const updated = sql`
    update clearing_records r set (state, transaction_id, dispute_id, status_code, reason,
      booked_amount, booked_currency) = (
        select (${column((one) => one.state)}::text[])[at],
          (${ids((one) => one.transaction_id)}::uuid[])[at],
          (${ids((one) => one.dispute_id ?? null)}::uuid[])[at],
          (${column((one) => one.status_code)}::text[])[at],
          (${column((one) => one.reason)}::text[])[at],
          (${column((one) => one.booked?.amount ?? null)}::bigint[])[at],
          (${column((one) => one.booked?.currency ?? null)}::text[])[at]
        from array_position(${numbers}, r.number) as at)
    where r.tenant_id = ${tx.tenant_id} and r.file_id = ${file_id} and r.number = any (${numbers})
      and r.number between ${decided[0]?.number}::int and ${decided.at(-1)?.number}::int
      and r.state = 'WAITING'
    returning 1`
  return Write.of(tx.db, expectRows(updated, decided.length))
}

export function updateReversed(tx: Tx, records: readonly Key[]): Write {
  if (records.length === 0) return Write.of(tx.db)
  const updated = sql`
    update clearing_records r set reversed = true
    from ${keysOf(records)}
    where r.tenant_id = ${tx.tenant_id} and ${isGiven(records)} and not r.reversed
    returning 1`
  return Write.of(tx.db, expectRows(updated, records.length))
}

/** The record, which nobody else changes until the transaction ends. */
export async function lockRecord(
  { db, tenant_id }: Tx,
  file_id: string,
  number: number,
): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select * from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number = ${number}
    for no key update`.execute(db)
  return rows[0]
}

export type Resolved = Pick<RecordRow, 'file_id' | 'number'> & {
  resolution: 'POSTED' | 'RETURNED' | 'WRITTEN_OFF'
  note: string
  resolved_by: string
  transaction_id: string | null
  card_id: string | null
}

/** It is locked, and in suspense. */
export function updateResolved(tx: Tx, resolved: Resolved): Write {
  const updated = sql`
    update clearing_records set state = 'RESOLVED', resolution = ${resolved.resolution},
      note = ${resolved.note}, resolved_by = ${resolved.resolved_by},
      resolved = ${databaseNow}, claimed = ${databaseNow},
      transaction_id = coalesce(${resolved.transaction_id}::uuid, transaction_id),
      card_id = coalesce(${resolved.card_id}::uuid, card_id)
    where tenant_id = ${tx.tenant_id} and file_id = ${resolved.file_id}
      and number = ${resolved.number} and state = 'SUSPENDED'
    returning 1`
  return Write.of(tx.db, expectRows(updated, 1))
}

export type RecordSum = {
  state: RecordState
  kind: RecordKind
  resolution: string | null
  currency: string | null
  credit: boolean
  count: number
  amount: bigint
}

/** The records of files of one tenant, summed for each. */
export async function listSums(
  { db, tenant_id }: Context,
  file_ids: readonly string[],
): Promise<(RecordSum & { file_id: string })[]> {
  const { rows } = await sql<RecordSum & { file_id: string }>`
    select file_id, state, kind, resolution, currency, credit, count(*)::int as count,
      coalesce(sum(amount), 0)::bigint as amount
    from clearing_records
    where tenant_id = ${tenant_id} and file_id = any(${plainArray(file_ids)}::uuid[])
    group by file_id, state, kind, resolution, currency, credit
    order by file_id, state, kind, resolution, currency, credit`.execute(db)
  return rows
}

export type RecordFilter = { state?: RecordState; after: number; limit: number }

export async function listRecordRows(
  { db, tenant_id }: Context,
  file_id: string,
  { state, after, limit }: RecordFilter,
): Promise<RecordRow[]> {
  const { rows } = await sql<RecordRow>`
    select * from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number > ${after}
      ${state === undefined ? sql`` : sql`and state = ${state}`}
    order by number limit ${limit}`.execute(db)
  return rows
}

export async function findRecord(
  { db, tenant_id }: Context,
  file_id: string,
  number: number,
): Promise<RecordRow | undefined> {
  const { rows } = await sql<RecordRow>`
    select * from clearing_records
    where tenant_id = ${tenant_id} and file_id = ${file_id} and number = ${number}`.execute(db)
  return rows[0]
}
