/** Public functions of keys: members manage the API keys of their tenant (D-138). */

import { createApiKey, listApiKeys } from '#issuing/tenants/tenants.ts'
import type { Context, Tx } from '#kit/context.ts'
import { keyPermissionsOf, roleLacks } from '#kit/http/callers/roles.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { memberOf } from '#portal/sessions/sessions.ts'
import type { NewKey } from './schema.ts'

type Shown = {
  id: string
  name: string | null
  hint: string
  permissions: string[]
  created: Date
}

/** Throws `permission_missing` for a permission that the role may not give. */
export async function createKey(ctx: Context | Tx, { name, permissions }: NewKey) {
  const { role } = memberOf(ctx)
  const allowed = keyPermissionsOf(role)
  if (!permissions.every((one) => allowed.includes(one))) throw roleLacks(role)
  const created = await createApiKey(ctx, ctx.tenant_id, permissions, name)
  return { ...presented(created), api_key: created.key }
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
