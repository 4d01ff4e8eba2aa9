/** The sdk_token of the sandbox: its tenant, to find it, and random bytes. */

import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'sdk_'
const TENANT_BYTES = 16
const RANDOM_BYTES = 32

export function newToken(tenant_id: string): string {
  const tenant = Buffer.from(tenant_id.replaceAll('-', ''), 'hex')
  return PREFIX + Buffer.concat([tenant, randomBytes(RANDOM_BYTES)]).toString('base64url')
}

/** Undefined for text that `newToken` does not make. */
export function tenantIn(token: string): string | undefined {
  if (!token.startsWith(PREFIX)) return undefined
  const text = token.slice(PREFIX.length)
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.length !== TENANT_BYTES + RANDOM_BYTES || bytes.toString('base64url') !== text) {
    return undefined
  }
  const hex = bytes.toString('hex', 0, TENANT_BYTES)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A token has 256 random bits, so an unsalted hash is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()
