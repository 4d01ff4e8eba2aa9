/** At most one effect per key (D-10): the answer is stored in the transaction of the effect. */

import { type RawBuilder, sql } from 'kysely'
import { databaseNow, databaseNowPlus } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { bytesArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { ifUnchanged, isConflict } from '#kit/db/conflict.ts'
import { openSavepoint } from '#kit/db/savepoints.ts'
import { rowsWritten, Write } from '#kit/db/write.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { ApiError, CommittedError } from '#lib/result.ts'

/** Keys are valid for 24 hours of real time (D-115). */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1000
const KEY_LIFETIME = sql.lit(`${KEY_LIFETIME_MS / 1000} seconds`)
/** A key made after this instant of the database's clock is still valid (D-350). */
export const LIVING_SINCE = databaseNowPlus(-KEY_LIFETIME_MS)

/**
 * The status of the row by which a request that is under way holds its key: Processing, never
 * answered.
 */
const BEGUN = 102

/** A client's key with the keyed hash of its request: method, path and body. */
export type IdempotencyKey = {
  key: string
  fingerprint: Buffer
  /** The answer contains a secret that is returned once (D-101), so it is stored sealed. */
  sealed?: true
}

/** An answer as it was sent: replays are the same bytes. */
export type Finished = { status: number; content_type: string; body: string }

export type Answered = Finished & { replayed: boolean }

/**
 * `request` is method and path. Keyed, because a body may contain a card number and a CVV2, which
 * a reader of the database could find by trying them all.
 */
export function fingerprintOf({ keys }: Context, request: string, body: string): Buffer {
  return keys.digest('lookup', `request ${request}\n${body}`)
}

/**
 * Performs `work` once per key. `work` returns the answer to store; `toAnswer` turns a thrown
 * ApiError into the answer to store (its effects rolled back, except those of a CommittedError), or
 * into undefined when it is not stored. Other errors store nothing, so the request may be repeated.
 *
 * Fails with `idempotency_key_reused` for another request under the same key, and with
 * `idempotency_key_in_use` while the first still runs. The lock ends with its transaction, so a
 * crash leaves no key locked.
 */
export async function once(
  ctx: Context,
  key: IdempotencyKey,
  work: (tx: Tx) => Promise<Finished>,
  toAnswer: (error: ApiError) => Finished | undefined,
): Promise<Answered> {
  return transact(ctx, async (tx) => {
    const stored = await claim(tx, key)
    if (stored) return { ...stored, replayed: true }
    const finished = await withinSavepoint(tx, work, toAnswer)
    void tx.withCommit(keepAnswers(tx, [{ key, ...finished }]))
    return { ...finished, replayed: false }
  })
}

/** The keys whose requests this process is working on, if no transaction holds them. */
const running = new Set<string>()

/**
 * The same for work that opens its own transactions: `work` stores its answer with keepAnswers in
 * the transaction of its effect. Nothing is locked meanwhile; if two processes work under one key,
 * the second conflicts with the first's answer and has no effect.
 */
export async function onceElsewhere(
  ctx: Context,
  key: IdempotencyKey,
  work: () => Promise<unknown>,
  toAnswer: (error: ApiError) => Finished | undefined,
): Promise<Answered> {
  const name = `${ctx.tenant_id}:${key.key}`
  if (running.has(name)) throw new ApiError('idempotency_key_in_use')
  running.add(name)
  try {
    return await joined(ctx, key, work, toAnswer)
  } finally {
    running.delete(name)
  }
}

/** The same for work that may run several times under one key and finds the earlier effect. */
export async function joined(
  ctx: Context,
  key: IdempotencyKey,
  work: () => Promise<unknown>,
  toAnswer: (error: ApiError) => Finished | undefined,
): Promise<Answered> {
  const stored = await findStored(ctx, key)
  if (stored) return { ...stored, replayed: true }
  await workOrKeepError(ctx, key, work, toAnswer)
  const kept = await findStored(ctx, key)
  if (!kept) throw new Error('the work stored no answer under its idempotency key')
  return { ...kept, replayed: false }
}

async function workOrKeepError(
  ctx: Context,
  key: IdempotencyKey,
  work: () => Promise<unknown>,
  toAnswer: (error: ApiError) => Finished | undefined,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    const inUse = error instanceof ApiError && error.code === 'idempotency_key_in_use'
    const answer = error instanceof ApiError && !inUse ? toAnswer(error) : undefined
    if (!answer) throw error
    await transact(ctx, (tx) => keepAnswer(tx, key, answer))
  }
}

