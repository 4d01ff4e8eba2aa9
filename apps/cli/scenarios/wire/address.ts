/** The address of an ISO 8583 port. */

import { UsageFault } from '../../kit/faults.ts'
import type { Sandbox } from '../../kit/platform.ts'
import type { NetworkAddress } from './line.ts'

/** `HOST:PORT`, of a port with the dialect and the header of a sandbox. */
export function networkOf(text: string): NetworkAddress {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || port === undefined) {
    throw new UsageFault(`--network ${text} is not HOST:PORT`)
  }
  return { host, port: Number(port), dialect: 'ascii', header: 'binary2' }
}

// Written by the program.
export const portIn = (network: Sandbox['network']): NetworkAddress => network as NetworkAddress
