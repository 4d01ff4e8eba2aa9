import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { changeTenant } from '../../api/session.ts'
import { allTenants } from '../../api/tenants.ts'
import { ObjectLink } from '../../parts/object_link.tsx'

type ObjectOfProps = { tenant_id: string; to: string; children: ReactNode }

/** A link to an object of a tenant, which the operator acts for from then on. */
export function ObjectOf({ tenant_id, to, children }: ObjectOfProps) {
  const { data: tenants } = useQuery(allTenants)
  const tenant = tenants?.find(({ id }) => id === tenant_id)
  const act = () => tenant && changeTenant({ id: tenant.id, name: tenant.name })
  return (
    <ObjectLink to={to} onClick={act}>
      {children}
    </ObjectLink>
  )
}
