/**
 * Puts committed records into the chain of their tenant (D-501). A lock on the head of the chain in
 * every change would let a tenant's changes run one after another only.
 */

import { type RawBuilder, sql } from 'kysely'
import { AUDIT_RECORDS } from '#kit/audit_log/writing.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { bytesArray, plainArray } from '#kit/db/arrays.ts'
import { ofReached } from '#kit/db/reached.ts'
import { Write } from '#kit/db/write.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import { createNamedTenants } from '#kit/jobs/named_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { hasCode } from '#kit/start_error.ts'
import { type AuditRow, hashOf, NO_HASH } from './hash.ts'

/** unique_violation: another process has made a portion of the same chain. */
const SEQUENCE_USED = '23505'
/** The records of one portion. */
const PORTION = 1_000
/** A tenant with many changes has one portion a second; a lone record is chained at once. */
const REST_MS = 1_000
/** The pace of looks for records of other processes, which do not name their tenants here. */
const LOOK_MS = 10_000

type Pending = AuditRow & { place: bigint }
type ChainLink = { record_id: string; sequence: bigint; previous: Buffer; hash: Buffer }

const tenants = createNamedTenants(AUDIT_RECORDS)

export const chainSweep: Sweep = {
  name: 'audit chain',
  channel: AUDIT_RECORDS,
  every_ms: LOOK_MS,
  notified: tenants.notified,
  named: tenants.named,
  /** Includes the operator's own records, whose tenant id is the first of all. */
  async dueTenants(db, from, limit) {
    const reached = ofReached('and', 'tenant_id', await db.listReached())
    // With OR between tenants a cluster asks every shard, also of a node that does not answer.
    const after = from === FIRST_ID ? sql`tenant_id >= ${from}` : sql`tenant_id > ${from}`
    const { rows } = await sql<{ tenant_id: string }>`
      select distinct tenant_id from audit_pending where ${after}${reached}
      order by tenant_id limit ${limit}`.execute(db)
    return rows.map(({ tenant_id }) => tenant_id)
  },
  async run(ctx) {
    tenants.begin(ctx.tenant_id)
    tenants.rest(ctx, REST_MS)
    try {
      return await transact(ctx, chainPortion)
    } catch (error) {
      if (hasCode(error, SEQUENCE_USED)) return { more: false }
      throw error
    }
  },
}

/** The first digits of an id are the millisecond at which it was made: no record is read. */
export const chainBacklog: Backlog = {
  queue: 'audit_records',
  rows: (reached) => sql`
    select to_timestamp(
      ('x0000' || left(replace(record_id::text, '-', ''), 12))::bit(64)::bigint / 1000.0) as since
    from audit_pending${reached('where', 'tenant_id')} order by tenant_id, place`,
}

/**
 * One process at a time for a tenant; another finds the lock taken and leaves. On a cluster it may
 * be taken at two nodes: then a sequence is used once, and the other portion writes nothing.
 */
async function chainPortion(tx: Tx): Promise<{ more: boolean }> {
  const [isFree, head, pending] = await Promise.all([lockChain(tx), findHead(tx), listPending(tx)])
  if (!isFree || pending.length === 0) return { more: false }
  const links = linksOf(tx, head, pending)
  void tx.withCommit(Write.of(tx.db, insertLinks(tx, links), deletePending(tx, pending)))
  return { more: pending.length === PORTION }
}

type Head = { sequence: bigint; hash: Buffer }

function linksOf({ tenant_id }: Tx, head: Head | undefined, rows: readonly Pending[]): ChainLink[] {
  let { sequence, hash: previous } = head ?? { sequence: 0n, hash: NO_HASH }
  return rows.map((row) => {
    sequence += 1n
    const hash = hashOf({ tenant_id, sequence, previous }, row)
    const link = { record_id: row.id, sequence, previous, hash }
    previous = hash
    return link
  })
}

async function lockChain({ db, tenant_id }: Tx): Promise<boolean> {
  const name = `audit chain ${tenant_id}`
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(db)
  return rows[0]?.taken ?? false
}

/** The last link of the tenant's chain. */
function findHead({ db, tenant_id }: Pick<Context, 'db' | 'tenant_id'>) {
  return db
    .selectFrom('audit_chain')
    .select(['sequence', 'hash'])
    .where('tenant_id', '=', tenant_id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Each record is looked for by itself, in the order of the primary key: with a limit that can only
 * be a look into this index. Joined by its id it was a scan of all records of the tenant for each
 * of them, where the statement was planned while there were few (D-1422).
 */
async function listPending({ db, tenant_id }: Tx): Promise<Pending[]> {
  const { rows } = await sql<Pending>`
    select r.*, p.place
    from (select * from audit_pending where tenant_id = ${tenant_id}
      order by place limit ${PORTION}) p
    cross join lateral (
      select a.* from audit_records a
      where a.tenant_id = ${tenant_id} and a.id >= p.record_id
      order by a.id limit 1) r
    where r.id = p.record_id
    order by p.place`.execute(db)
  return rows
}

/** Fails if another process has used a sequence: then nothing of the portion is written. */
function insertLinks({ tenant_id }: Tx, links: readonly ChainLink[]): RawBuilder<unknown> {
  return sql`
    insert into audit_chain (tenant_id, sequence, record_id, previous, hash)
    select anchor.tenant_id, given.*
    from tenant_anchors anchor
    cross join unnest(${plainArray(links.map(({ sequence }) => sequence))}::bigint[],
      ${plainArray(links.map(({ record_id }) => record_id))}::uuid[],
      ${bytesArray(links.map(({ previous }) => previous))}::bytea[],
      ${bytesArray(links.map(({ hash }) => hash))}::bytea[]) as given
    where anchor.tenant_id = ${tenant_id}`
}

function deletePending({ tenant_id }: Tx, rows: readonly Pending[]): RawBuilder<unknown> {
  return sql`
    delete from audit_pending
    where tenant_id = ${tenant_id}
      and place = any (${plainArray(rows.map(({ place }) => place))}::bigint[])`
}
