import { sql } from 'kysely'
import type { MaskedField } from '#iso8583/masked.ts'
import { databaseNow } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { idArray, jsonArray, plainArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import type { Direction, Source } from './schema.ts'

/** A masked message. `at` is the monotonic instant at which it came or left, milliseconds. */
export type LoggedMessage = {
  transaction_id: string
  source: Source
  direction: Direction
  mti: string
  bytes: number
  fields: readonly MaskedField[]
  at: number
}

export type WireRow = Omit<LoggedMessage, 'transaction_id' | 'at'> & { id: string; created: Date }

/** Messages of a transaction that are read at most; a chain of so many repeats is a fault. */
const MESSAGES_MAX = 200

export async function listWireRows(
  { db, tenant_id }: Context,
  transaction_id: string,
): Promise<WireRow[]> {
  const { rows } = await sql<WireRow>`
    select id, source, direction, mti, bytes, fields, created from wire_messages
    where tenant_id = ${tenant_id} and transaction_id = ${transaction_id}
    order by created, id limit ${sql.lit(MESSAGES_MAX)}`.execute(db)
  return rows
}

/** One statement for any number; their instants are counted back from the database's clock. */
export async function insertWireRows(
  db: Db,
  tenant_id: string,
  messages: readonly LoggedMessage[],
): Promise<void> {
  const now = performance.now()
  const plain = <Name extends 'source' | 'direction' | 'mti' | 'bytes'>(name: Name) =>
    plainArray(messages.map((message) => message[name]))
  await sql`
    insert into wire_messages (tenant_id, transaction_id, id, source, direction, mti, bytes, fields,
      created)
    select anchor.tenant_id, transaction_id, id, source, direction, mti, bytes, fields,
      ${databaseNow} - age * interval '1 millisecond'
    from tenant_anchors anchor cross join (select
      unnest(${idArray(messages.map(({ transaction_id }) => transaction_id))}::uuid[])
        as transaction_id,
      unnest(${idArray(messages.map(() => newId()))}::uuid[]) as id,
      unnest(${plain('source')}::text[]) as source,
      unnest(${plain('direction')}::text[]) as direction,
      unnest(${plain('mti')}::text[]) as mti,
      unnest(${plain('bytes')}::int[]) as bytes,
      unnest(${jsonArray(messages.map(({ fields }) => JSON.stringify(fields)))}) as fields,
      unnest(${plainArray(messages.map(({ at }) => Math.max(0, Math.round(now - at))))}::int[])
        as age) as messages
    where anchor.tenant_id = ${tenant_id}`.execute(db)
}
