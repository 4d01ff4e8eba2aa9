import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const start: PageRoutes = [
  ['/home', lazy(() => import('../pages/operator_home/home_of.tsx'), 'HomeOf')],
  ['/first-steps', lazy(() => import('../pages/first_steps/first_steps.tsx'), 'FirstSteps')],
  ['/simulator', lazy(() => import('../pages/simulator/simulator.tsx'), 'Simulator')],
  ['/simulator/traffic', lazy(() => import('../pages/traffic/traffic.tsx'), 'Traffic')],
  ['/simulator/clock', lazy(() => import('../pages/clock/clock.tsx'), 'Clock')],
]
