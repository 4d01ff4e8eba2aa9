/** The address of the virus scanner that every file must pass. */

import type { AdapterEnv } from '../adapter.ts'

export type ClamdSettings = Readonly<{ host: string; port: number }>

/** With CLAMD_REQUIRED the program does not start without a scanner. */
export function readSettings({ variable, faults }: AdapterEnv): ClamdSettings | undefined {
  const required = variable('CLAMD_REQUIRED') ?? 'false'
  if (required !== 'true' && required !== 'false') {
    faults.push('CLAMD_REQUIRED must be true or false: change it or leave it out for false')
  }
  const address = variable('CLAMD_ADDRESS')
  if (address === undefined) {
    if (required === 'true') {
      faults.push(
        'CLAMD_ADDRESS is missing and CLAMD_REQUIRED is true: name the virus scanner, as ' +
          '127.0.0.1:3310, or leave CLAMD_REQUIRED out',
      )
    }
    return undefined
  }
  const [, v6, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d{1,5})$/i.exec(address) ?? []
  const host = v6 ?? name
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) {
    faults.push('CLAMD_ADDRESS must be host:port, as 127.0.0.1:3310: change it or leave it out')
  }
  return Object.freeze({ host: host ?? '', port: Number(port) })
}

export const describeSettings = (settings: ClamdSettings | undefined): [string, string][] => [
  ['CLAMD_ADDRESS', settings ? `${settings.host}:${settings.port}` : '(none)'],
]
