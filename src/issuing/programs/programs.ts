/** Public functions of programs: a tenant that can issue cards at once (D-12, D-134). */

import { randomInt } from 'node:crypto'
import { fundTenant } from '#issuing/accounts/accounts.ts'
import { createProduct, markProductActive } from '#issuing/products/products.ts'
import type { NewProduct } from '#issuing/products/schema.ts'
import type { NewTenant, Tenant } from '#issuing/tenants/schema.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import type { Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'

/** Begins with 99, which ISO/IEC 7812 leaves to national use: no issuer of the world has it. */
const SANDBOX_BINS = { prefix: '99', count: 1_000_000 }
/** If half of all BINs are taken, this many draws fail once in 2^32. */
const DRAWS_MAX = 32

type NewProgram = {
  tenant: NewTenant
  /**
   * The balance of the program funding account, in major units of the tenant's default currency.
   */
  funding: number
  /** Without a BIN the product gets one that no tenant has. */
  product: { id?: string; name: string; bin?: string }
  /** The member that makes it, if a member signs up. */
  maker?: { created_by: string; created_by_email: string }
}

/**
 * Makes a tenant with its first key, program funding and one ACTIVE card product in the tenant's
 * default currency, in the caller's transaction, which sees all tenants. `api_key` is not available
 * again. Throws `id_taken`, `bin_taken`, and `pan_range_exhausted` if no BIN is found.
 */
export async function openProgram(
  tx: Tx,
  { tenant: input, funding, product, maker }: NewProgram,
): Promise<{ tenant: Tenant; api_key: string }> {
  const { tenant, api_key } = await createTenant(tx, input, maker)
  const within = { ...tx, tenant_id: tenant.id }
  const currency = tenant.settings.default_currency
  await fundTenant(tx, tenant.id, { currency, amount: funding })
  const { id } = await createSandboxProduct(within, { ...product, currency })
  await markProductActive(within, id).start()
  return { tenant, api_key }
}

type SandboxProduct = Omit<NewProduct, 'bin'> & { bin?: string }

/** A product that gets a BIN that no tenant has, unless one is named. Throws as `openProgram`. */
export async function createSandboxProduct(tx: Tx, { bin, ...product }: SandboxProduct) {
  if (bin !== undefined) return createProduct(tx, { ...product, bin })
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const created = await createProduct(tx, { ...product, bin: drawBin() }).catch(unlessTaken)
    if (created) return created
  }
  throw new ApiError('pan_range_exhausted')
}

const drawBin = (): string =>
  SANDBOX_BINS.prefix + String(randomInt(SANDBOX_BINS.count)).padStart(6, '0')

/** Nothing was written: the BIN is checked first. */
function unlessTaken(error: unknown): undefined {
  if (!(error instanceof ApiError) || error.code !== 'bin_taken') throw error
}