async function findStored(ctx: Context, key: IdempotencyKey): Promise<Finished | undefined> {
  const stored = await findAnswer(ctx, key.key)
  return stored && opened(ctx, key, stored)
}

/**
 * Locks the key for this transaction and returns its stored answer, if any. The lock is of one
 * server: it lets a second request fail at once. Requests that two servers let through conflict in
 * the end, since a key has one answer.
 */
async function claim(tx: Tx, key: IdempotencyKey): Promise<Finished | undefined> {
  const name = `${tx.tenant_id}:${key.key}`
  const [lock, stored] = await Promise.all([
    sql<{ taken: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(tx.db),
    findAnswer(tx, key.key),
  ])
  if (!lock.rows[0]?.taken) throw new ApiError('idempotency_key_in_use')
  return stored && opened(tx, key, stored)
}

/**
 * The stored answer as it was sent; undefined while the request holds its key. Fails when the key
 * was used for another request.
 */
function opened(ctx: Context, key: IdempotencyKey, stored: Stored): Finished | undefined {
  if (!stored.fingerprint.equals(key.fingerprint)) throw new ApiError('idempotency_key_reused')
  const { status, content_type, body } = stored
  if (status === BEGUN) return undefined
  return { status, content_type, body: key.sealed ? unsealed(ctx, key, body) : body }
}

async function findAnswer({ db, tenant_id }: Context, key: string): Promise<Stored | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'content_type', 'body'])
    .where('tenant_id', '=', tenant_id)
    .where('key', '=', key)
    .where('created', '>', LIVING_SINCE)
    .executeTakeFirst()
}

/** The keys among these that were used within their lifetime, for any request. */
export async function listUsedKeys(
  { db, tenant_id }: Context,
  keys: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ key: string }>`
    select key from idempotency_keys
    where tenant_id = ${tenant_id} and key = any (${textArray(keys)}::text[])
      and created > ${LIVING_SINCE}`.execute(db)
  return new Set(rows.map(({ key }) => key))
}

type Stored = Finished & { fingerprint: Buffer }
type AnswerRow = Stored & { key: string }

async function withinSavepoint(
  tx: Tx,
  work: (tx: Tx) => Promise<Finished>,
  toAnswer: (error: ApiError) => Finished | undefined,
): Promise<Finished> {
  const savepoint = openSavepoint(tx, 'request')
  try {
    return await work(tx)
  } catch (error) {
    const answer = error instanceof ApiError ? toAnswer(error) : undefined
    if (!answer) throw error
    if (!(error instanceof CommittedError)) {
      if (tx.changes) tx.changes.length = 0
      await savepoint.rollBack()
    }
    return answer
  }
}

/**
 * Holds the key for a request that begins something, in the transaction that does so: no other one
 * begins or stores anything under the key from then on (D-797). Its answer takes the place.
 */
export const holdKey = (tx: Tx, key: IdempotencyKey): Write =>
  keepAnswers(tx, [{ key, status: BEGUN, content_type: '', body: '{}' }])

/** Stores the finished answer in the transaction of its effect. */
export async function keepAnswer(tx: Tx, key: IdempotencyKey, answer: Finished): Promise<void> {
  const written = await Write.of(tx.db, upsertAnswers(tx, [rowOf(tx, { key, ...answer })])).start()
  if (rowsWritten(written) !== 1) throw new ApiError('idempotency_key_in_use')
}

