/** The proxies before this program: the part of the environment that says whom to believe. */

import { isIP } from 'node:net'

type Given = (name: string) => string | undefined

/**
 * TRUSTED_PROXIES: addresses and CIDR blocks with commas between. Of a request that comes from one
 * of these, the source is the last address of X-Forwarded-For that is none of them; of any other
 * request the header is not believed (D-362). Adds a line to `faults` for what cannot be.
 */
export function readProxies(given: Given, faults: string[]): readonly string[] {
  const words = (given('TRUSTED_PROXIES') ?? '').split(',').map((word) => word.trim())
  const proxies = words.filter((word) => word !== '')
  const wrong = proxies.find((word) => !isAddressOrBlock(word))
  if (wrong !== undefined) {
    faults.push(
      'TRUSTED_PROXIES must be addresses or CIDR blocks with commas between, not ' +
        `${JSON.stringify(wrong.slice(0, 60))}: write 10.0.0.1 or 10.0.0.0/8, or leave it out`,
    )
  }
  return Object.freeze(proxies)
}

function isAddressOrBlock(word: string): boolean {
  const [address = '', bits, ...more] = word.split('/')
  const version = isIP(address)
  if (version === 0 || more.length > 0) return false
  if (bits === undefined) return true
  // A block of no bits would believe everybody.
  return /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128)
}

export const describeProxies = (proxies: readonly string[]): [string, string][] => [
  ['TRUSTED_PROXIES', proxies.join(',') || '(none)'],
]
