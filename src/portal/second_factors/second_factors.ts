/** Public functions of second factors (D-140). */

import { hash } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { updateRecoveryCodeUsed } from './store.ts'

/**
 * Whether the code is a valid second factor of the person; it is then used up in the transaction.
 * Recovery codes are compared without spaces and hyphens, in lower case.
 */
export function verifySecondFactor(tx: Tx, person_id: string, code: string): Promise<boolean> {
  return updateRecoveryCodeUsed(tx, person_id, hashOfCode(code))
}

/** What is stored of a recovery code. */
export const hashOfCode = (code: string): Buffer =>
  hash('sha256', code.replace(/[\s-]/g, '').toLowerCase(), 'buffer')
