/** The paths of the console; each page is loaded when it is opened. */

import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  Outlet,
} from '@tanstack/react-router'
import { forgetCalls } from './api/calls.ts'
import { Crashed } from './parts/crashed.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: lazyRouteComponent(
    () => import('./pages/not_found/not_found.tsx'),
    'NotFound',
  ),
})

const open = [
  createRoute({
    getParentRoute: () => root,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./pages/sign_up/sign_up.tsx'), 'SignUp'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    component: lazyRouteComponent(() => import('./pages/sign_in/sign_in.tsx'), 'SignIn'),
  }),
]

const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell })

/** A page of a member. */
const page = (path: string, component: ReturnType<typeof lazyRouteComponent>) =>
  createRoute({ getParentRoute: () => shell, path, component })

const pages = [
  page('/', () => <Navigate to="/home" replace />),
  page(
    '/home',
    lazyRouteComponent(() => import('./pages/home/home.tsx'), 'Home'),
  ),
  page(
    '/first-steps',
    lazyRouteComponent(() => import('./pages/first_steps/first_steps.tsx'), 'FirstSteps'),
  ),
  page(
    '/simulator',
    lazyRouteComponent(() => import('./pages/simulator/simulator.tsx'), 'Simulator'),
  ),
]

export const router = createRouter({
  routeTree: root.addChildren([...open, shell.addChildren(pages)]),
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
})

// A page lists its own calls only; a query that follows in the address belongs to the same page.
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) forgetCalls()
})
