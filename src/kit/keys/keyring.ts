/**
 * Envelope encryption: data keys are in the database, wrapped under the master key or by a KMS;
 * secrets are sealed under the data key of their purpose.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { DatabaseUnavailable, type Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'

/** Wraps and unwraps data keys: the master key here, a key management service if there is one. */
export type KeyWrapper = {
  wrap: (key: Buffer, name: string) => Promise<Buffer>
  unwrap: (wrapped: Buffer, name: string) => Promise<Buffer>
}

/** The purposes of sealing keys, which rotate; a key never opens what another purpose sealed. */
export const sealingPurposes = ['cards', 'keysets', 'secrets', 'files', 'merchant_cards'] as const
export type SealingPurpose = (typeof sealingPurposes)[number]

/**
 * Keys that never seal and never rotate, since their results are stored: `lookup` makes the
 * digests by which numbers are found, `numbering` orders the numbers of a range (another key would
 * assign numbers twice), and `tokens` derives the key that signs the merchants' tokens.
 */
export const derivingPurposes = ['lookup', 'numbering', 'tokens'] as const
export type DerivingPurpose = (typeof derivingPurposes)[number]

export const purposes = [...sealingPurposes, ...derivingPurposes] as const
export type Purpose = (typeof purposes)[number]

/** How often a running process reads the data keys again. */
const POLL_MS = 1_000
/**
 * A process that could not read them for so long seals nothing until it can: a rotation relies on
 * no process sealing under an old key after this time.
 */
export const KEYS_STALE_MS = 5_000
/** The most ids of keys that were not found and are not looked for again. */
const SOUGHT_MAX = 1_000

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_BYTES = 16
const KEY_BYTES = 32
const FORMAT = 1
/** Sealed bytes are so many more than what they seal. */
export const SEALED_MORE: number = 1 + ID_BYTES + NONCE_BYTES + TAG_BYTES

type DataKey = { id: Buffer; key: KeyObject; seals: boolean }
type KeyVersionsByPurpose = Map<string, DataKey[]>

export type Keyring = {
  /**
   * Seals bytes; opening them requires the same `bind` (a row's identity), so rows cannot swap.
   * Throws DatabaseUnavailable if the data keys could not be read for too long.
   */
  seal: (purpose: SealingPurpose, clear: Buffer, bind: string) => Buffer
  /**
   * Opens sealed bytes; throws when the bytes, the binding or the purpose are not the same. Under
   * a key that a watching process has not read yet it throws DatabaseUnavailable and reads.
   */
  open: (purpose: SealingPurpose, sealed: Buffer, bind: string) => Buffer
  /** Keyed digest (HMAC-SHA-256), for looking up what is not stored in clear. */
  digest: (purpose: DerivingPurpose, data: string) => Buffer
}

/** A keyring that follows the data keys of its database. */
export type LiveKeyring = Keyring & {
  /** Reads the data keys: new ones open from now on, and one that was activated seals. */
  refresh: () => Promise<void>
  /** Refreshes periodically until the returned function is called. */
  watch: (log: Log) => () => Promise<void>
}

/** A key wrapper under a 32-byte master key (AES-256-GCM). */
export function masterKeyWrapper(masterKey: Buffer): KeyWrapper {
  const key = createSecretKey(masterKey)
  return {
    wrap: async (dataKey, name) => encrypt(key, dataKey, name),
    unwrap: async (wrapped, name) => decrypt(key, wrapped, name),
  }
}

/**
 * Loads the data keys and creates the missing ones. Throws when the master key is another.
 * `passed` is a monotonic clock in milliseconds.
 */
export async function openKeyring(
  db: Db,
  wrapper: KeyWrapper,
  now: Date,
  passed: () => number = () => performance.now(),
): Promise<LiveKeyring> {
  const rows = await db.selectFrom('data_keys').select('purpose').execute()
  const missing = purposes.filter((name) => !rows.some(({ purpose }) => purpose === name))
  for (const purpose of missing) {
    const values = { ...(await newDataKey(wrapper, purpose, 1, now)), activated: now }
    // Another process that starts may have made it; then both use that one.
    await db
      .insertInto('data_keys')
      .values(values)
      .onConflict((conflict) => conflict.columns(['purpose', 'generation']).doNothing())
      .execute()
  }
  const ring = new KeyVersions(db, wrapper, passed)
  await ring.refresh()
  return ring
}

/** A data key as a row: random, wrapped, and not sealing before it is activated. */
export async function newDataKey(
  wrapper: KeyWrapper,
  purpose: Purpose,
  generation: number,
  created: Date,
) {
  const id = newId()
  const wrapped = await wrapper.wrap(randomBytes(KEY_BYTES), keyName({ purpose, id }))
  return { id, purpose, generation, wrapped, created }
}

/** The stored data keys do not open under the configured master key. */
export class WrongMasterKey extends Error {
  constructor() {
    super('MASTER_KEY does not open this database: its keys were wrapped under another one')
    this.name = 'WrongMasterKey'
  }
}

