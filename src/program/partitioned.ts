/**
 * Every table that is partitioned by month, and the steps that bring a database to this schema.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { isWorker } from '#kit/db/connections/cluster.ts'
import { type Database, type Db, openDatabase } from '#kit/db/database.ts'
import { MIGRATIONS, migrationNames } from '#kit/db/migration_files.ts'
import { findFaultOfSchema, migrate } from '#kit/db/migrations.ts'
import { indexLeaves } from '#kit/db/partitions/leaf_indexes.ts'
import type { Partitioned } from '#kit/db/partitions/partition_months.ts'
import { dropLeaves, makeLeaves } from '#kit/db/partitions/partitions.ts'
import { assertIsolation } from '#kit/db/security/isolation.ts'
import { prepareRole, USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { prepareRoleOnNodes } from '#kit/db/security/role_on_nodes.ts'
import { assertRowsClosed, listOpenRows, secureRows } from '#kit/db/security/row_security.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'

/** A partitioned table with the setting of its retention. */
type Kept = Partitioned & { kept: keyof Config['kept_days'] }

/**
 * A claim changes no column of an index, so that with room on its page it writes no index. Results
 * leave entries of indexes behind; they are removed before a claim must pass many of them.
 */
const DELIVERIES_STORAGE =
  'fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05'

/**
 * The id of a delivery contains the time of its event, so its leaf is dropped before that of the
 * event. The months of messages begin on another day than those of transactions, so that no instant
 * is the end of a month of both (D-399).
 */
export const partitioned: readonly Kept[] = [
  { table: 'delivery_attempts', by: 'delivery_id', begins: 1, unique: [], kept: 'deliveries' },
  {
    table: 'deliveries',
    by: 'id',
    begins: 1,
    unique: [],
    // The deliveries about one object (D-1430).
    indexes: ['(object_id, created)'],
    kept: 'deliveries',
    storage: DELIVERIES_STORAGE,
  },
  {
    table: 'events',
    by: 'id',
    begins: 1,
    kept: 'events',
    unique: [
      '(tenant_id, object_id, sequence) where object_id is not null',
      '(tenant_id, number) where number is not null',
    ],
  },
  {
    table: 'transactions',
    by: 'id',
    begins: 1,
    kept: 'transactions',
    storage: 'fillfactor = 90',
    open: 'hold_expires is not null',
    unique: ['(tenant_id, message_key) where message_key is not null'],
  },
  { table: 'shadow_counts', by: 'id', begins: 1, unique: [], kept: 'transactions' },
  {
    table: 'network_messages',
    by: 'created',
    begins: 15,
    kept: 'messages',
    unique: ['(tenant_id, key)'],
    isFoundByUnique: true,
  },
  { table: 'wire_messages', by: 'created', begins: 15, unique: [], kept: 'messages' },
]

type Opened = Pick<Database, 'owner' | 'pool' | 'entries'>

/**
 * The schema of this program, with partitions for the months ahead, row security and the privileges
 * of `role`, as which the entries connect. Throws a StartError if a table of tenants stays open
 * (D-505), or if a server does not keep tenants and transactions apart (D-646). `report` gets a
 * line if it waits for another process.
 */
export async function bringUpToDate(
  { owner, pool, entries }: Opened,
  role: string,
  report: (line: string) => void = () => {},
): Promise<void> {
  if (await isWorker(pool)) await awaitSchema({ owner, pool }, role, report)
  else {
    await migrate(pool, MIGRATIONS, async (client) => {
      await secureRows(client)
      await prepareRole(client, role)
      await indexLeaves(client, partitioned)
    })
    await makeLeaves(owner, partitioned)
    await prepareRoleOnNodes(await entries(), role)
  }
  await assertRowsClosed(pool, role)
  await assertIsolation(await entries())
}

const NEWER =
  'the database is newer than this program, which cannot work beside what it does not know: ' +
  'start the newer program'

const LOOK_MS = 500
/** After it the start says what is missing. */
const LONGEST_WAIT_MS = 5 * 60_000

/** On a cluster the schema is changed from the coordinator alone, by a process that starts there. */
async function awaitSchema(
  { owner, pool }: Omit<Opened, 'entries'>,
  role: string,
  report: (line: string) => void,
): Promise<void> {
  const names = migrationNames(MIGRATIONS)
  const fault = () => findFaultOfSchema(owner, names).catch(() => 'lacking' as const)
  const isReady = async () => {
    const found = await fault()
    if (found === 'newer') throw new StartError(NEWER)
    return found === undefined && (await listOpenRows(pool, role)).length === 0
  }
  if (await isReady()) return
  report('waiting for a process at the coordinator, which brings the database to this version')
  const end = performance.now() + LONGEST_WAIT_MS
  while (performance.now() < end) {
    await pause(LOOK_MS)
    if (await isReady()) return
  }
  if ((await fault()) === undefined) return
  throw new StartError(
    'the database is not of this version, and DATABASE_URL is of a worker: start a process of ' +
      'this version whose DATABASE_URL is the coordinator',
  )
}

/** Makes the leaves that are missing and drops those that are past their retention. */
export async function keepPartitions(db: Db, kept_days: Config['kept_days'], now?: Date) {
  await makeLeaves(db, partitioned, now)
  for (const table of partitioned) {
    const days = kept_days[table.kept]
    if (days !== null) await dropLeaves(db, table, days, now)
  }
}

/**
 * For tests and tools: the schema of this program in an empty database. Its leaves are those of a
 * database that was made at `since`.
 */
export async function createSchema(url: string, since?: Date): Promise<void> {
  const database = openDatabase(url, 1, { role: USUAL_ROLE })
  try {
    await migrate(database.pool, MIGRATIONS)
    if (since) await makeLeaves(database.owner, partitioned, since)
    await bringUpToDate(database, USUAL_ROLE)
  } finally {
    await database.close()
  }
}
