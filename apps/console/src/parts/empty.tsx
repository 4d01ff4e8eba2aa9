import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './parts.module.css'

type EmptyProps = {
  icon: Icon
  title: string
  text: ReactNode
  action?: ReactNode
  /** The region is one of many and has little room. */
  isSmall?: boolean
}

/** A place where nothing is yet, with what makes the first of it. */
export function Empty({ icon: Picture, title, text, action, isSmall = false }: EmptyProps) {
  return (
    <div className={styles['empty']} data-small={isSmall}>
      {!isSmall && <Picture size={28} stroke={1.5} aria-hidden />}
      <strong>{title}</strong>
      <p>{text}</p>
      {action}
    </div>
  )
}
