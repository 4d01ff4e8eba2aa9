/**
 * Bytes of uploads that are under way. They are in the store before the quota of their tenant
 * counts them, so that requests at one time could fill the disk of all (D-996).
 */

import { ApiError } from '#lib/result.ts'
import { FILE_BYTES_MAX } from './rules/documents.ts'

/**
 * The most bytes of a tenant that arrive at one time in a process: three calls of the largest size,
 * and a file more.
 */
const ARRIVING_MAX = 16 * FILE_BYTES_MAX

export type Arrival = { take: (bytes: number) => void; end: () => void }

/** `begin` is called for each upload, and `end` of what it answers once its bytes are counted. */
export function openArrivals(most = ARRIVING_MAX): { begin: (tenant_id: string) => Arrival } {
  const arriving = new Map<string, number>()
  const add = (tenant_id: string, bytes: number) => {
    const sum = (arriving.get(tenant_id) ?? 0) + bytes
    if (sum > 0) arriving.set(tenant_id, sum)
    else arriving.delete(tenant_id)
  }
  return {
    begin(tenant_id) {
      let own = 0
      return {
        take(bytes) {
          if ((arriving.get(tenant_id) ?? 0) + bytes > most) throw busy()
          own += bytes
          add(tenant_id, bytes)
        },
        end() {
          add(tenant_id, -own)
          own = 0
        },
      }
    },
  }
}

const busy = () =>
  new ApiError('unavailable', {
    detail: 'Too many bytes of files arrive at the moment; try again.',
    retry_after_seconds: 5,
  })

/** Those of this process. */
export const arrivals = openArrivals()
