import type { ReactNode } from 'react'
import { ObjectLink } from '../../parts/object_link.tsx'

type ObjectOfProps = { tenant_id: string; to: string; children: ReactNode }

/** A link to an object of a tenant, which the operator acts for from then on. */
export function ObjectOf({ tenant_id, to, children }: ObjectOfProps) {
  return (
    <ObjectLink to={to} tenant={tenant_id}>
      {children}
    </ObjectLink>
  )
}
