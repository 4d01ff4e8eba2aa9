/** Audit records without requests, their chains, and what someone with the database may do. */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { chainSweep } from '#issuing/audit_records/chain/chaining.ts'
import { type AuditRow, hashOf, NO_HASH } from '#issuing/audit_records/chain/hash.ts'
import { recordChanges } from '#kit/audit_log/records.ts'
import { AuditedRequest } from '#kit/audit_log/request.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { bytesArray, plainArray } from '#kit/db/arrays.ts'
import { newId } from '#lib/id.ts'

/** Writes so many records of a tenant, as its requests do. */
export async function makeRecords(ctx: Context, count: number): Promise<void> {
  const { tenant_id, now } = ctx
  const requests = Array.from(
    { length: count },
    (_, at) =>
      new AuditedRequest({
        ...{ operation: 'createCard', request_id: newId(), address: '192.0.2.7', status: 200 },
        ...{ tenant_id, now, digest: randomBytes(32), named: [newId()], members: ['name'] },
        actor: { kind: 'client', id: `key ${at % 7}` },
      }),
  )
  await transact(ctx, (tx) => recordChanges(tx, requests))
}

/** Chains all that waits of a tenant. */
export async function chainAll(ctx: Context): Promise<void> {
  while ((await chainSweep.run(ctx)).more);
}

/** What a tampering is done to: a place in the chain of a tenant, and another tenant. */
export type Target = { tx: Tx; tenant_id: string; at: number; other_id: string }

/** By the eight ways of tampering; those that an anchor alone shows are named so. */
export const tamperings: Readonly<Record<string, (target: Target) => Promise<unknown>>> = {
  edit: ({ tx, ...of }) =>
    sql`
    update audit_records r set actor_id = 'other' from audit_chain c
    where ${named(of)} and r.tenant_id = c.tenant_id and r.id = c.record_id`.execute(tx.db),
  delete: ({ tx, ...of }) =>
    sql`
    with removed as (delete from audit_chain c where ${named(of)} returning *)
    delete from audit_records r using removed c
    where r.tenant_id = c.tenant_id and r.id = c.record_id`.execute(tx.db),
  insert: ({ tx, tenant_id }) => copyRecord(tx, tenant_id),
  reorder: async ({ tx, ...of }) => {
    const exchange = (one: number, other: number) =>
      sql`
      update audit_chain c set record_id = o.record_id from audit_chain o
      where c.tenant_id = ${of.tenant_id} and o.tenant_id = c.tenant_id
        and (c.sequence, o.sequence) in ((${one}, ${other}), (${other}, ${one}))`.execute(tx.db)
    await sql`alter table audit_chain drop constraint audit_chain_tenant_id_record_id_key`.execute(
      tx.db,
    )
    return exchange(of.at, of.at === 1 ? 2 : of.at - 1)
  },
  backdate: ({ tx, ...of }) =>
    sql`
    update audit_records r set created = r.created - interval '1 millisecond' from audit_chain c
    where ${named(of)} and r.tenant_id = c.tenant_id and r.id = c.record_id`.execute(tx.db),
  're-hash the rest': async (target) => {
    await tamperings['edit']?.(target)
    await hashAnew(target.tx, target.tenant_id)
  },
  'cut the tail': ({ tx, tenant_id, at }) =>
    sql`
    with removed as (
      delete from audit_chain c where c.tenant_id = ${tenant_id} and c.sequence >= ${at}
      returning *)
    delete from audit_records r using removed c
    where r.tenant_id = c.tenant_id and r.id = c.record_id`.execute(tx.db),
  'swap tenants': async ({ tx, tenant_id, at, other_id }) => {
    const { rows } = await sql<{ tenant_id: string; record_id: string }>`
      select tenant_id, record_id from audit_chain
      where sequence = ${at} and tenant_id in (${tenant_id}, ${other_id})`.execute(tx.db)
    const [one, other] = rows
    for (const [from, to] of [[one, other] as const, [other, one] as const]) {
      await sql`
        update audit_records set tenant_id = ${to?.tenant_id} where id = ${from?.record_id}
      `.execute(tx.db)
      // The chains name them where they are now.
      await sql`
        update audit_chain set record_id = ${from?.record_id}
        where tenant_id = ${to?.tenant_id} and sequence = ${at}`.execute(tx.db)
    }
  },
}

const named = ({ tenant_id, at }: { tenant_id: string; at: number }) =>
  sql`c.tenant_id = ${tenant_id} and c.sequence = ${at}`

const copyRecord = (tx: Tx, tenant_id: string) =>
  sql`
  insert into audit_records (tenant_id, id, operation, actor_kind, actor_id, address, object_ids,
    members, status, request_id, digest, created, recorded)
  select tenant_id, ${newId()}::uuid, operation, actor_kind, actor_id, address, object_ids,
    members, status, request_id, digest, created, recorded
  from audit_records where tenant_id = ${tenant_id} limit 1`.execute(tx.db)

/** Every hash of the chain again, from the records as they are. */
async function hashAnew({ db }: Tx, tenant_id: string): Promise<void> {
  const { rows } = await sql<AuditRow & { sequence: bigint }>`
    select r.*, c.sequence from audit_chain c
    join audit_records r on r.tenant_id = c.tenant_id and r.id = c.record_id
    where c.tenant_id = ${tenant_id} order by c.sequence`.execute(db)
  let previous: Buffer = NO_HASH
  const links = rows.map((row) => {
    const link = { sequence: row.sequence, previous }
    previous = hashOf({ tenant_id, ...link }, row)
    return { ...link, hash: previous }
  })
  await sql`
    update audit_chain c set previous = g.previous, hash = g.hash
    from unnest(${plainArray(links.map(({ sequence }) => sequence))}::bigint[],
      ${bytesArray(links.map((link) => link.previous))}::bytea[],
      ${bytesArray(links.map(({ hash }) => hash))}::bytea[]) as g (sequence, previous, hash)
    where c.tenant_id = ${tenant_id} and c.sequence = g.sequence`.execute(db)
}
