import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const controls: PageRoutes = [
  ['/controls', lazy(() => import('../pages/controls/controls.tsx'), 'Controls')],
  ['/controls/backtests', lazy(() => import('../pages/backtests/backtests.tsx'), 'Backtests')],
  [
    '/controls/backtests/$id',
    lazy(() => import('../pages/backtests/backtest.tsx'), 'BacktestPage'),
  ],
  ['/controls/$kind/$id', lazy(() => import('../pages/controls/control.tsx'), 'ControlPage')],
]
