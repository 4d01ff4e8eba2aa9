/** Public functions of keys: members manage the API keys of their tenant (D-138). */

import { createApiKey, listApiKeys } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { keyPermissionsOf, roleLacks } from '#kit/http/callers/roles.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { lockOwnRole } from '#portal/people/people.ts'
import type { NewKey } from './schema.ts'

type Shown = {
  id: string
  name: string | null
  hint: string
  permissions: string[]
  created: Date
}

/**
 * Throws `permission_missing` for a permission that the role may not give. What the role may not
 * send, its key may not send either (D-884).
 */
export function createKey(ctx: Context | Tx, { name, permissions }: NewKey) {
  return transact(ctx, async (tx) => {
    const role = await lockOwnRole(tx)
    const allowed = keyPermissionsOf(role)
    if (!permissions.every((one) => allowed.includes(one))) throw roleLacks(role)
    const made = { name, maker_role: role }
    const created = await createApiKey(tx, tx.tenant_id, permissions, made)
    return { ...presented(created), api_key: created.key }
  })
}

/** The keys of the tenant that are not revoked, newest first. */
export async function listKeys(ctx: Context, query: ListQuery) {
  const page = await listApiKeys(ctx, ctx.tenant_id, query)
  const data = page.data.map((row) => ({ ...presented(row), last_used: row.last_used }))
  return { ...page, data }
}

/** The hint has the first and the last characters of a key. */
function presented({ id, name, hint, permissions, created }: Shown) {
  return { id, name, prefix: hint.split('…')[0] ?? hint, permissions, created }
}
