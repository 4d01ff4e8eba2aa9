import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects', 'trials')

export const payments: PageRoutes = [
  ['/transactions', page(() => import('../pages/transactions/transactions.tsx'), 'Transactions')],
  [
    '/transactions/$id',
    page(() => import('../pages/transactions/transaction.tsx'), 'TransactionPage'),
  ],
  ['/orders', page(() => import('../pages/orders/orders.tsx'), 'Orders')],
  ['/orders/$reference', page(() => import('../pages/orders/order_page.tsx'), 'OrderPage')],
]
