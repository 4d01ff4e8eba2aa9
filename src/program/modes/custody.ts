/**
 * The keys of cards are in this program, or in the security modules of HSM_ADDRESS (D-1010). An
 * installation keeps its custody, as it keeps its mode, until its keys are moved.
 */

import type pg from 'pg'
import { openProviders } from '#adapters/adapter.ts'
import {
  type CardCryptography,
  type ModuleCarrier,
  movingCustody,
  softwareCustody,
} from '#issuing/vault/vault.ts'
import type { Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'

type Queryable = pg.Pool | pg.ClientBase

/** MOVING: some keys are in software, others in the modules. */
export type RecordedCustody = 'SOFTWARE' | 'MOVING' | 'MODULE'

/** The custody that the configuration chooses. */
export const custodyIn = ({ adapters }: Pick<Config, 'adapters'>): CardCryptography['place'] =>
  adapters.some(({ provides }) => provides.includes('custody')) ? 'MODULE' : 'SOFTWARE'

export type OpenCustody = {
  custody: CardCryptography
  /** Brings keys into the modules; undefined in software. */
  carrier: ModuleCarrier | undefined
  close: () => void
}

/** Reaches the security modules, if there are any. Throws a StartError of one sentence. */
export async function openCustody(
  { adapters }: Pick<Config, 'adapters'>,
  log: Log,
  now: Date,
  isMoving = false,
): Promise<OpenCustody> {
  const { custody } = openProviders(adapters, {})
  if (!custody) return { custody: softwareCustody, carrier: undefined, close: () => {} }
  const opened = await custody(log, now)
  return isMoving ? { ...opened, custody: movingCustody(softwareCustody, opened.custody) } : opened
}

/**
 * Records the custody of an installation that has none, and throws a StartError if it is another.
 * One that is older than the record has its keys in software, if it has any.
 */
export async function bindCustody(
  client: Queryable,
  wanted: CardCryptography['place'],
): Promise<RecordedCustody> {
  // On a cluster a write of this table asks each node, one of which may be away.
  const before = await readCustody(client)
  const found = before?.custody ?? (await recordCustody(client, wanted))
  const isFit = found === wanted || (found === 'MOVING' && wanted === 'MODULE')
  if (!isFit) throw new StartError(sentences[found])
  return found
}

/** If two first starts in different custodies compete, one wins. */
async function recordCustody(client: Queryable, wanted: RecordedCustody): Promise<RecordedCustody> {
  // Two statements: a cluster does not update this table by one of the rows of tenants.
  const { rows } = await client.query('select 1 from (select 1 from vault.key_sets) k limit 1')
  await client.query(
    'update installation set custody_since = default, custody = $1 where custody is null',
    [rows.length > 0 ? 'SOFTWARE' : wanted],
  )
  return (await readCustody(client))?.custody ?? wanted
}

export async function readCustody(
  client: Queryable,
): Promise<{ custody: RecordedCustody; custody_since: Date } | undefined> {
  const { rows } = await client.query<{ custody: RecordedCustody; custody_since: Date }>(
    'select custody, custody_since from installation where custody is not null',
  )
  return rows[0]
}

const elsewhere = 'set HSM_ADDRESS to the modules that have them'
const sentences: Readonly<Record<RecordedCustody, string>> = {
  SOFTWARE:
    'HSM_ADDRESS is set, and the keys of this database are in software: leave HSM_ADDRESS ' +
    'out, or move the keys with "bezant keys move --to hsm"',
  MOVING: `HSM_ADDRESS is not set, and keys of this database are being moved: ${elsewhere}`,
  MODULE: `HSM_ADDRESS is not set, and the keys of this database are in a module: ${elsewhere}`,
}