/** The data key in clear. Throws a StartError or WrongMasterKey. */
export async function unwrapOrExplain(
  wrapper: KeyWrapper,
  row: { id: string; purpose: string; wrapped: Buffer },
): Promise<Buffer> {
  try {
    return await wrapper.unwrap(row.wrapped, keyName(row))
  } catch (error) {
    throw error instanceof StartError ? error : new WrongMasterKey()
  }
}

class KeyVersions implements LiveKeyring {
  readonly #db: Db
  readonly #wrapper: KeyWrapper
  readonly #passed: () => number
  #rings: KeyVersionsByPurpose = new Map()
  #reading: Promise<void> | undefined
  /** The time before the keys were read. */
  #read_at = 0
  #watched = false
  readonly #sought = new Set<string>()

  constructor(db: Db, wrapper: KeyWrapper, passed: () => number) {
    this.#db = db
    this.#passed = passed
    this.#wrapper = wrapper
  }

  seal(purpose: SealingPurpose, clear: Buffer, bind: string): Buffer {
    if (this.#watched && this.#passed() - this.#read_at > KEYS_STALE_MS) {
      throw new DatabaseUnavailable(new Error('the data keys could not be read for too long'))
    }
    const { id, key } = this.#current(purpose)
    return Buffer.concat([sealedPrefix(id), encrypt(key, clear, bind)])
  }

  open(purpose: SealingPurpose, sealed: Buffer, bind: string): Buffer {
    if (sealed[0] !== FORMAT) throw new Error('sealed bytes of an unknown format')
    const id = sealed.subarray(1, 1 + ID_BYTES)
    const found = this.#rings.get(purpose)?.find((entry) => entry.id.equals(id))
    if (!found) throw this.#unknown(purpose, id)
    return decrypt(found.key, sealed.subarray(1 + ID_BYTES), bind)
  }

  digest(purpose: DerivingPurpose, data: string): Buffer {
    return createHmac('sha256', this.#current(purpose).key).update(data).digest()
  }

  refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  watch(log: Log): () => Promise<void> {
    this.#watched = true
    let stopped = false
    const attempt = () =>
      this.refresh().catch((err: unknown) => {
        if (!stopped) log.warn({ err }, 'the data keys could not be read')
      })
    const timer = setInterval(() => void attempt(), POLL_MS)
    timer.unref()
    return async () => {
      stopped = true
      clearInterval(timer)
      await this.#reading?.catch(() => {})
    }
  }

  async #read(): Promise<void> {
    const started_at = this.#passed()
    const rows = await this.#db.selectFrom('data_keys').selectAll().orderBy('generation').execute()
    const rings: KeyVersionsByPurpose = new Map()
    for (const row of rows) {
      const id = Buffer.from(row.id.replaceAll('-', ''), 'hex')
      const known = this.#rings.get(row.purpose)?.find((entry) => entry.id.equals(id))
      const key = known?.key ?? createSecretKey(await unwrapOrExplain(this.#wrapper, row))
      const seals = row.activated !== null && row.retired === null
      rings.set(row.purpose, [...(rings.get(row.purpose) ?? []), { id, key, seals }])
    }
    this.#rings = rings
    this.#read_at = started_at
  }

  #current(purpose: Purpose): DataKey {
    const key = this.#rings.get(purpose)?.findLast(({ seals }) => seals)
    if (!key) throw new Error(`no data key for ${purpose}`)
    return key
  }

  /** The key may be too new for this process, which then reads it; the client repeats. */
  #unknown(purpose: Purpose, id: Buffer): Error {
    const name = id.toString('hex')
    const unknown = new Error(`sealed under a key that ${purpose} does not have`)
    if (!this.#watched || this.#sought.has(name)) return unknown
    const isSought = () => void (this.#sought.size < SOUGHT_MAX && this.#sought.add(name))
    // A read under way may have begun before the key existed.
    if (!this.#reading) this.refresh().then(isSought, () => {})
    return new DatabaseUnavailable(unknown)
  }
}

/** The prefix of all bytes sealed under a key. */
export const sealedPrefix = (id: Buffer): Buffer => Buffer.concat([Buffer.of(FORMAT), id])

/** A wrapped key is bound to its row, so that two rows cannot swap. */
export const keyName = ({ purpose, id }: { purpose: string; id: string }) => `${purpose}:${id}`

function encrypt(key: KeyObject, clear: Buffer, bind: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bind))
  return Buffer.concat([nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: KeyObject, sealed: Buffer, bind: string): Buffer {
  const tagAt = sealed.length - TAG_BYTES
  if (tagAt < NONCE_BYTES) throw new Error('sealed bytes are cut short')
  const options = { authTagLength: TAG_BYTES }
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), options)
    .setAAD(Buffer.from(bind))
    .setAuthTag(sealed.subarray(tagAt))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, tagAt)), decipher.final()])
}
