/** Public functions of keys: members manage the API keys of their tenant (D-138). */

import { lockOwnRole } from '#callers/own_role.ts'
import { keyPermissionsOf, ROLES, type Role, roleLacks } from '#callers/roles.ts'
import {
  createApiKey,
  listApiKeys,
  listKeysOf,
  makerOf,
  revokeKeysOf,
} from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { memberOf, readMember } from '#portal/people/people.ts'
import type { NewKey } from './schema.ts'

type Shown = {
  id: string
  name: string | null
  hint: string
  permissions: string[]
  created: Date
  created_by: string | null
  created_by_email: string | null
}

/**
 * Throws `permission_missing` for a permission that the role may not give. A body that the role may
 * not send is not accepted from its key either (D-884).
 */
export function createKey(ctx: Context | Tx, { name, permissions }: NewKey) {
  return transact(ctx, async (tx) => {
    const role = await lockOwnRole(tx)
    const allowed = keyPermissionsOf(role)
    if (!permissions.every((one) => allowed.includes(one))) throw roleLacks(role)
    const { id: created_by, email: created_by_email } = await readMember(tx, memberOf(tx).id)
    const made = { name, maker_role: role, created_by, created_by_email }
    const created = await createApiKey(tx, tx.tenant_id, permissions, made)
    return { ...presented(created), api_key: created.key }
  })
}

/** The keys of the tenant, or of one member, that are not revoked, newest first. */
export async function listKeys(ctx: Context, query: ListQuery & { created_by?: string }) {
  const page = await listApiKeys(ctx, ctx.tenant_id, query)
  const data = page.data.map((row) => ({ ...presented(row), last_used: row.last_used }))
  return { ...page, data }
}

type Leaving = {
  tenant_id: string
  person_id: string
  /** The new role; undefined for a member that is removed. */
  role: Role | undefined
  /** True by default if one of the keys can do more than the new role. */
  revoke_keys: boolean | undefined
}

type KeyOfMember = ReturnType<typeof presented> & { exceeds_role: boolean }
export type KeysOfMember = { revoked_keys: KeyOfMember[]; kept_keys: KeyOfMember[] }

/**
 * Revokes or keeps the keys of a member who is removed or gets another role (D-1002), in the
 * transaction of that, whose lock of the membership lets no further key be made. Answers them.
 */
export async function settleKeys(tx: Tx, leaving: Leaving): Promise<KeysOfMember> {
  const { tenant_id, person_id, role, revoke_keys } = leaving
  const rows = await listKeysOf(tx, tenant_id, person_id)
  const keys = rows.map((row) => ({ ...presented(row), exceeds_role: exceeds(row, role) }))
  const revokes = revoke_keys ?? keys.some(({ exceeds_role }) => exceeds_role)
  if (!revokes || keys.length === 0) return { revoked_keys: [], kept_keys: keys }
  await revokeKeysOf(tx, tenant_id, person_id)
  tx.audited?.made(...keys.map(({ id }) => id))
  return { revoked_keys: keys, kept_keys: [] }
}

/**
 * Whether the key exceeds the role, by its permissions and by the role with whose limits it was
 * made (D-884): null has none.
 */
function exceeds(
  { permissions, maker_role }: { permissions: string[]; maker_role: string | null },
  role: Role | undefined,
): boolean {
  const allowed: readonly string[] = role === undefined ? [] : keyPermissionsOf(role)
  const made: readonly string[] = keyPermissionsOf(roleOf(maker_role))
  return ![...permissions, ...made].every((one) => allowed.includes(one))
}

const roleOf = (text: string | null): Role => ROLES.find((role) => role === text) ?? 'owner'

/** The hint has the first and the last characters of a key. */
function presented({ id, name, hint, permissions, created, ...by }: Shown) {
  const prefix = hint.split('…')[0] ?? hint
  return { id, name, prefix, permissions, created, ...makerOf(by) }
}