/** The key under which a route keeps its answer, and the answer as it will leave. */
export type Keep = { key: IdempotencyKey; finish: (result: unknown) => Finished }

/**
 * For a route with `keepsOwnAnswer`: answers `result`, which is stored if the request has a key.
 */
export async function kept<Result>(tx: Tx, keep: Keep | undefined, result: Result) {
  if (keep) await keepAnswer(tx, keep.key, keep.finish(result))
  return result
}

type Kept = { key: IdempotencyKey } & Finished

/** Stores any number of answers in one statement; a conflict fails in the database. */
export function keepAnswers(tx: Tx, answers: readonly Kept[]): Write {
  const rows = answers.map((answer) => rowOf(tx, answer))
  const statements = rows.length === 0 ? [] : [upsertAnswers(tx, rows, true)]
  return Write.explained(tx.db, explainConflict, ...statements)
}

const explainConflict = (error: unknown): unknown =>
  isConflict(error) ? new ApiError('idempotency_key_in_use') : error

const rowOf = (tx: Tx, { key, status, content_type, body }: Kept): AnswerRow => ({
  key: key.key,
  fingerprint: key.fingerprint,
  status,
  content_type,
  body: key.sealed ? sealed(tx, key, body) : body,
})

/**
 * Only what is past its lifetime, or by which the same request holds its key, may be replaced. All
 * else is a conflict, which ends the transaction if it must fail, and else writes no row.
 */
function upsertAnswers(
  { tenant_id }: Tx,
  rows: readonly AnswerRow[],
  mustFail = false,
): RawBuilder<unknown> {
  const isPast = sql`excluded.created - k.created >= ${KEY_LIFETIME}::interval`
  const isHeld = sql`k.status = ${sql.lit(BEGUN)} and k.fingerprint = excluded.fingerprint`
  const isFree = sql`(${isPast} or (${isHeld}))`
  const status = sql`excluded.status`
  return sql`
    insert into idempotency_keys as k (tenant_id, key, fingerprint, status, content_type, body,
      created)
    select anchor.tenant_id, given.*, ${databaseNow}
    from tenant_anchors anchor cross join unnest(${textArray(rows.map(({ key }) => key))}::text[],
      ${bytesArray(rows.map(({ fingerprint }) => fingerprint))}::bytea[],
      ${plainArray(rows.map(({ status }) => status))}::int[],
      ${textArray(rows.map(({ content_type }) => content_type))}::text[],
      ${textArray(rows.map(({ body }) => body))}::text[]) as given
    where anchor.tenant_id = ${tenant_id}
    on conflict (tenant_id, key) do update set fingerprint = excluded.fingerprint,
      status = ${mustFail ? ifUnchanged(status, isFree) : status},
      content_type = excluded.content_type, body = excluded.body, created = excluded.created
    ${mustFail ? sql`` : sql`where ${isFree}`}`
}

function sealed({ keys, tenant_id }: Tx, { key }: IdempotencyKey, body: string): string {
  return keys.seal('secrets', Buffer.from(body), bindOf({ tenant_id, key })).toString('base64')
}

function unsealed({ keys, tenant_id }: Context, { key }: IdempotencyKey, body: string): string {
  return keys.open('secrets', Buffer.from(body, 'base64'), bindOf({ tenant_id, key })).toString()
}

function bindOf({ tenant_id, key }: { tenant_id: string; key: string }): string {
  return `answer:${tenant_id}:${key}`
}

/** Sealed answers; the others begin with the bracket of their JSON. */
export const sealedAnswers: SealedColumn<'tenant_id' | 'key'> = {
  purpose: 'secrets',
  table: 'idempotency_keys',
  column: 'body',
  base64: true,
  by: { tenant_id: 'uuid', key: 'text' },
  bind: bindOf,
}
