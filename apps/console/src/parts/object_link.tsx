import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './listing.module.css'

/** A link to the page of an object that the present one names. */
export function ObjectLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={styles['link'] ?? ''}>
      {children}
    </Link>
  )
}
