import { lazyRouteComponent } from '@tanstack/react-router'
import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('trials')

export const start: PageRoutes = [
  ['/home', lazyRouteComponent(() => import('../pages/operator_home/home_of.tsx'), 'HomeOf')],
  ['/first-steps', page(() => import('../pages/first_steps/first_steps.tsx'), 'FirstSteps')],
  ['/simulator', page(() => import('../pages/simulator/simulator.tsx'), 'Simulator')],
  ['/simulator/traffic', page(() => import('../pages/traffic/traffic.tsx'), 'Traffic')],
  ['/simulator/clock', page(() => import('../pages/clock/clock.tsx'), 'Clock')],
]
