import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects', 'trials')
/** Pages that have the texts for webhooks as well. */
const shopPage = pagesWith('objects', 'platform')

const payouts = () => import('../pages/payouts/pages.tsx')

export const payments: PageRoutes = [
  ['/transactions', page(() => import('../pages/transactions/transactions.tsx'), 'Transactions')],
  [
    '/transactions/$id',
    page(() => import('../pages/transactions/transaction.tsx'), 'TransactionPage'),
  ],
  ['/disputes', page(() => import('../pages/disputes/disputes.tsx'), 'Disputes')],
  ['/disputes/$id', page(() => import('../pages/disputes/dispute.tsx'), 'DisputePage')],
  ['/orders', page(() => import('../pages/orders/orders.tsx'), 'Orders')],
  ['/captures', page(() => import('../pages/orders/operations.tsx'), 'Captures')],
  ['/refunds', page(() => import('../pages/orders/operations.tsx'), 'Refunds')],
  ['/kept-cards', page(() => import('../pages/kept_cards/kept_cards.tsx'), 'KeptCards')],
  ['/endpoints', shopPage(() => import('../pages/endpoints/endpoints.tsx'), 'Endpoints')],
  ['/endpoints/$id', shopPage(() => import('../pages/endpoints/endpoint.tsx'), 'EndpointPage')],
  [
    '/endpoints/$endpoint_id/deliveries/$id',
    shopPage(() => import('../pages/endpoints/endpoint_delivery.tsx'), 'EndpointDeliveryPage'),
  ],
  ['/payouts', page(payouts, 'All')],
  ['/payouts/$id', page(payouts, 'One')],
  ['/payouts/disputes', page(payouts, 'Disputes')],
  ['/payouts/disputes/$id', page(payouts, 'Dispute')],
  ['/payouts/statement', page(payouts, 'Days')],
  ['/orders/$reference', page(() => import('../pages/orders/order_page.tsx'), 'OrderPage')],
]
