import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './listing.module.css'

type ObjectLinkProps = {
  to: string
  /** Called before the page opens. */
  onClick?: () => void
  children: ReactNode
}

/** A link to the page of an object that the present one names. */
export function ObjectLink({ to, onClick, children }: ObjectLinkProps) {
  return (
    <Link to={to} {...(onClick && { onClick })} className={styles['link'] ?? ''}>
      {children}
    </Link>
  )
}
