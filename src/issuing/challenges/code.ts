/** The one-time code of a challenge (D-1090). */

import { randomInt } from 'node:crypto'
import type { Context } from '#kit/context.ts'
import { Secret } from '#lib/secret.ts'
import type { ChallengeRow } from './schema.ts'

const DIGITS = 6

export const newCode = (): Secret =>
  new Secret(String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0'))

type Bound = Pick<ChallengeRow, 'id' | 'amount' | 'currency' | 'merchant_id'>

/** A keyed digest, which the same code of no other challenge and no other payment has. */
export function digestOfCode(
  { keys, tenant_id }: Pick<Context, 'keys' | 'tenant_id'>,
  { id, amount, currency, merchant_id }: Bound,
  code: Secret,
): Buffer {
  const bound = [tenant_id, id, amount, currency, merchant_id, code.reveal()]
  return keys.digest('lookup', `challenge:${bound.join(':')}`)
}
