import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects', 'platform')

export const controls: PageRoutes = [
  ['/controls', page(() => import('../pages/controls/controls.tsx'), 'Controls')],
  ['/controls/backtests', page(() => import('../pages/backtests/backtests.tsx'), 'Backtests')],
  [
    '/controls/backtests/$id',
    page(() => import('../pages/backtests/backtest.tsx'), 'BacktestPage'),
  ],
  ['/controls/$kind/$id', page(() => import('../pages/controls/control.tsx'), 'ControlPage')],
]
