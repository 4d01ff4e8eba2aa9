/** Which addresses may connect to the port, and how many at a time (D-123). */

import { membersOf, originOf } from '#kit/net/networks.ts'

export type AdmissionLimits = {
  /** Connections in all. */
  connections: number
  /** Connections from one IPv4 address, or from one /64 block of IPv6 addresses. */
  connections_per_address: number
}

export type Rejected = 'not_allowed' | 'connections' | 'connections_per_address'

export type Admission = {
  /** Takes a place for a connection from the address, or returns why there is none. */
  enter(address: string): { rejected: Rejected } | { rejected: null; leave: () => void }
}

/** `allow` lists addresses and CIDR blocks; null accepts every address. */
export function openAdmission(limits: AdmissionLimits, allow: readonly string[] | null): Admission {
  const isAllowed = allow === null ? () => true : membersOf(allow)
  const places = new Map<string, number>()
  let taken = 0
  return {
    enter(address) {
      if (!isAllowed(address)) return { rejected: 'not_allowed' }
      const origin = originOf(address)
      const own = places.get(origin) ?? 0
      if (own >= limits.connections_per_address) return { rejected: 'connections_per_address' }
      if (taken >= limits.connections) return { rejected: 'connections' }
      places.set(origin, own + 1)
      taken += 1
      return { rejected: null, leave: () => leave(origin) }
    },
  }

  function leave(origin: string): void {
    taken -= 1
    const left = (places.get(origin) ?? 1) - 1
    if (left > 0) places.set(origin, left)
    else places.delete(origin)
  }
}
