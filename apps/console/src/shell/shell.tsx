import { AppShell, Burger, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../api/acting.ts'
import { useSession } from '../api/session.ts'
import { Brand } from '../parts/brand.tsx'
import { Failing } from '../parts/failing.tsx'
import { AccountMenu } from './account_menu.tsx'
import { ActingBanner } from './acting_banner.tsx'
import { ApiDrawer } from './api_drawer.tsx'
import { Navigation } from './navigation.tsx'
import { PaletteOpener } from './palette/opener.tsx'
import styles from './shell.module.css'
import { TenantChooser } from './tenant_chooser.tsx'

const BAR = 52
const MENU = 240

/** What surrounds the pages of a member: the menu, the organization, and the calls of the page. */
export function Shell() {
  const { t } = useTranslation()
  const { data: session, error, refetch, isPending } = useSession()
  const acting = useActing()
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chosen page closes the menu.
  useEffect(close, [path])
  if (error) return <Failing error={error} retry={refetch} />
  if (isPending) return <Loading />
  if (session === null) {
    // Who is on the way there does not come back to it afterwards.
    if (path === '/sign-in') return null
    return <Navigate to="/sign-in" search={{ next: path }} replace />
  }
  // Until the member has a second factor, the server answers nothing else (D-140).
  if (session.second_factor_required && path !== '/account')
    return <Navigate to="/account" replace />
  return (
    <AppShell
      header={{ height: BAR }}
      navbar={{ width: MENU, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      transitionDuration={0}
    >
      <a href="#content" className={styles['skip']}>
        {t('shell.skip')}
      </a>
      <AppShell.Header className={styles['bar']}>
        <Burger
          size="sm"
          opened={isOpen}
          onClick={toggle}
          hiddenFrom="md"
          aria-expanded={isOpen}
          aria-label={isOpen ? t('shell.close_menu') : t('shell.open_menu')}
        />
        <Brand isBeside />
        <div className={styles['place']}>
          {session.tenant ? (
            <span className={styles['organization']}>{session.tenant.name}</span>
          ) : (
            <TenantChooser />
          )}
        </div>
        <PaletteOpener />
        <ApiDrawer />
        <AccountMenu email={session.member.email} role={session.role} />
      </AppShell.Header>
      <AppShell.Navbar className={styles['menu']} aria-label={t('shell.menu')} data-open={isOpen}>
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1} className={styles['main']}>
        <ActingBanner />
        <Outlet key={acting?.id ?? ''} />
      </AppShell.Main>
    </AppShell>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div role="status" aria-label={t('states.loading')} className={styles['loading']}>
      <Skeleton height={28} width={180} />
      <Skeleton height={160} />
    </div>
  )
}
