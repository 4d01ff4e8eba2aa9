/** The token of a widget: the id of its tenant and a random part. */

import { createHash, randomBytes } from 'node:crypto'
import { hasChecksum, keyText } from '#lib/digest.ts'

const PREFIX = 'bw_'
const RANDOM_BYTES = 32
/** The tenant's id, 256 random bits in base 62, and the checksum of the whole. */
const SHAPE = /^bw_([0-9a-f]{32})_[0-9A-Za-z]{49}$/

export const newToken = (tenant_id: string): string =>
  keyText(`${PREFIX}${tenant_id.replaceAll('-', '')}_`, randomBytes(RANDOM_BYTES))

/** Undefined for text that `newToken` does not create, without a query of the database. */
export function tenantIn(token: string): string | undefined {
  const hex = SHAPE.exec(token)?.[1]
  if (hex === undefined || !hasChecksum(token)) return undefined
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A token has 256 random bits, so a plain hash protects it. */
export const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest()
