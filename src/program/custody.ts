/**
 * Where the keys of cards are (D-1010): in this program, or in the security modules of HSM_ADDRESS.
 * An installation keeps its custody, as it keeps its mode.
 */

import type pg from 'pg'
import { openProviders } from '#adapters/adapter.ts'
import { type CardCryptography, softwareCustody } from '#issuing/vault/vault.ts'
import type { Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'

type Place = CardCryptography['place']

/** The custody that the configuration chooses. */
export const custodyIn = ({ adapters }: Pick<Config, 'adapters'>): Place =>
  adapters.some(({ provides }) => provides.includes('custody')) ? 'MODULE' : 'SOFTWARE'

/** Reaches the security modules, if there are any. Throws a StartError of one sentence. */
export async function openCustody(
  { adapters }: Pick<Config, 'adapters'>,
  log: Log,
  now: Date,
): Promise<{ custody: CardCryptography; close: () => void }> {
  const { custody } = openProviders(adapters, {})
  return custody ? custody(log, now) : { custody: softwareCustody, close: () => {} }
}

/**
 * Records the custody of an installation that has none, and throws a StartError if it is another.
 * One that is older than the record has its keys in software, if it has any.
 */
export async function bindCustody(pool: pg.Pool, wanted: Place): Promise<void> {
  await pool.query(
    `update installation set custody =
      case when exists (select from vault.key_sets) then 'SOFTWARE' else $1 end
    where custody is null`,
    [wanted],
  )
  const { rows } = await pool.query<{ custody: Place }>('select custody from installation')
  const found = rows[0]?.custody
  if (found !== undefined && found !== wanted) throw new StartError(sentences[found])
}

const sentences: Readonly<Record<Place, string>> = {
  SOFTWARE:
    'HSM_ADDRESS is set, and the keys of this database are in software: leave HSM_ADDRESS out, or ' +
    'move the keys with "bezant keys move --to hsm"',
  MODULE:
    'HSM_ADDRESS is not set, and the keys of this database are in a security module: set it to ' +
    'the modules that have them',
}
