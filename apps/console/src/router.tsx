/** The paths of the console; each page is loaded when it is opened. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router'
import { hearActing, isOtherTenant, presentActing } from './api/acting.ts'
import { forgetCalls } from './api/calls.ts'
import { holdPageBy } from './api/moving.ts'
import { changeTenant, queries, sessionQuery } from './api/session.ts'
import { Crashed } from './parts/crashed.tsx'
import { controls } from './routes/controls.ts'
import { entrance } from './routes/entrance.ts'
import { galleryRoutes } from './routes/gallery.ts'
import { issuing } from './routes/issuing.ts'
import { namesTenant } from './routes/of_tenant.ts'
import { operator } from './routes/operator.ts'
import { pagesWith } from './routes/pages.ts'
import { payments } from './routes/payments.ts'
import { platform } from './routes/platform.ts'
import { start } from './routes/start.ts'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: pagesWith('entrance')(
    () => import('./pages/not_found/not_found.tsx'),
    'NotFound',
  ),
})

const open = entrance.map(([path, component]) =>
  createRoute({ getParentRoute: () => root, path, component }),
)

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: lazyRouteComponent(() => import('./shell/shell.tsx'), 'Shell'),
  // Asked for while the page is loaded, not after it.
  loader: () => void queries.prefetchQuery(sessionQuery),
})

const pages = [
  ['/', () => <Navigate to="/home" replace />] as const,
  ...start,
  ...issuing,
  ...payments,
  ...controls,
  ...platform,
  ...operator,
  ...(import.meta.env.DEV ? galleryRoutes() : []),
].map(([path, component]) => {
  const search = namesTenant(path) ? { middlewares: [withTenant] } : {}
  return createRoute({ getParentRoute: () => shell, path, component, search })
})

type Search = { tenant?: unknown }

/** The tenant that the operator acts for is in the address, so that a link shows the same object. */
function withTenant({ search, next }: { search: Search; next: (search: Search) => Search }) {
  const tenant = presentActing()?.id
  return tenant === undefined ? next(search) : { tenant, ...next(search) }
}

export const router = createRouter({
  routeTree: root.addChildren([...open, shell.addChildren(pages)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
  // Values of the query are texts: `mcc=5942` is no number, and has no quotes.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(String),
})

type Place = { pathname: string; search: Search }

/** Undefined if the address names none, or its `tenant` is a filter of the page. */
const tenantIn = ({ pathname, search: { tenant } }: Place): string | undefined =>
  namesTenant(pathname) && typeof tenant === 'string' ? tenant : undefined

/** Shows the present tenant in the address of a page that was opened without it. */
function showTenant(): void {
  const { pathname, search } = router.state.location
  const id = presentActing()?.id
  if (!namesTenant(pathname) || tenantIn({ pathname, search }) === id) return
  void router.navigate({
    to: '.',
    search: (before: Search) => ({ ...before, tenant: id }),
    replace: true,
  })
}

// A page lists its own calls only; a query that follows in the address belongs to the same page.
router.subscribe('onBeforeNavigate', ({ pathChanged, toLocation }) => {
  if (pathChanged) forgetCalls()
  const id = tenantIn(toLocation)
  if (id !== undefined && isOtherTenant(id)) changeTenant({ id, name: '' })
})
router.subscribe('onResolved', showTenant)
hearActing(showTenant)

// A reader who leaves while a change is under way would not see whether it was made.
holdPageBy(() => router.history.block({ blockerFn: () => true, enableBeforeUnload: true }))
