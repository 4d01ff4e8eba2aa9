import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const issuing: PageRoutes = [
  ['/cards', lazy(() => import('../pages/cards/cards.tsx'), 'Cards')],
  ['/cards/$id', lazy(() => import('../pages/cards/card.tsx'), 'CardPage')],
]
