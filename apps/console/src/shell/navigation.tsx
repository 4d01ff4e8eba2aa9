import { NavLink } from '@mantine/core'
import { Link, useRouterState } from '@tanstack/react-router'
import type { SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { presentActing } from '../api/acting.ts'
import { useHasTenant, useMay } from '../api/session.ts'
import { namesTenant } from '../routes/of_tenant.ts'
import { menu, needsTenant } from './menu.ts'
import styles from './shell.module.css'

/** The page that opens shows the tenant in its address by itself. The router types no query. */
const unnamed = (): never => ({ tenant: undefined }) as never

/** Lets the tenant be in the address of a link that is opened elsewhere. */
function nameTenant({ currentTarget }: SyntheticEvent<HTMLAnchorElement>): void {
  const { id } = presentActing() ?? {}
  const { pathname } = currentTarget
  if (id === undefined || !namesTenant(pathname.replace(/^\/console/, ''))) return
  currentTarget.search = new URLSearchParams({ tenant: id }).toString()
}

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
              search={unnamed}
              onPointerDown={nameTenant}
              onContextMenu={nameTenant}
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
