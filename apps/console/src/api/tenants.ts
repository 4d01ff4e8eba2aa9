/** The tenants of the platform, which the operator's team finds by their names. */

import { queryOptions } from '@tanstack/react-query'
import { answered, issuing } from './client.ts'
import type { Tenant } from './types.ts'

const PAGE = 200
/** More than these are found on the page Tenants. */
const MOST = 2_000

export const allTenants = queryOptions({
  queryKey: ['tenants', 'all'],
  queryFn: async (): Promise<Tenant[]> => {
    const tenants: Tenant[] = []
    let after: string | undefined
    do {
      const query = { limit: PAGE, ...(after !== undefined && { after }) }
      const page = await answered(issuing.operator.listTenants(query))
      tenants.push(...page.data)
      after = page.has_more ? page.after : undefined
    } while (after !== undefined && tenants.length < MOST)
    return tenants
  },
})

const ID_END = 12

/** The choices of a field; those that share a name have the end of their id beside it. */
export function tenantChoices(tenants: readonly Tenant[] = []): { value: string; label: string }[] {
  const counts = Map.groupBy(tenants, ({ name }) => name)
  return tenants.map(({ id, name }) => {
    const isAlone = counts.get(name)?.length === 1
    return { value: id, label: isAlone ? name : `${name} · ${id.slice(-ID_END)}` }
  })
}
