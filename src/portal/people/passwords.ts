/**
 * Passwords are kept as argon2id in PHC strings (D-135), with the parameters that OWASP gives: 19
 * MiB, two passes, one lane. Hashing runs on threads, in a bounded number of places.
 */

import { argon2, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { metrics } from '#kit/metrics.ts'
import { isSameBytes } from '#lib/digest.ts'
import { ApiError } from '#lib/result.ts'
import { normalPassword } from './rules.ts'

const derive = promisify(argon2)

const USUAL = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32
const VERSION = 19
/** At most so many of the four threads of the process hash, with 19 MiB each. */
const PLACES = 2
/** More wait than this: a wait would outlast the patience of a browser. */
const WAITING_MOST = 100

/** The hash of no password: it is compared where there is none, so that the work is the same. */
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$1nEvpsdJ6yIrJO9rQT1tgw$' +
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/

/** The PHC string of a password. Throws `unavailable` where too many are being hashed. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const tag = await derived(password, { salt, ...USUAL, length: TAG_BYTES })
  const { memory, passes, parallelism } = USUAL
  const parameters = `m=${memory},t=${passes},p=${parallelism}`
  return `$argon2id$v=${VERSION}$${parameters}$${base64(salt)}$${base64(tag)}`
}

/** Whether the password has that hash; the same work without one. Throws `unavailable` too. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? []
  if (memory === undefined) throw new Error('a stored password is no PHC string of argon2id')
  const expected = Buffer.from(tag, 'base64')
  const found = await derived(password, {
    salt: Buffer.from(salt, 'base64'),
    ...{ memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    length: expected.length,
  })
  return isSameBytes(found, expected) && stored !== null
}

type Parameters = { salt: Buffer; length: number } & typeof USUAL

function derived(password: string, { salt, length, ...parameters }: Parameters): Promise<Buffer> {
  const message = Buffer.from(normalPassword(password))
  return inPlace(async () => {
    metrics.passwordHashes.inc()
    return derive('argon2id', { message, nonce: salt, tagLength: length, ...parameters })
  })
}

let busy = 0
const waiting: (() => void)[] = []

async function inPlace<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= WAITING_MOST) {
    const detail = 'Too many people sign in at the moment; try again.'
    throw new ApiError('unavailable', { detail, retry_after_seconds: 5 })
  }
  if (busy >= PLACES) await new Promise<void>((resolve) => waiting.push(resolve))
  else busy += 1
  try {
    return await work()
  } finally {
    // The place goes to the one that has waited longest.
    const next = waiting.shift()
    if (next) next()
    else busy -= 1
  }
}

/** As PHC strings have it: without padding. */
const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
