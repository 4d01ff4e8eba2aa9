/** The trusted proxies before this program: their part of the environment. */

import { isIP } from 'node:net'

type ReadVariable = (name: string) => string | undefined

/**
 * TRUSTED_PROXIES: addresses and CIDR blocks with commas between. The source of a request from one
 * of these is the last address of X-Forwarded-For that is none of them; for any other request the
 * header is ignored (D-362). Adds a line to `faults` for every fault.
 */
export function readProxies(variable: ReadVariable, faults: string[]): readonly string[] {
  const entries = (variable('TRUSTED_PROXIES') ?? '').split(',').map((entry) => entry.trim())
  const proxies = entries.filter((entry) => entry !== '')
  const wrong = proxies.find((entry) => !isAddressOrBlock(entry))
  if (wrong !== undefined) {
    faults.push(
      'TRUSTED_PROXIES must be addresses or CIDR blocks with commas between, not ' +
        `${JSON.stringify(wrong.slice(0, 60))}: write 10.0.0.1 or 10.0.0.0/8, or leave it out`,
    )
  }
  return Object.freeze(proxies)
}

function isAddressOrBlock(entry: string): boolean {
  const [address = '', bits, ...more] = entry.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  // A block of no bits would trust every address.
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

export const describeProxies = (proxies: readonly string[]): [string, string][] => [
  ['TRUSTED_PROXIES', proxies.join(',') || '(none)'],
]
