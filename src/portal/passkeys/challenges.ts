/**
 * Challenges of passkeys. They are signed instead of stored, so that asking for one writes nothing.
 * That each is used once is for the row that the caller writes under its digest.
 */

import { hash, randomBytes } from 'node:crypto'
import type { Keyring } from '#kit/keys/keyring.ts'
import { isSameBytes } from '#lib/digest.ts'
import type { Basis } from '#portal/second_factors/second_factors.ts'

export const CHALLENGE_MS = 5 * 60_000

const NONCE_BYTES = 16
const TIME_BYTES = 6
const HEAD_BYTES = NONCE_BYTES + TIME_BYTES
const MAC_BYTES = 32

/**
 * The use of a challenge: a sign-in, or a registration by its basis (D-1001). One of another use,
 * person or session is not valid.
 */
export type Use =
  | { use: Basis; person_id: string; session_id?: string | undefined }
  | { use: 'SIGN_IN' }
type Keys = Pick<Keyring, 'digest'>

/** Valid for five minutes of real time. */
export function newChallenge(keys: Keys, use: Use, now: Date): Uint8Array<ArrayBuffer> {
  const head = Buffer.alloc(HEAD_BYTES)
  randomBytes(NONCE_BYTES).copy(head)
  head.writeUIntBE(now.getTime() + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES)
  return new Uint8Array([...head, ...macOf(keys, use, head)])
}

/** Whether `text` is an unexpired challenge of this program for this use, in base64url. */
export function isChallenge(keys: Keys, use: Use, text: string, now: Date): boolean {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== HEAD_BYTES + MAC_BYTES || bytes.toString('base64url') !== text) return false
  const head = bytes.subarray(0, HEAD_BYTES)
  const isOwn = isSameBytes(bytes.subarray(HEAD_BYTES), macOf(keys, use, head))
  return isOwn && head.readUIntBE(NONCE_BYTES, TIME_BYTES) > now.getTime()
}

/** The digest by which a used challenge is known. */
export const digestOfChallenge = (text: string): Buffer => hash('sha256', text, 'buffer')

function macOf(keys: Keys, use: Use, head: Buffer): Buffer {
  const whose = use.use === 'SIGN_IN' ? '' : `${use.person_id} ${use.session_id ?? ''}`
  return keys.digest('lookup', `passkey ${use.use} ${whose} ${head.toString('hex')}`)
}
