import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const payments: PageRoutes = [
  ['/transactions', lazy(() => import('../pages/transactions/transactions.tsx'), 'Transactions')],
  [
    '/transactions/$id',
    lazy(() => import('../pages/transactions/transaction.tsx'), 'TransactionPage'),
  ],
  ['/orders', lazy(() => import('../pages/orders/orders.tsx'), 'Orders')],
  ['/orders/$reference', lazy(() => import('../pages/orders/order_page.tsx'), 'OrderPage')],
]
