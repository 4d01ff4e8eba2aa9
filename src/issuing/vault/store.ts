/** The SQL of the vault: the only file that uses its schema. All secrets are sealed here. */

import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Context, Tx } from '#kit/context.ts'
import { bytesArray, plainArray } from '#kit/db/arrays.ts'
import { expectRows } from '#kit/db/conflict.ts'
import type { Db } from '#kit/db/database.ts'
import { Write } from '#kit/db/write.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { ApiError } from '#lib/result.ts'
import {
  bindingOfKeySet,
  bindingOfMailedPin,
  bindingOfNumber,
  bindingOfPin,
} from './rules/bindings.ts'

export type Range = {
  card_product_id: string
  bin: string
  /** The digits between BIN and check digit, as whole numbers. */
  range_start: bigint
  range_end: bigint
}

/** The use of the numbers of a range; a product has one range for each. */
export type RangeKind = 'CARD' | 'TOKEN'

/** `next` numbers of the range were taken before these. */
export type TakenNumbers = Range & { next: bigint }

/** `card_id` is the token's if `token_of` names its card. */
export type SealedPan = {
  card_id: string
  token_of: string | null
  sealed: Buffer
  digest: Buffer
}

export type SealedPin = { card_id: string; sealed: Buffer; failures: number }

export type SealedKeySet = { card_product_id: string; version: number; sealed: Buffer }
/** With where its keys are, which is seen without opening it. */
export type PlacedKeySet = SealedKeySet & { custody: 'SOFTWARE' | 'MODULE' }

const ofCards = { tenant_id: 'uuid', card_id: 'uuid' } as const

const sealedKeySets: SealedColumn<'tenant_id' | 'card_product_id' | 'version'> = {
  purpose: 'keysets',
  table: 'vault.key_sets',
  column: 'sealed',
  by: { tenant_id: 'uuid', card_product_id: 'uuid', version: 'integer' },
  bind: bindingOfKeySet,
}

/** Everything here that is sealed, for the rotation of keys. */
export const sealedInVault: readonly SealedColumn[] = [
  { purpose: 'cards', table: 'vault.pans', column: 'sealed', by: ofCards, bind: bindingOfNumber },
  { purpose: 'cards', table: 'vault.pins', column: 'sealed', by: ofCards, bind: bindingOfPin },
  {
    purpose: 'cards',
    table: 'vault.mailed_pins',
    column: 'sealed',
    by: ofCards,
    bind: bindingOfMailedPin,
  },
  sealedKeySets,
]

export async function insertRange(
  { db, tenant_id }: Tx,
  range: Range & { kind: RangeKind },
): Promise<void> {
  await db
    .insertInto('vault.ranges')
    .values({ tenant_id, ...range })
    .execute()
}

/**
 * How many numbers were taken; the row stays locked, so that no other can be taken until the
 * commit.
 */
export async function lockRange({ db, tenant_id }: Tx, card_product_id: string): Promise<bigint> {
  const { next } = await db
    .selectFrom('vault.ranges')
    .select('next')
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', card_product_id)
    .where('kind', '=', 'CARD')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return next
}

export async function updateRange({ db, tenant_id }: Tx, range: Range): Promise<void> {
  const { card_product_id, ...bounds } = range
  await db
    .updateTable('vault.ranges')
    .set(bounds)
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', card_product_id)
    .where('kind', '=', 'CARD')
    .execute()
}

/** Takes `count` numbers, all or none: undefined when fewer are left. */
export async function claimNumbers(
  { db, tenant_id }: Tx,
  { card_product_id, kind }: { card_product_id: string; kind: RangeKind },
  count: number,
): Promise<TakenNumbers | undefined> {
  const taken = BigInt(count)
  const row = await db
    .updateTable('vault.ranges')
    .set({ next: sql`next + ${taken}` })
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', card_product_id)
    .where('kind', '=', kind)
    .where(sql<boolean>`next + ${taken} <= range_end - range_start + 1`)
    .returning(['card_product_id', 'bin', 'range_start', 'range_end', 'next'])
    .executeTakeFirst()
  return row && { ...row, next: row.next - taken }
}

/** The range of the product's cards as it is now; once a number is taken only `next` changes. */
export async function findRange(
  { db, tenant_id }: Context,
  card_product_id: string,
): Promise<TakenNumbers> {
  return db
    .selectFrom('vault.ranges')
    .select(['card_product_id', 'bin', 'range_start', 'range_end', 'next'])
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', card_product_id)
    .where('kind', '=', 'CARD')
    .executeTakeFirstOrThrow()
}

