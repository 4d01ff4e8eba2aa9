import { AppShell, Burger, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useActing } from '../api/acting.ts'
import { useHasTenant, useMay, useSession } from '../api/session.ts'
import { useLapse } from '../api/standing.ts'
import type { Session } from '../api/types.ts'
import { Brand } from '../parts/brand.tsx'
import { Failing } from '../parts/failing.tsx'
import { needsTenantAt } from '../routes/of_tenant.ts'
import { AccountMenu } from './account_menu.tsx'
import { ActingBanner } from './acting_banner.tsx'
import { useLoadedAhead } from './ahead.ts'
import { ApiDrawer } from './api_drawer.tsx'
import { Ended } from './ended.tsx'
import { Navigation } from './navigation.tsx'
import { OtherMember } from './other_member.tsx'
import { PaletteOpener } from './palette/opener.tsx'
import { SaidRegion } from './said_region.tsx'
import styles from './shell.module.css'
import { TenantChooser } from './tenant_chooser.tsx'
import { Unreachable } from './unreachable.tsx'

/** Loaded for the operator's team alone. */
const ChooseTenant = lazy(async () => ({
  default: (await import('./choose_tenant.tsx')).ChooseTenant,
}))

const BAR = 52
const MENU = 240

/**
 * Lets a member to the pages, and nobody else. The pages and the values entered there stay while
 * the session cannot be read, and after it has ended (D-971).
 */
export function Shell() {
  const { data: session, error, refetch, isFetching } = useSession()
  const lapse = useLapse()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const query = useRouterState({ select: ({ location }) => location.searchStr })
  if (lapse?.kind === 'OTHER') return <OtherMember email={lapse.email} />
  if (!session && isFetching) return <Loading />
  if (session === undefined) return error ? <Failing error={error} retry={refetch} /> : <Loading />
  if (session === null) {
    // A reader who is on the way there does not come back to it afterwards.
    if (path === '/sign-in') return null
    return <Navigate to="/sign-in" search={{ next: path + query }} replace />
  }
  // Until the member has a second factor, the server answers nothing else (D-140).
  if (session.second_factor_required && path !== '/account')
    return <Navigate to="/account" replace />
  return (
    <>
      <Frame session={session} above={error && <Unreachable retry={refetch} />} />
      {lapse && <Ended email={session.member.email} />}
    </>
  )
}

type FrameProps = { session: Session; above: ReactNode }

/**
 * The frame around the pages of a member: the menu, the organization, and the calls of the page.
 */
function Frame({ session, above }: FrameProps) {
  const { t } = useTranslation()
  const acting = useActing()
  const hasTenant = useHasTenant()
  const may = useMay()
  useLoadedAhead()
  const [isOpen, { toggle, close }] = useDisclosure()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a chosen page closes the menu.
  useEffect(close, [path])
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
        {may('getClock') && <p className={styles['sandbox']}>{t('shell.sandbox')}</p>}
        {above}
        <ActingBanner />
        {!hasTenant && needsTenantAt(path) ? (
          <Suspense>
            <ChooseTenant />
          </Suspense>
        ) : (
          <Outlet key={acting?.id ?? ''} />
        )}
        <SaidRegion />
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
