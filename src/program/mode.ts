/**
 * Binds a database to the mode of its first start (D-330). A sandbox process on a live database
 * would seed a demo tenant, make an operator key that the live processes accept, and let tenants
 * move their clocks.
 */

import type pg from 'pg'
import { StartError } from '#kit/start_error.ts'
import { DEMO_TENANT } from '#sandbox/known.ts'
import type { Config } from '#src/config/config.ts'

type Mode = Config['mode']
type Queryable = pg.Pool | pg.ClientBase

/**
 * Throws a StartError if the database belongs to the other mode, by its record or, in a database
 * that is older than the record, by its content. Writes nothing, also no migration.
 */
export async function refuseOtherMode(client: Queryable, mode: Mode): Promise<void> {
  const found = (await recordedMode(client)) ?? (await heldMode(client))
  if (found !== 'unclear') reject(found, mode)
}

/** The same by the record alone: for commands on a database that programs use. */
export async function refuseOtherRecordedMode(client: Queryable, mode: Mode): Promise<void> {
  reject(await recordedMode(client), mode)
}

/**
 * Records the mode of a database that has none, before anything is made in it, and throws a
 * StartError if it is another. If two first starts in different modes compete, one wins and the
 * other does not start. To be called on a migrated database.
 */
export async function bindMode(pool: pg.Pool, mode: Mode): Promise<void> {
  // On a cluster the lock asks each node, one of which may be away.
  const before = await recordedMode(pool)
  if (before !== undefined) {
    reject(before, mode)
    return
  }
  const client = await pool.connect()
  let failed = true
  try {
    await client.query('begin')
    await client.query('lock table installation in share row exclusive mode')
    const recorded = await recordedMode(client)
    reject(recorded, mode)
    if (recorded === undefined) {
      reject(known(await heldMode(client)), mode)
      await client.query('insert into installation (mode) values ($1)', [mode])
    }
    await client.query('commit')
    failed = false
  } finally {
    // A failed session is closed, which also ends its transaction.
    client.release(failed)
  }
}

function reject(found: Mode | undefined, mode: Mode): void {
  if (found === undefined || found === mode) return
  throw new StartError(
    `MODE is ${mode}, and this database belongs to a ${found} platform: set MODE=${found}, or ` +
      'set DATABASE_URL (or DATA_DIR) to another database',
  )
}

function known(found: Mode | 'unclear' | undefined): Mode | undefined {
  if (found !== 'unclear') return found
  throw new StartError(
    'this database holds the demo tenant of a sandbox and API keys that are older than it, so it ' +
      'is not certain what it is: say it with "insert into installation (mode) values ' +
      "('live')\" or ('sandbox'), and start again",
  )
}

async function recordedMode(client: Queryable): Promise<Mode | undefined> {
  if (!(await hasTable(client, 'installation'))) return undefined
  const { rows } = await client.query<{ mode: Mode }>('select mode from installation')
  return rows[0]?.mode
}

/**
 * The mode of a database without a record. Every sandbox makes its demo tenant at its first start,
 * and only a sandbox moves clocks. A database with neither and with tenants or keys is live. A demo
 * tenant that is newer than other keys may have been seeded into a live database by mistake.
 * Undefined: nothing was made in it yet.
 */
async function heldMode(client: Queryable): Promise<Mode | 'unclear' | undefined> {
  if (!(await hasTable(client, 'tenants'))) return undefined
  const { rows } = await client.query<{ used: boolean; sandbox: boolean; older: boolean }>(
    `select
      exists (select from tenants) or exists (select from api_keys) as used,
      exists (select from tenants where id = $1 or clock_offset_ms > 0) as sandbox,
      exists (select from tenants t join api_keys k on k.created < t.created where t.id = $1)
        as older`,
    [DEMO_TENANT],
  )
  const [found] = rows
  if (found?.older) return 'unclear'
  if (found?.sandbox) return 'sandbox'
  return found?.used ? 'live' : undefined
}

async function hasTable(client: Queryable, name: string): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [name],
  )
  return rows[0]?.there === true
}
