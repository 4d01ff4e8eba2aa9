/**
 * Moves the keys of cards to the security modules of HSM_ADDRESS while the program serves (D-1010).
 * The first run says that keys are moved; the processes are started again with HSM_ADDRESS; the
 * next run moves them, key set by key set, and may be interrupted and run again.
 */

import type pg from 'pg'
import { hasKeyInSoftware, moveNetworkKeys } from '#issuing/networks/networks.ts'
import {
  listCardsOfLongPins,
  listProductsWithKeys,
  moveKeySet,
  softwareCustody,
} from '#issuing/vault/vault.ts'
import { databaseNowPlus } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import type { Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import type { Config } from '#src/config/config.ts'
import { bindCustody, openCustody, type RecordedCustody, readCustody } from './modes/custody.ts'
import { PROFILES } from './modes/profiles.ts'

/** A process that was not seen for so long is not there. */
const SEEN_MS = 60_000
/** So many are named in a sentence. */
const NAMED = 5

type Moving = { config: Config; db: Db; pool: pg.Pool; keys: Keyring; log: Log; now: Date }

export type Moved = {
  custody: RecordedCustody
  /** Card products whose keys were moved by this run. */
  moved: number
}

/** Throws a StartError of one sentence where something has to be done first. */
export async function moveKeys(moving: Moving): Promise<Moved> {
  const { config, pool, log, now } = moving
  const { custody, carrier, close } = await openCustody(config, log, now, true)
  try {
    if (!carrier) throw new StartError('HSM_ADDRESS is not set: set it to the modules')
    const recorded = (await readCustody(pool)) ?? (await boundCustody(pool))
    const isOver = recorded.custody === 'MODULE' && (await areAllMoved(moving.db))
    if (isOver) return { custody: 'MODULE', moved: 0 }
    await carrier.assertTransport()
    await assertVerifiable(moving)
    if (recorded.custody === 'SOFTWARE') {
      await record(pool, 'MOVING')
      return { custody: 'MOVING', moved: 0 }
    }
    if (recorded.custody === 'MOVING') await assertRestarted(moving.db)
    const services = { ...moving, custody, profile: PROFILES[config.mode], ...idle }
    const db = moving.db.forOperator()
    let moved = 0
    for (const { tenant_id, card_product_id } of await listProductsWithKeys(db)) {
      const ctx = await tenantContext(services, tenant_id, { kind: 'system', id: 'keys move' })
      if (await moveKeySet(ctx, card_product_id, softwareCustody, carrier)) moved += 1
    }
    const own = { db: moving.db.overAllTenants(), keys: moving.keys, software: softwareCustody }
    await moveNetworkKeys({ ...own, carrier })
    await assertAllMoved(moving.db)
    if (recorded.custody === 'MOVING') await record(pool, 'MODULE')
    return { custody: 'MODULE', moved }
  } finally {
    close()
  }
}

const idle = { notify: () => {}, runDueJobs: async () => [], react: async () => {} }

async function boundCustody(pool: pg.Pool): Promise<{ custody: RecordedCustody }> {
  return { custody: await bindCustody(pool, 'SOFTWARE') }
}

async function record(pool: pg.Pool, custody: RecordedCustody): Promise<void> {
  await pool.query('update installation set custody = $1, custody_since = default', [custody])
}

/** Also whether one came in software, or came back, after the move was over. */
async function areAllMoved(db: Db): Promise<boolean> {
  const products = await listProductsWithKeys(db.forOperator())
  if (products.some(({ custody }) => custody !== 'MODULE')) return false
  return !(await hasKeyInSoftware(db.overAllTenants()))
}

/** From here on no process serves keys in software. Those of a product that came meanwhile are. */
async function assertAllMoved(db: Db): Promise<void> {
  if (await areAllMoved(db)) return
  throw new StartError('some keys are still in software: run this command again')
}

/** No module verifies a PIN in the longer way of this program (D-1015). */
async function assertVerifiable({ pool, db, keys }: Moving): Promise<void> {
  const cards = await listCardsOfLongPins(db.forOperator(), keys, NAMED)
  const { rows } = await pool.query<{ id: string }>(
    `select id from card_products
    where (pin ->> 'length')::int > 4 and coalesce(pin ->> 'verification', 'PVV') = 'PVV'
    union
    select card_product_id from cards where id = any ($1) and status <> 'TERMINATED'
    order by id limit $2`,
    [cards, NAMED],
  )
  if (rows.length === 0) return
  throw new StartError(
    'the security module cannot verify the PINs of more than four digits of these card products: ' +
      `${rows.map(({ id }) => id).join(', ')}. Set pin.verification to OFFSET, and give the ` +
      'cards with such PINs new ones first',
  )
}

async function assertRestarted(db: Db): Promise<void> {
  const rows = await db
    .selectFrom('processes as p')
    .innerJoin('installation as i', (join) => join.onTrue())
    .select('p.name')
    .whereRef('p.started', '<', 'i.custody_since')
    .where('p.seen', '>', databaseNowPlus(-SEEN_MS))
    .orderBy('p.name')
    .limit(NAMED)
    .execute()
  if (rows.length === 0) return
  throw new StartError(
    `these processes know of no security module yet: ${rows.map(({ name }) => name).join(', ')}. ` +
      'Restart them with HSM_ADDRESS, one after the other, and run this command again',
  )
}
