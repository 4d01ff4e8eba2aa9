/** DE11 of messages to the issuer: six digits that no two messages of a tenant soon share. */

import { randomInt } from 'node:crypto'
import type { Tx } from '#kit/context.ts'
import { drawNumber } from '#kit/db/counters.ts'
import type { Db } from '#kit/db/database.ts'

/**
 * A counter is locked until the transaction that draws from it ends. So the numbers are shared out
 * between several, and a transaction draws from that of its connection: it waits for no other, and
 * two that draw more than one number cannot wait for each other.
 */
const COUNTERS = 16
/** A number comes back only after so many messages of one counter. */
export const NUMBERS = Math.floor(999_999 / COUNTERS)

const counters = new WeakMap<Db, number>()
let latest = randomInt(COUNTERS)

function counterOf(db: Db): number {
  const known = counters.get(db)
  if (known !== undefined) return known
  latest = (latest + 1) % COUNTERS
  counters.set(db, latest)
  return latest
}

/**
 * Messages of two tenants may share a number; their retrieval references (DE37) distinguish them,
 * for the match of answers as for the duplicates of the issuer (D-109).
 */
export async function nextStan(tx: Tx): Promise<string> {
  const counter = counterOf(tx.db)
  const number = await drawNumber(tx, `acquirer stan ${counter}`, NUMBERS)
  return String(counter * NUMBERS + Number(number)).padStart(6, '0')
}
