/** BINs for card products of a sandbox. */

import { randomInt } from 'node:crypto'
import { Fault } from './faults.ts'

const TRIES = 20

/**
 * Calls `create` with eight digits; it returns undefined if these are taken. A BIN belongs to one
 * tenant, so random ones are tried until one is free.
 */
export async function withFreeBin<Made>(
  create: (bin: string) => Promise<Made | undefined>,
): Promise<Made> {
  for (let tries = 0; tries < TRIES; tries++) {
    const made = await create(`4${randomInt(10 ** 7)}`.padEnd(8, '0'))
    if (made !== undefined) return made
  }
  throw new Fault('no free BIN was found')
}
