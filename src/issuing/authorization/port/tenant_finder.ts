/** The tenant that decides a message, by the card number. */

import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Secret } from '#lib/secret.ts'

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
    const row = await findTenantOfBin(db.overAllTenants(), bins)
    if (row && known.size < REMEMBERED_BINS) known.set(row.bin, row.tenant_id)
    return row?.tenant_id
  }
}

/** The tenant whose BIN begins this number: the longest of 8 to 6 digits. */
async function findTenantOfBin(db: Db, bins: readonly string[]) {
  return db
    .selectFrom('bins')
    .select(['bin', 'tenant_id'])
    .where('bin', 'in', bins)
    .orderBy(sql`length(bin)`, 'desc')
    .executeTakeFirst()
}
