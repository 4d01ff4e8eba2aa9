import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects')

export const issuing: PageRoutes = [
  ['/reviews', page(() => import('../pages/reviews/reviews.tsx'), 'Reviews')],
  ['/reviews/$tenant_id/$id', page(() => import('../pages/reviews/review.tsx'), 'ReviewPage')],
  ['/users', page(() => import('../pages/users/users.tsx'), 'Users')],
  ['/users/$id', page(() => import('../pages/users/user.tsx'), 'UserPage')],
  ['/cards', page(() => import('../pages/cards/cards.tsx'), 'Cards')],
  ['/cards/$id', page(() => import('../pages/cards/card.tsx'), 'CardPage')],
  ['/accounts', page(() => import('../pages/accounts/accounts.tsx'), 'Accounts')],
  ['/accounts/$id', page(() => import('../pages/accounts/account.tsx'), 'AccountPage')],
  [
    '/card-products',
    page(() => import('../pages/card_products/card_products.tsx'), 'CardProducts'),
  ],
  [
    '/card-products/$id',
    page(() => import('../pages/card_products/card_product.tsx'), 'CardProductPage'),
  ],
  [
    '/bulk-issuance',
    page(() => import('../pages/bulk_issuance/bulk_issuances.tsx'), 'BulkIssuances'),
  ],
  [
    '/bulk-issuance/$id',
    page(() => import('../pages/bulk_issuance/bulk_issuance.tsx'), 'BulkIssuancePage'),
  ],
  ['/card-orders/$id', page(() => import('../pages/card_orders/card_order.tsx'), 'CardOrderPage')],
]
