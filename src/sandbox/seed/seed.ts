/**
 * The objects that the first start of a sandbox makes: a tenant and a merchant to try the program
 * with, and the keys to both in a file (D-12). Later starts find the file and only update its
 * addresses.
 */

import { sql } from 'kysely'
import { callerOf } from '#callers/keys.ts'
import { KEY_PERMISSIONS } from '#callers/roles.ts'
import { createApiKey, createOperatorKey, findTenant } from '#issuing/tenants/tenants.ts'
import { readClock } from '#kit/clock.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { ApiError } from '#lib/result.ts'
import { issueToken } from '#merchant/merchants/merchants.ts'
import { DEMO_TENANT, demoTenant } from '../known.ts'
import { makeDemoTenant, makeMerchantKeys } from './demo.ts'
import {
  otherSandboxes,
  readSandbox,
  type SandboxAddresses,
  type SandboxFile,
  type SandboxKeys,
  writeSandbox,
} from './file.ts'

/**
 * The content of the file and its origin: `renewed` has new keys of an existing demo. `other` is
 * the file that keys of another database were moved to.
 */
export type Seeded = {
  file: SandboxFile
  state: 'made' | 'kept' | 'renewed'
  other?: string | undefined
}

/**
 * Makes the demo if it is missing, in one transaction. If no file of the folder has keys of this
 * database, new ones are added; earlier keys remain valid, and those of another database stay in a
 * file of their own (D-941).
 */
export async function seedSandbox(
  services: Services,
  { path, addresses }: { path: string; addresses: SandboxAddresses },
): Promise<Seeded> {
  const stored = await findFile(services, path)
  if (stored) return { file: stored, state: 'kept' }
  const actor = { kind: 'system', id: 'seed' } as const
  const ctx: Context = {
    ...services,
    // It makes an operator's key too, which is of no tenant.
    db: services.db.overAllTenants(),
    tenant_id: DEMO_TENANT,
    now: await readClock(services.db),
    actor,
  }
  return transact(ctx, async (tx) => {
    await lockSeed(tx)
    const meanwhile = await findFile({ ...services, db: tx.db }, path)
    if (meanwhile) return { file: meanwhile, state: 'kept' }
    const found = await hasDemo(tx)
    const keys = found ? await makeKeys(tx) : await makeDemo(tx)
    // Before the commit, so that no key exists that is not in the file.
    const file = { ...addresses, ...keys }
    const other = writeSandbox(path, file)
    return { file, state: found ? 'renewed' : 'made', other }
  })
}

/** The content with keys of this database, of `path` or of a file beside it. */
async function findFile(services: Services, path: string): Promise<SandboxFile | undefined> {
  const stored = readSandbox(path)
  if (stored && (await opens(services, stored))) return stored
  for (const other of otherSandboxes(path)) {
    const file = readSandbox(other)
    if (file && (await opens(services, file))) return file
  }
  return undefined
}

/** Processes that start at once make one demo between them. */
async function lockSeed({ db }: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('sandbox seed', 0))`.execute(db)
}

async function hasDemo(tx: Tx): Promise<boolean> {
  return (await unlessApiError(findTenant(tx, DEMO_TENANT))) !== undefined
}

async function makeDemo(tx: Tx): Promise<SandboxKeys> {
  const { api_key } = await makeDemoTenant(tx)
  return keysWith(tx, api_key)
}

async function makeKeys(tx: Tx): Promise<SandboxKeys> {
  const { key } = await createApiKey(tx, DEMO_TENANT, KEY_PERMISSIONS)
  return keysWith(tx, key)
}

async function keysWith(tx: Tx, api_key: string): Promise<SandboxKeys> {
  const { id, name, currency, card_product_id } = demoTenant
  const { key: operator_key } = await createOperatorKey(tx)
  const merchant = await makeMerchantKeys(tx)
  return { operator_key, tenant: { id, name, api_key, currency, card_product_id }, merchant }
}

/**
 * Whether each key of the file is valid in this database. While the node of the demo tenant does
 * not answer, those of an earlier start count as valid.
 */
async function opens(services: Services, file: SandboxFile): Promise<boolean> {
  try {
    return await areValid(services, file)
  } catch (error) {
    if (await services.db.isOfNode(error)) return true
    throw error
  }
}

async function areValid(services: Services, file: SandboxFile): Promise<boolean> {
  const client = await unlessApiError(callerOf(services, file.tenant.api_key))
  const operator = await unlessApiError(callerOf(services, file.operator_key))
  const merchant = await unlessApiError(issueToken(services, file.merchant))
  const isOperator = operator?.ctx.actor.kind === 'operator'
  return client?.ctx.tenant_id === DEMO_TENANT && isOperator && merchant !== undefined
}

async function unlessApiError<Value>(value: Promise<Value>): Promise<Value | undefined> {
  try {
    return await value
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
