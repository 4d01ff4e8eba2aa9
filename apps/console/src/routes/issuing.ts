import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const issuing: PageRoutes = [
  ['/reviews', lazy(() => import('../pages/reviews/reviews.tsx'), 'Reviews')],
  ['/reviews/$tenant_id/$id', lazy(() => import('../pages/reviews/review.tsx'), 'ReviewPage')],
  ['/users', lazy(() => import('../pages/users/users.tsx'), 'Users')],
  ['/users/$id', lazy(() => import('../pages/users/user.tsx'), 'UserPage')],
  ['/cards', lazy(() => import('../pages/cards/cards.tsx'), 'Cards')],
  ['/cards/$id', lazy(() => import('../pages/cards/card.tsx'), 'CardPage')],
  ['/accounts', lazy(() => import('../pages/accounts/accounts.tsx'), 'Accounts')],
  ['/accounts/$id', lazy(() => import('../pages/accounts/account.tsx'), 'AccountPage')],
  [
    '/card-products',
    lazy(() => import('../pages/card_products/card_products.tsx'), 'CardProducts'),
  ],
  [
    '/card-products/$id',
    lazy(() => import('../pages/card_products/card_product.tsx'), 'CardProductPage'),
  ],
  [
    '/bulk-issuance',
    lazy(() => import('../pages/bulk_issuance/bulk_issuances.tsx'), 'BulkIssuances'),
  ],
  [
    '/bulk-issuance/$id',
    lazy(() => import('../pages/bulk_issuance/bulk_issuance.tsx'), 'BulkIssuancePage'),
  ],
]
