/**
 * Envelope encryption: data keys lie in the database wrapped under the master key (a KMS could wrap
 * them instead); whatever must not lie in clear is sealed under the data key of its purpose.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { newId } from '#lib/id.ts'
import type { Db } from './database.ts'

/**
 * Wraps and unwraps data keys: the master key here, a key management service where there is one.
 */
export type KeyWrapper = {
  wrap: (key: Buffer, name: string) => Promise<Buffer>
  unwrap: (wrapped: Buffer, name: string) => Promise<Buffer>
}

/**
 * What a key is for; a key of one purpose never opens what another has sealed. `lookup`,
 * `numbering` and `tokens` are never used to seal: the first makes keyed digests, the second orders
 * numbers, and of the third comes the key that signs the merchants' tokens.
 */
export const purposes = [
  'cards',
  'keysets',
  'secrets',
  'files',
  'merchant_cards',
  'lookup',
  'numbering',
  'tokens',
] as const
export type Purpose = (typeof purposes)[number]

const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_BYTES = 16
const FORMAT = 1

type DataKey = { id: Buffer; key: KeyObject; retired: boolean }

export type Keyring = {
  /**
   * Seals bytes; `bind` (a row's identity) must be given again to open them, so rows cannot swap.
   */
  seal: (purpose: Purpose, clear: Buffer, bind: string) => Buffer
  /** Opens what seal made; throws when the bytes, the binding or the purpose are not the same. */
  open: (purpose: Purpose, sealed: Buffer, bind: string) => Buffer
  /** Keyed digest (HMAC-SHA-256), for looking up what may not lie in clear. */
  digest: (purpose: 'lookup' | 'numbering' | 'tokens', data: string) => Buffer
}

/** A key wrapper under a 32-byte master key (AES-256-GCM). */
export function masterKeyWrapper(masterKey: Buffer): KeyWrapper {
  const key = createSecretKey(masterKey)
  return {
    wrap: async (dataKey, name) => encrypt(key, dataKey, name),
    unwrap: async (wrapped, name) => decrypt(key, wrapped, name),
  }
}

/** Loads the data keys and makes those that are missing. Throws when the master key is another. */
export async function openKeyring(db: Db, wrapper: KeyWrapper, now: Date): Promise<Keyring> {
  for (const purpose of purposes) {
    const id = newId()
    const wrapped = await wrapper.wrap(randomBytes(32), keyName(purpose, id))
    await db
      .insertInto('data_keys')
      .values({ id, purpose, generation: 1, wrapped, created: now })
      .onConflict((conflict) => conflict.columns(['purpose', 'generation']).doNothing())
      .execute()
  }
  const rows = await db.selectFrom('data_keys').selectAll().orderBy('generation').execute()
  const rings = new Map<string, DataKey[]>()
  for (const row of rows) {
    const clear = await unwrapOrExplain(wrapper, row.wrapped, keyName(row.purpose, row.id))
    const entry = {
      id: idBytes(row.id),
      key: createSecretKey(clear),
      retired: row.retired !== null,
    }
    rings.set(row.purpose, [...(rings.get(row.purpose) ?? []), entry])
  }
  return keyringOf(rings)
}

/** The stored data keys do not open under the configured master key. */
export class WrongMasterKey extends Error {
  constructor() {
    super('MASTER_KEY does not open this database: its keys were wrapped under another one')
    this.name = 'WrongMasterKey'
  }
}

async function unwrapOrExplain(wrapper: KeyWrapper, wrapped: Buffer, name: string) {
  try {
    return await wrapper.unwrap(wrapped, name)
  } catch {
    throw new WrongMasterKey()
  }
}

function keyringOf(rings: Map<string, DataKey[]>): Keyring {
  const ringOf = (purpose: Purpose): DataKey[] => rings.get(purpose) ?? []
  const current = (purpose: Purpose): DataKey => {
    const key = ringOf(purpose).findLast(({ retired }) => !retired)
    if (!key) throw new Error(`no data key for ${purpose}`)
    return key
  }
  return {
    seal(purpose, clear, bind) {
      const { id, key } = current(purpose)
      return Buffer.concat([Buffer.of(FORMAT), id, encrypt(key, clear, bind)])
    },
    open(purpose, sealed, bind) {
      if (sealed[0] !== FORMAT) throw new Error('sealed bytes of an unknown format')
      const id = sealed.subarray(1, 1 + ID_BYTES)
      const found = ringOf(purpose).find((entry) => entry.id.equals(id))
      if (!found) throw new Error(`sealed under a key that ${purpose} does not have`)
      return decrypt(found.key, sealed.subarray(1 + ID_BYTES), bind)
    },
    digest(purpose, data) {
      return createHmac('sha256', current(purpose).key).update(data).digest()
    },
  }
}

const keyName = (purpose: string, id: string) => `${purpose}:${id}`
const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')

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
