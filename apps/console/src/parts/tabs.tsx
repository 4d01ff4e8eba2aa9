import { Link } from '@tanstack/react-router'
import styles from './tabs.module.css'

type TabsProps = {
  label: string
  tabs: readonly { to: string; text: string; isPresent: boolean }[]
}

/** Pages that belong together; each has an address of its own. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <nav aria-label={label} className={styles['tabs']}>
      {tabs.map(({ to, text, isPresent }) => (
        <Link
          key={to}
          to={to}
          // The page below another one is not that one as well.
          activeOptions={{ exact: true }}
          aria-current={isPresent ? 'page' : undefined}
        >
          {text}
        </Link>
      ))}
    </nav>
  )
}
