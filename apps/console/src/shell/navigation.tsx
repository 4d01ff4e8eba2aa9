import { NavLink } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useHasTenant, useMay } from '../api/session.ts'
import { menu, needsTenant } from './menu.ts'
import styles from './shell.module.css'

/** Pages that the member's role can use, of a tenant only if there is one. */
export function Navigation() {
  const { t } = useTranslation()
  const may = useMay()
  const hasTenant = useHasTenant()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  return menu.map(({ group, entries }) => {
    const shown = entries.filter(
      ({ name, operation }) => may(operation) && (hasTenant || !needsTenant(name)),
    )
    if (shown.length === 0) return null
    return (
      <div key={group} className={styles['group']}>
        <span className={styles['groupName']}>{t(`groups.${group}`)}</span>
        {shown.map(({ name, path: to, also = [], icon: Picture }) => {
          const isHere = path === to || path.startsWith(`${to}/`) || also.includes(path)
          return (
            <NavLink
              key={name}
              component={Link}
              to={to}
              label={t(`pages.${name}`)}
              leftSection={<Picture size={17} stroke={1.75} aria-hidden />}
              active={isHere}
              aria-current={isHere ? 'page' : undefined}
              className={styles['entry']}
            />
          )
        })}
      </div>
    )
  })
}
