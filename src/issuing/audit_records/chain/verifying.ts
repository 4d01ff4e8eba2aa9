/**
 * Verifies the chains of all tenants against their records, and against an anchor (I7). It reads
 * portions, so that its memory does not grow with the log, and may run while the program runs.
 */

import { sql } from 'kysely'
import { FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import type { Anchor } from './anchor.ts'
import { type AuditRow, hashOf, NO_HASH } from './hash.ts'

const PORTION = 2_000

/** `subject` is the first wrong record of its tenant, by its place in the chain. */
export type ChainFault = Omit<Finding, 'invariant'>

export type Verified = {
  /** Records that are in a chain, and those that are committed and wait for their place. */
  chained: number
  waiting: number
  faults: ChainFault[]
}

type Options = {
  anchor?: Anchor | undefined
  /** Gets the number of records that were verified so far, after each portion. */
  onProgress?: (chained: number) => void
}

/** Finds the first fault of each chain; the records after it in its chain prove nothing. */
export async function verifyChains(
  db: Db,
  { anchor, onProgress = () => {} }: Options = {},
): Promise<Verified> {
  const anchored = new Map((anchor?.chains ?? []).map((chain) => [chain.tenant_id, chain]))
  const faults: ChainFault[] = []
  let chained = 0
  for (const tenant_id of await listTenants(db, [...anchored.keys()])) {
    const fault = await verifyChain(db, tenant_id, anchored.get(tenant_id), (count) => {
      chained += count
      onProgress(chained)
    })
    if (fault) faults.push({ tenant_id, ...fault })
  }
  faults.push(...(await listLoose(db)))
  return { chained, waiting: await countWaiting(db), faults }
}

type Fault = Omit<ChainFault, 'tenant_id'>
type End = { sequence: bigint; hash: Buffer }
type Anchored = Anchor['chains'][number]
/** The record is null if the chain names one that is not there. */
type Chained = { sequence: bigint; previous: Buffer; hash: Buffer; record_id: string } & {
  [Column in keyof AuditRow]: AuditRow[Column] | null
}

async function verifyChain(
  db: Db,
  tenant_id: string,
  anchored: Anchored | undefined,
  onPortion: (count: number) => void,
): Promise<Fault | undefined> {
  let last: End = { sequence: 0n, hash: NO_HASH }
  for (;;) {
    const rows = await listChained(db, tenant_id, last.sequence)
    for (const row of rows) {
      const detail = faultOf(tenant_id, row, last) ?? anchorFaultOf(row, anchored)
      if (detail !== undefined) return { subject: subjectOf(row), detail }
      last = row
    }
    onPortion(rows.length)
    if (rows.length < PORTION) break
  }
  if (!anchored || last.sequence >= BigInt(anchored.sequence)) return undefined
  const detail = `is missing: the chain ends at ${last.sequence} and the anchor is of a longer one`
  return { subject: `record ${last.sequence + 1n}`, detail }
}

function faultOf(tenant_id: string, row: Chained, last: End): string | undefined {
  const { sequence, previous } = row
  if (sequence !== last.sequence + 1n)
    return `follows record ${last.sequence}: those between are missing`
  if (!previous.equals(last.hash)) return 'does not continue the hash of the record before it'
  if (!isWhole(row)) return 'is in the chain and not among the records'
  const isRight = hashOf({ tenant_id, sequence, previous }, row).equals(row.hash)
  return isRight ? undefined : 'is not as it was when it was chained'
}

function anchorFaultOf({ sequence, hash }: Chained, anchored: Anchored | undefined) {
  if (!anchored || sequence !== BigInt(anchored.sequence)) return undefined
  const isRight = hash.toString('hex') === anchored.hash
  return isRight ? undefined : 'has another hash than the anchor: it or one before it was changed'
}

const isWhole = (row: Chained): row is Chained & AuditRow => row.id !== null

function subjectOf({ sequence, record_id, operation, created }: Chained): string {
  const of = operation === null ? '' : ` ${operation}`
  const at = created === null ? '' : ` of ${created.toISOString()}`
  return `record ${sequence} (${record_id}${of}${at})`
}

/** The tenants of the anchor too: a chain may have been deleted as a whole. */
async function listTenants(db: Db, anchored: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    select distinct tenant_id from audit_chain`.execute(db)
  return [...new Set([...rows.map(({ tenant_id }) => tenant_id), ...anchored])].sort()
}

async function listChained(db: Db, tenant_id: string, after: bigint): Promise<Chained[]> {
  const { rows } = await sql<Chained>`
    select r.*, c.sequence, c.previous, c.hash, c.record_id
    from (select * from audit_chain where tenant_id = ${tenant_id} and sequence > ${after}
      order by sequence limit ${PORTION}) c
    left join audit_records r on r.tenant_id = ${tenant_id} and r.id = c.record_id
    order by c.sequence`.execute(db)
  return rows
}

/**
 * Records that are in no chain and do not wait for one, and those that wait and are missing. As a
 * difference of sets, which is quick by any plan: `not exists` is slow if the tamperer has removed
 * an index, or if the tables have grown since they were analyzed.
 */
async function listLoose(db: Db): Promise<ChainFault[]> {
  const { rows } = await sql<ChainFault>`
    select tenant_id, 'record ' || id as subject,
      'is among the records and not in the chain' as detail
    from (
      select tenant_id, id from audit_records
      except (
        select tenant_id, record_id from audit_chain
        union all
        select tenant_id, record_id from audit_pending)) r
    union all
    select p.tenant_id, 'record ' || p.record_id, 'waits for the chain and is missing'
    from audit_pending p
    where not exists (select from audit_records r
      where r.tenant_id = p.tenant_id and r.id = p.record_id)
    limit ${FINDINGS_MAX}`.execute(db)
  return rows
}

async function countWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from audit_pending`.execute(db)
  return Number(rows[0]?.count ?? 0n)
}

/** The same as findings of the invariants of a database. */
export async function auditChains(db: Db): Promise<Finding[]> {
  const { faults } = await verifyChains(db)
  return faults.map((fault) => ({ invariant: 'I7', ...fault }))
}
