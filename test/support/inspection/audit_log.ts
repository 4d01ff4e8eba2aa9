/** Audit records without requests, their chains, and what someone with the database may do. */

import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { chainSweep } from '#issuing/audit_records/chain/chaining.ts'
import { type AuditRow, hashOf, NO_HASH } from '#issuing/audit_records/chain/hash.ts'
import { AuditedRequest } from '#kit/audit_log/request.ts'
import { recordChanges } from '#kit/audit_log/writing.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { bytesArray, plainArray } from '#kit/db/arrays.ts'
import { newId } from '#lib/id.ts'

/** Writes so many records of a tenant, as its requests do. */
export async function makeRecords(ctx: Context, count: number): Promise<void> {
  const { tenant_id, now } = ctx
  const entries = Array.from(
    { length: count },
    (_, at) =>
      new AuditedRequest({
        operation: 'createCard',
        request_id: newId(),
        address: '192.0.2.7',
        status: 200,
        tenant_id,
        now,
        digest: randomBytes(32),
        named: [newId()],
        members: ['name'],
        actor: { kind: 'client', id: `key ${at % 7}` },
      }),
  ).flatMap((request) => request.entry() ?? [])
  await transact(ctx, (tx) => recordChanges(tx, entries).start())
}

/** Chains all that waits of a tenant. */
export async function chainAll(ctx: Context): Promise<void> {
  while ((await chainSweep.run(ctx)).more);
}

type Place = { tenant_id: string; at: number }

/** The target of a tampering: a place in the chain of a tenant, and another tenant. */
export type Target = Place & { tx: Tx; other_id: string }

/** The eight ways of tampering, by name; the name says if an anchor alone shows it. */
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
  insert: ({ tx, tenant_id, at }) => copyRecord(tx, { tenant_id, at }, tenant_id, newId()),
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
  backdate: async ({ tx, ...of }) => {
    const { rows } = await sql<{ earlier: string }>`
      select (r.created - interval '1 millisecond')::text as earlier
      from audit_records r join audit_chain c on r.tenant_id = c.tenant_id and r.id = c.record_id
      where ${named(of)}`.execute(tx.db)
    await sql`
      update audit_records r set created = ${rows[0]?.earlier}::timestamptz from audit_chain c
      where ${named(of)} and r.tenant_id = c.tenant_id and r.id = c.record_id`.execute(tx.db)
  },
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
    const [one, other] = [
      await idOf(tx, { tenant_id, at }),
      await idOf(tx, { tenant_id: other_id, at }),
    ]
    for (const [id, from, to] of [
      [one, tenant_id, other_id],
      [other, other_id, tenant_id],
    ] as const) {
      await copyRecord(tx, { tenant_id: from, at }, to, id)
      await sql`delete from audit_records where tenant_id = ${from} and id = ${id}`.execute(tx.db)
    }
    // The chains name them where they are now.
    for (const [id, tenant] of [
      [one, other_id],
      [other, tenant_id],
    ] as const) {
      await sql`
        update audit_chain set record_id = ${id}
        where tenant_id = ${tenant} and sequence = ${at}`.execute(tx.db)
    }
  },
}

const named = ({ tenant_id, at }: Place) => sql`c.tenant_id = ${tenant_id} and c.sequence = ${at}`

async function idOf(tx: Tx, of: Place): Promise<string> {
  const { rows } = await sql<{ record_id: string }>`
    select c.record_id from audit_chain c where ${named(of)}`.execute(tx.db)
  return rows[0]?.record_id ?? ''
}

/** Writes the record at a place of a chain once more, as that of a tenant and by that id. */
const copyRecord = (tx: Tx, of: Place, tenant_id: string, id: string) =>
  sql`
  insert into audit_records (tenant_id, id, operation, actor_kind, actor_id, address, object_ids,
    members, status, request_id, digest, created, recorded)
  select ${tenant_id}::uuid, ${id}::uuid, r.operation, r.actor_kind, r.actor_id, r.address,
    r.object_ids, r.members, r.status, r.request_id, r.digest, r.created, r.recorded
  from audit_records r join audit_chain c on r.tenant_id = c.tenant_id and r.id = c.record_id
  where ${named(of)}`.execute(tx.db)

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
