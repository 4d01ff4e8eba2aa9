import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const platform: PageRoutes = [
  ['/api-keys', lazy(() => import('../pages/api_keys/api_keys.tsx'), 'ApiKeys')],
]
