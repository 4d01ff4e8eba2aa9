/**
 * Rotation of data keys while processes serve: a next key is created that only opens; when every
 * process knows it, it seals; rows that are sealed under the old key are sealed again; when none is
 * left, the old key is retired and, later, removed. Every step is one transaction on `data_keys`,
 * so that the next run continues an interrupted one.
 */

import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import {
  KEYS_STALE_MS,
  type KeyWrapper,
  type LiveKeyring,
  newDataKey,
  openKeyring,
  type SealingPurpose,
  sealingPurposes,
} from './keyring.ts'
import { type ListedKey, listDataKeys } from './listing.ts'
import { countSealed, reseal, type SealedColumn } from './sealed_columns.ts'

/** After this every process has read the data keys, or seals nothing until it has. */
export const SETTLE_MS = KEYS_STALE_MS + 1_000
/**
 * An upload seals the key of its file before it writes the row. No request takes as long as this,
 * so nothing is written under a key that was retired before.
 */
export const RETIRED_FOR_MS = 60 * 60_000
const PROGRESS_MS = 2_000
/** Few rows are written meanwhile under the old key: one or two passes find the last. */
const PASSES_MAX = 100

export type RotationParts = {
  db: Db
  wrapper: KeyWrapper
  /** Logs every step, with the ids of the keys. */
  log: Log
  columns: readonly SealedColumn[]
  /** Real time. */
  clock: () => Date
  pause: (ms: number) => Promise<unknown>
}

type Key = ListedKey & { purpose: SealingPurpose }

/** Gives every sealing purpose its next key, or completes an interrupted rotation. */
export async function rotateKeys(parts: RotationParts): Promise<void> {
  await openKeyring(parts.db, parts.wrapper, parts.clock())
  const begun = await readKeys(parts.db)
  if (!isUnderWay(begun)) await makeNext(parts, begun)
  if ((await readKeys(parts.db)).some(isPending)) {
    await parts.pause(SETTLE_MS)
    await activate(parts)
  }
  await moveToCurrent(parts)
  await retire(parts)
}

/**
 * Completes an interrupted rotation and deletes the keys that were retired an hour ago or earlier,
 * once no row is sealed under them. Begins no rotation.
 */
export async function removeOldKeys(parts: RotationParts): Promise<void> {
  if (isUnderWay(await readKeys(parts.db))) await rotateKeys(parts)
  else await moveToCurrent(parts)
  const { db, log, columns, clock } = parts
  const until = clock().getTime() - RETIRED_FOR_MS
  for (const key of await readKeys(db)) {
    if (key.retired === null) continue
    if (key.retired.getTime() > until) {
      const due = new Date(key.retired.getTime() + RETIRED_FOR_MS)
      log.info({ ...named(key), due }, 'this data key was retired lately and may be removed then')
      continue
    }
    const own = columns.filter(({ purpose }) => purpose === key.purpose)
    const counts = await Promise.all(own.map((column) => countSealed(db, column, [key.id])))
    if (counts.some((count) => count > 0)) throw new Error(`data key ${key.id} is still in use`)
    await db.deleteFrom('data_keys').where('id', '=', key.id).execute()
    log.info(named(key), 'the data key was removed: nothing is sealed under it')
  }
}

const isPending = ({ activated }: Key) => activated === null

/** A purpose has one current key; a second one that is not retired means a rotation. */
function isUnderWay(keys: readonly Key[]): boolean {
  const living = keys.filter(({ retired }) => retired === null)
  return living.length > sealingPurposes.length
}

const named = ({ id, purpose, generation }: Key) => ({ data_key: id, purpose, generation })

async function readKeys(db: Db): Promise<Key[]> {
  return (await listDataKeys(db)).flatMap(({ purpose: written, ...row }) => {
    const purpose = sealingPurposes.find((name) => name === written)
    return purpose === undefined ? [] : [{ ...row, purpose }]
  })
}

/** One statement, so that the purposes are always at the same step. */
async function makeNext({ db, wrapper, log, clock }: RotationParts, keys: readonly Key[]) {
  const rows = await Promise.all(
    sealingPurposes.map((purpose) => {
      const last = keys.findLast((key) => key.purpose === purpose)
      return newDataKey(wrapper, purpose, (last?.generation ?? 0) + 1, clock())
    }),
  )
  await db.insertInto('data_keys').values(rows).execute()
  for (const { id, purpose, generation } of rows) {
    log.info({ data_key: id, purpose, generation }, 'a data key was made; it seals nothing yet')
  }
}

async function activate({ db, log, clock }: RotationParts): Promise<void> {
  const rows = await db
    .updateTable('data_keys')
    .set({ activated: clock() })
    .where('activated', 'is', null)
    .returning(['id as data_key', 'purpose', 'generation'])
    .execute()
  for (const row of rows) log.info(row, 'the data key seals from now on')
}

/**
 * Repeats until nothing is sealed under an older key, and at least once after every process seals
 * under the current one.
 */
async function moveToCurrent(parts: RotationParts): Promise<void> {
  const { db, wrapper, clock, pause } = parts
  const keys = await readKeys(db)
  const ring = await openKeyring(db, wrapper, clock())
  await Promise.all([pass(parts, ring, keys), isUnderWay(keys) && pause(SETTLE_MS)])
  for (let number = 0; number < PASSES_MAX; number++) {
    if ((await pass(parts, ring, keys)) === 0) return
  }
  throw new Error('rows are still written under the old keys: is there an older process?')
}

/** Seals again what is sealed under older keys in all columns; returns the number of rows. */
async function pass(parts: RotationParts, ring: LiveKeyring, keys: readonly Key[]) {
  const { db, columns } = parts
  let all = 0
  for (const column of columns) {
    const own = keys.filter(({ purpose }) => purpose === column.purpose)
    const current = own.findLast(({ activated, retired }) => activated && !retired)
    const older = own.filter((key) => key !== current && key.activated).map(({ id }) => id)
    const found = older.length === 0 ? 0 : await countSealed(db, column, older)
    if (found > 0) await moveColumn(parts, ring, { column, older, found })
    all += found
  }
  return all
}

type Move = { column: SealedColumn; older: readonly string[]; found: number }

async function moveColumn({ db, log }: RotationParts, ring: LiveKeyring, move: Move) {
  const { column, older, found } = move
  const what = { purpose: column.purpose, table: column.table, column: column.column, of: found }
  let resealed = 0
  let reported_at = performance.now()
  for await (const count of reseal(db, ring, column, older)) {
    resealed += count
    if (performance.now() - reported_at < PROGRESS_MS) continue
    reported_at = performance.now()
    log.info({ ...what, resealed }, 'sealing under the current key')
  }
  log.info({ ...what, resealed }, 'sealed under the current key')
}

async function retire({ db, log, clock }: RotationParts): Promise<void> {
  const keys = await readKeys(db)
  const old = keys.filter(({ id, purpose, retired }) => {
    const current = keys.findLast((key) => key.purpose === purpose && key.activated)
    return retired === null && id !== current?.id
  })
  if (old.length === 0) return
  const ids = old.map(({ id }) => id)
  await db.updateTable('data_keys').set({ retired: clock() }).where('id', 'in', ids).execute()
  for (const key of old)
    log.info(named(key), 'the data key was retired: it opens, and seals no more')
}
