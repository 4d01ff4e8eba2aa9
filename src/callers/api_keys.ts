/** API keys (D-12): stored as a hash, with a checksum that rejects most others without a query. */

import { hash, randomBytes } from 'node:crypto'
import { hasChecksum, keyText } from '#lib/digest.ts'

const PREFIX = 'bz_'
const RANDOM_BYTES = 32

export type ApiKey = { key: string; key_hash: Buffer; hint: string }

/** A new key of 256 random bits; lists show its `hint`. */
export function makeApiKey(): ApiKey {
  const key = keyText(PREFIX, randomBytes(RANDOM_BYTES))
  return { key, key_hash: hashApiKey(key), hint: `${key.slice(0, 7)}…${key.slice(-4)}` }
}

export const hashApiKey = (key: string): Buffer => hash('sha256', key, 'buffer')

/** Whether the key has the prefix and the checksum of an API key. */
export const isApiKey = (key: string): boolean => key.startsWith(PREFIX) && hasChecksum(key)