/** Fails with id_taken if one of the cards has a number. */
export function insertPans({ db, tenant_id }: Tx, pans: SealedPan[]): Write {
  const inserted = sql`
    insert into vault.pans (tenant_id, card_id, token_of, sealed, digest)
    select anchor.tenant_id, given.*
    from tenant_anchors anchor
    cross join unnest(${plainArray(pans.map(({ card_id }) => card_id))}::uuid[],
      ${plainArray(pans.map(({ token_of }) => token_of))}::uuid[],
      ${bytesArray(pans.map(({ sealed }) => sealed))}::bytea[],
      ${bytesArray(pans.map(({ digest }) => digest))}::bytea[]) as given
    where anchor.tenant_id = ${tenant_id}`
  return Write.explained(db, explainTaken, inserted)
}

/** On a cluster the name of the constraint has that of a shard behind it. */
const explainTaken = (error: unknown): unknown =>
  error instanceof DatabaseError && error.constraint?.startsWith('pans_pkey')
    ? new ApiError('id_taken')
    : error

export async function listSealedPans(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
): Promise<{ card_id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ card_id: string; sealed: Buffer }>`
    select card_id, sealed from vault.pans
    where tenant_id = ${tenant_id} and card_id = any (${plainArray(card_ids)}::uuid[])`.execute(db)
  return rows
}

export async function listByDigests(
  { db, tenant_id }: Context,
  digests: readonly Buffer[],
): Promise<{ card_id: string; token_of: string | null; digest: Buffer }[]> {
  const { rows } = await sql<{ card_id: string; token_of: string | null; digest: Buffer }>`
    select card_id, token_of, digest from vault.pans
    where tenant_id = ${tenant_id} and digest = any (${bytesArray(digests)}::bytea[])`.execute(db)
  return rows
}

/** Replaces an earlier PIN and resets the count of wrong PINs; no mailer brings the new one. */
export async function upsertPin(
  { db, tenant_id, now }: Tx,
  pin: { card_id: string; sealed: Buffer },
): Promise<void> {
  const written = { sealed: pin.sealed, failures: 0, modified: now }
  await db
    .with('unmailed', (query) =>
      query
        .deleteFrom('vault.mailed_pins')
        .where('tenant_id', '=', tenant_id)
        .where('card_id', '=', pin.card_id),
    )
    .insertInto('vault.pins')
    .values({ tenant_id, card_id: pin.card_id, ...written })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'card_id']).doUpdateSet(written))
    .execute()
}

export type MailedPin = { card_id: string; sealed: Buffer; sealed_block: Buffer }

/** The PINs of cards that have none, and the blocks that their mailers are printed from. */
export async function insertMailedPins(
  { db, tenant_id, now }: Tx,
  pins: readonly MailedPin[],
): Promise<void> {
  const ids = plainArray(pins.map(({ card_id }) => card_id))
  await Promise.all([
    sql`
      insert into vault.pins (tenant_id, card_id, sealed, failures, modified)
      select anchor.tenant_id, given.card_id, given.sealed, 0, ${now}::timestamptz
      from tenant_anchors anchor cross join unnest(${ids}::uuid[],
        ${bytesArray(pins.map(({ sealed }) => sealed))}::bytea[]) as given (card_id, sealed)
      where anchor.tenant_id = ${tenant_id}`.execute(db),
    sql`
      insert into vault.mailed_pins (tenant_id, card_id, sealed)
      select anchor.tenant_id, given.card_id, given.sealed
      from tenant_anchors anchor cross join unnest(${ids}::uuid[],
        ${bytesArray(pins.map(({ sealed_block }) => sealed_block))}::bytea[])
        as given (card_id, sealed)
      where anchor.tenant_id = ${tenant_id}`.execute(db),
  ])
}

export async function listMailedPins(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
): Promise<{ card_id: string; sealed: Buffer }[]> {
  const { rows } = await sql<{ card_id: string; sealed: Buffer }>`
    select card_id, sealed from vault.mailed_pins
    where tenant_id = ${tenant_id} and card_id = any (${plainArray(card_ids)}::uuid[])`.execute(db)
  return rows
}

export async function deleteMailedPin({ db, tenant_id }: Tx, card_id: string): Promise<void> {
  await db
    .deleteFrom('vault.mailed_pins')
    .where('tenant_id', '=', tenant_id)
    .where('card_id', '=', card_id)
    .execute()
}

export async function listSealedPins(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
): Promise<SealedPin[]> {
  const { rows } = await sql<SealedPin>`
    select card_id, sealed, failures from vault.pins
    where tenant_id = ${tenant_id} and card_id = any (${plainArray(card_ids)}::uuid[])`.execute(db)
  return rows
}

export async function lockSealedPins(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
): Promise<SealedPin[]> {
  const { rows } = await sql<SealedPin>`
    select card_id, sealed, failures from vault.pins
    where tenant_id = ${tenant_id} and card_id = any (${plainArray(card_ids)}::uuid[])
    order by card_id
    for no key update`.execute(db)
  return rows
}

