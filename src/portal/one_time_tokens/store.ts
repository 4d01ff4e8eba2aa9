/** One-time tokens by their digests. Their times are the database's (D-350). */

import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import type { Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'

export type TokenKind = Selectable<Database['portal_tokens']>['kind']

type NewToken = { token_hash: Buffer; kind: TokenKind; data: object; valid_ms: number }

export async function insertToken({ db }: Tx, token: NewToken): Promise<void> {
  const { token_hash, kind, data, valid_ms } = token
  const expires = databaseNowPlus(valid_ms)
  await db
    .insertInto('portal_tokens')
    .values({ token_hash, kind, data: JSON.stringify(data), expires, created: databaseNow })
    .execute()
}

/** Locks an unused token that has not expired. */
export async function lockToken({ db }: Tx, kind: TokenKind, token_hash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ data: unknown }>`
    select data from portal_tokens
    where token_hash = ${token_hash} and kind = ${kind} and used is null
      and expires > ${databaseNow} for update`.execute(db)
  return rows[0]?.data
}

export async function updateTokenUsed({ db }: Tx, token_hash: Buffer): Promise<void> {
  await db
    .updateTable('portal_tokens')
    .set({ used: databaseNow })
    .where('token_hash', '=', token_hash)
    .execute()
}
