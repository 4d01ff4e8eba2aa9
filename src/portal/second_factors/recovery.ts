/** Recovery codes: ten, each valid once, stored as keyed digests (D-140). */

import { randomInt } from 'node:crypto'
import type { Keyring } from '#kit/keys/keyring.ts'

const COUNT = 10
/** Five bits a character, without those that are mistaken for each other: i, l, o, u. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const HALF = 5

const half = (): string =>
  Array.from({ length: HALF }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')

/** Fifty random bits each, as `8f3k2-m7q0z`. */
export function newRecoveryCodes(): string[] {
  const codes = new Set<string>()
  while (codes.size < COUNT) codes.add(`${half()}-${half()}`)
  return [...codes]
}

/**
 * The digest of a code, typed with or without hyphen, in capitals too. It is keyed: fifty bits can
 * be tried out by a reader of the database. Undefined for a text that is no recovery code.
 */
export function digestOfRecoveryCode(
  keys: Pick<Keyring, 'digest'>,
  person_id: string,
  code: string,
): Buffer | undefined {
  const plain = code.toLowerCase().replace(/[\s-]/g, '')
  const isCode = plain.length === 2 * HALF && [...plain].every((one) => ALPHABET.includes(one))
  return isCode ? keys.digest('lookup', `recovery code ${person_id} ${plain}`) : undefined
}
