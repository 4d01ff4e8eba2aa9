/**
 * Passwords are kept as argon2id in PHC strings (D-135), with the parameters that OWASP gives: 19
 * MiB, two passes, one lane. Hashing runs on threads, in a bounded number of places.
 */

import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { isSameBytes } from '#lib/digest.ts'
import { metrics } from './metrics.ts'
import { type Asker, inPlace } from './places.ts'
import { normalPassword } from './rules.ts'

const derive = promisify(argon2)

const USUAL = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const VERSION = 19
/** The hash of no password: it is compared if there is none, so that the work is the same. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$1nEvpsdJ6yIrJO9rQT1tgw$' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** The PHC string of a password. Throws `unavailable` if too many are being hashed. */
export async function hashPassword(password: string, asker: Asker = 'STRANGER'): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derived(password, { salt, ...USUAL, length: TAG_BYTES }, asker)
  const { memory, passes, parallelism } = USUAL
  const parameters = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=${VERSION}$${parameters}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password has that hash; the same work without one. Throws `unavailable` too. */
export async function isPassword(
  password: string,
  stored: string | null,
  asker: Asker = 'STRANGER',
  of?: string,
): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? []
  if (memory === undefined) throw new Error('a stored password is no PHC string of argon2id')
  const expected = Buffer.from(tag, 'base64')
  const parameters = {
    salt: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    length: expected.length,
  }
  const found = await derived(password, parameters, asker, of)
  return isSameBytes(found, expected) && stored !== null
}

type Parameters = { salt: Buffer; length: number } & typeof USUAL

function derived(
  password: string,
  { salt, length, ...parameters }: Parameters,
  asker: Asker,
  of?: string,
): Promise<Buffer> {
  const message = Buffer.from(normalPassword(password))
  const work = async () => {
    metrics.passwordHashes.inc()
    return derive('argon2id', { message, nonce: salt, tagLength: length, ...parameters })
  }
  return inPlace(asker, work, of)
}

/** The form of PHC strings, without padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/(?<!=)=+$/, '')
