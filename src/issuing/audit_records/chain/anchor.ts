/**
 * An anchor: the end of each chain at one time, kept out of reach of anyone who can change the
 * database (D-503). A chain that was cut or hashed anew afterwards differs from it.
 */

import { sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { readClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { createAjv, Strict, Uuid } from '#kit/http/schema.ts'
import { StartError } from '#kit/start_error.ts'

const AnchoredChain = Strict({
  tenant_id: Uuid,
  /** The sequence of its last record. */
  sequence: Type.Integer({ minimum: 1 }),
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  recorded: Type.String({ format: 'date-time' }),
})
const Anchor = Strict({
  format: Type.Literal('audit anchor 1'),
  exported: Type.String({ format: 'date-time' }),
  chains: Type.Array(AnchoredChain),
})
export type Anchor = Static<typeof Anchor>

/** The present ends of all chains, of which the operator's own is the first. */
export async function makeAnchor(db: Db): Promise<Anchor> {
  const exported = (await readClock(db)).toISOString()
  const { rows } = await sql<{ tenant_id: string; sequence: bigint; hash: Buffer; recorded: Date }>`
    select c.tenant_id, c.sequence, c.hash, r.recorded
    from (select distinct on (tenant_id) * from audit_chain
      order by tenant_id, sequence desc) c
    join audit_records r on r.tenant_id = c.tenant_id and r.id = c.record_id
    order by c.tenant_id`.execute(db)
  const chains = rows.map(({ tenant_id, sequence, hash, recorded }) => ({
    tenant_id,
    sequence: Number(sequence),
    hash: hash.toString('hex'),
    recorded: recorded.toISOString(),
  }))
  return { format: 'audit anchor 1', exported, chains }
}

/** Fails with a StartError for text that `makeAnchor` does not make. */
export function readAnchor(text: string): Anchor {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StartError('the anchor is not JSON')
  }
  if (createAjv(false).compile<Anchor>(Anchor)(value)) return value
  throw new StartError('the file is no anchor that this command has exported')
}
