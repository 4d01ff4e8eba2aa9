import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './listing.module.css'

type ObjectLinkProps = {
  to: string
  /** The tenant of the object, where it may not be the present one. */
  tenant?: string
  children: ReactNode
}

/** A link to the page of an object that the present one names. */
export function ObjectLink({ to, tenant, children }: ObjectLinkProps) {
  return (
    <Link
      to={to}
      {...(tenant !== undefined && { search: { tenant } })}
      className={styles['link'] ?? ''}
    >
      {children}
    </Link>
  )
}
