/** The address of the virus scanner that every file must pass. */

import { type Static, Type } from 'typebox'
import { Choice, isAddress, Shaped } from '#kit/settings/kinds.ts'
import { type Address, addressOf } from '#kit/settings/shapes.ts'
import type { Deployment } from '../adapter.ts'

export type ClamdSettings = Address

export const variables = Type.Object({
  CLAMD_ADDRESS: Shaped(isAddress, {
    description: 'host:port, as 127.0.0.1:3310',
    remedy: 'change it or leave it out',
    writeOnly: true,
  }),
  CLAMD_REQUIRED: Choice(['true', 'false'], 'false'),
})

/** With CLAMD_REQUIRED the program does not start without a scanner. */
export function settingsOf(
  { CLAMD_ADDRESS, CLAMD_REQUIRED }: Static<typeof variables>,
  { faults }: Deployment,
): ClamdSettings | undefined {
  if (CLAMD_ADDRESS === undefined && CLAMD_REQUIRED === 'true') {
    faults.push(
      'CLAMD_ADDRESS is missing and CLAMD_REQUIRED is true: name the virus scanner, as ' +
        '127.0.0.1:3310, or leave CLAMD_REQUIRED out',
    )
  }
  return addressOf(CLAMD_ADDRESS ?? '')
}
