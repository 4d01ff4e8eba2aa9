/** API keys (D-12): made once, kept as a hash, and refused by their checksum without a query. */

import { createHash, randomBytes } from 'node:crypto'
import { hasChecksum, keyText } from '#lib/digest.ts'

const PREFIX = 'bz_'
const RANDOM_BYTES = 32

export type ApiKey = { key: string; key_hash: Buffer; hint: string }

/** A new key of 256 random bits; `hint` is what lists show of it. */
export function makeApiKey(prefix = PREFIX): ApiKey {
  const key = keyText(prefix, randomBytes(RANDOM_BYTES))
  return { key, key_hash: hashApiKey(key), hint: `${key.slice(0, 7)}…${key.slice(-4)}` }
}

export const hashApiKey = (key: string): Buffer => createHash('sha256').update(key).digest()

/** Whether the key can be one of ours at all. */
export const isApiKey = (key: string): boolean => key.startsWith(PREFIX) && hasChecksum(key)
