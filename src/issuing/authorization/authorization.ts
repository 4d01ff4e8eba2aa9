/** Public functions of the authorization slice: the engine, and the tenant of a card number. */

import type { Services } from '#kit/http/callers.ts'
import type { Secret } from '#lib/secret.ts'
import { findTenantOfBin } from './engine/store.ts'

export {
  AccountBusy,
  type Authorizer,
  Engine,
  EngineOverloaded,
  OutcomeUnknown,
} from './engine/engine.ts'
export type { Job } from './engine/load.ts'
export { createNetworkPort } from './port/port.ts'
export type { PortTls } from './port/tls.ts'

const BIN_LENGTHS = [8, 7, 6]
/** BINs are few and never change tenants, so those that were found are cached. */
const REMEMBERED_BINS = 10_000

/** Finds the tenant of a card number by its BIN; undefined when no tenant has it (1018). */
export function createTenantFinder({ db }: Services) {
  const known = new Map<string, string>()
  return async (pan: Secret): Promise<string | undefined> => {
    const digits = pan.reveal()
    const bins = BIN_LENGTHS.map((length) => digits.slice(0, length))
    const remembered = bins.map((bin) => known.get(bin)).find((tenant_id) => tenant_id)
    if (remembered !== undefined) return remembered
    const row = await findTenantOfBin(db, bins)
    if (row && known.size < REMEMBERED_BINS) known.set(row.bin, row.tenant_id)
    return row?.tenant_id
  }
}
