/** Public functions of one-time tokens: links in mails and first steps of sign-ins (D-136). */

import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { insertToken, lockToken, type TokenKind, updateTokenUsed } from './store.ts'

const TOKEN_BYTES = 32

const hashOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** A new token of 43 characters, stored as a digest; valid once, for so long of real time. */
export async function createToken(
  tx: Tx,
  { kind, data, valid_ms }: { kind: TokenKind; data: object; valid_ms: number },
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await insertToken(tx, { token_hash: hashOf(token), kind, data, valid_ms })
  return token
}

/**
 * The data of a token, which stays locked and unused: two requests with it come one after the
 * other. Undefined for one that is unknown, of another kind, used or expired.
 */
export const holdToken = (tx: Tx, kind: TokenKind, token: string): Promise<unknown> =>
  lockToken(tx, kind, hashOf(token))

/** Ends a token that is held. */
export const endToken = (tx: Tx, token: string): Promise<void> => updateTokenUsed(tx, hashOf(token))