/** As lockSealedPins, but those that another session has locked are returned without a value. */
export async function lockFreeSealedPins(
  { db, tenant_id }: Tx,
  card_ids: readonly string[],
): Promise<(SealedPin | { card_id: string; sealed: null })[]> {
  const selected = sql`tenant_id = ${tenant_id} and card_id = any (${plainArray(card_ids)}::uuid[])`
  const { rows } = await sql<SealedPin | { card_id: string; sealed: null }>`
    with free as (
      select card_id, sealed, failures from vault.pins where ${selected}
      order by card_id
      for no key update skip locked)
    select card_id, free.sealed, free.failures
    from vault.pins left join free using (card_id) where ${selected}`.execute(db)
  return rows
}

export function updatePinFailures(
  { db, tenant_id, now }: Tx,
  pins: readonly { card_id: string; failures: number; read: number }[],
): Write {
  if (pins.length === 0) return Write.of(db)
  const updated = sql`
    update vault.pins as p set failures = counted.failures, modified = ${now}
    from rows from (unnest(${plainArray(pins.map(({ card_id }) => card_id))}::uuid[]),
      unnest(${plainArray(pins.map(({ failures }) => failures))}::int[]),
      unnest(${plainArray(pins.map(({ read }) => read))}::int[]))
      as counted (card_id, failures, read)
    where p.tenant_id = ${tenant_id} and p.card_id = counted.card_id
      and p.failures = counted.read
    returning 1`
  return Write.of(db, expectRows(updated, pins.length))
}

export async function insertKeySet({ db, tenant_id, now }: Tx, set: PlacedKeySet): Promise<void> {
  await db
    .insertInto('vault.key_sets')
    .values({ tenant_id, ...set, modified: now })
    .execute()
}

export async function listKeySets(
  { db, tenant_id }: Context,
  card_product_ids: readonly string[],
): Promise<SealedKeySet[]> {
  const { rows } = await sql<SealedKeySet>`
    select card_product_id, version, sealed from vault.key_sets
    where tenant_id = ${tenant_id} and card_product_id = any (${card_product_ids}::uuid[])
  `.execute(db)
  return rows
}

/** The products of all tenants that have keys, those whose tenants are older first. */
export async function listProductsWithKeys(
  db: Db,
): Promise<{ tenant_id: string; card_product_id: string; custody: string }[]> {
  const rows = await db
    .selectFrom('vault.key_sets')
    .select(['tenant_id', 'card_product_id', 'custody'])
    .orderBy('tenant_id')
    .orderBy('card_product_id')
    .execute()
  return rows
}

/** Cards of all tenants whose sealed PIN has one of these lengths, `most` of them. */
export async function listCardsBySealedPin(
  db: Db,
  lengths: readonly number[],
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ card_id: string }>`
    select card_id from vault.pins
    where octet_length(sealed) = any (${plainArray(lengths)}::int[])
    order by card_id limit ${most}`.execute(db)
  return rows.map(({ card_id }) => card_id)
}

export function lockKeySet(
  { db, tenant_id }: Tx,
  card_product_id: string,
): Promise<SealedKeySet | undefined> {
  return db
    .selectFrom('vault.key_sets')
    .select(['card_product_id', 'version', 'sealed'])
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', card_product_id)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateKeySet({ db, tenant_id, now }: Tx, set: PlacedKeySet): Promise<void> {
  await db
    .updateTable('vault.key_sets')
    .set({ version: set.version, sealed: set.sealed, custody: set.custody, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('card_product_id', '=', set.card_product_id)
    .execute()
}

/**
 * Cards and tokens without a number, numbers and PINs without a card or token, and keys outside the
 * custody of the installation: findings of doctor. A deleted token keeps its number. Empty when
 * there are none.
 */
export async function listLooseNumbers(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with owners as (
      select tenant_id, id, null::uuid as token_of, 'card ' as kind from cards
      union all
      select tenant_id, id, card_id, 'token ' from tokens
    )
    select 'I4' as invariant, coalesce(o.tenant_id, p.tenant_id) as tenant_id,
      coalesce(o.kind || o.id, 'number of ' || p.card_id) as subject,
      case when p.card_id is null then 'has no number in the vault'
        when o.id is null then 'is of no card and no token'
        else 'is of card ' || o.token_of || ', its number of ' || coalesce(p.token_of::text, 'none')
        end as detail
    from owners o
    full join vault.pans p on p.tenant_id = o.tenant_id and p.card_id = o.id
    where p.card_id is null or o.id is null or p.token_of is distinct from o.token_of
    union all
    select 'I4', p.tenant_id, 'PIN of ' || p.card_id, 'is of no card'
    from vault.pins p
    left join cards c on c.tenant_id = p.tenant_id and c.id = p.card_id
    where c.id is null
    union all
    select 'I4', k.tenant_id, 'keys of product ' || k.card_product_id,
      'are in the custody ' || k.custody || ', those of the installation in ' || i.custody
    from vault.key_sets k
    join installation i on i.custody <> 'MOVING' and i.custody <> k.custody
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}
