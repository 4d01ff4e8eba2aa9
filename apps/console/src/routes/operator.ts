import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const operator: PageRoutes = [
  ['/tenants', lazy(() => import('../pages/tenants/tenants.tsx'), 'Tenants')],
  ['/tenants/$id', lazy(() => import('../pages/tenants/tenant.tsx'), 'TenantPage')],
  [
    '/tenants/$id/card-products/$product',
    lazy(() => import('../pages/tenants/product_keys.tsx'), 'ProductKeysPage'),
  ],
  ['/rates', lazy(() => import('../pages/rates/rates.tsx'), 'Rates')],
  ['/merchants', lazy(() => import('../pages/merchants/merchants.tsx'), 'Merchants')],
  ['/merchants/$id', lazy(() => import('../pages/merchants/merchant.tsx'), 'MerchantPage')],
  ['/mails', lazy(() => import('../pages/mails/mails.tsx'), 'Mails')],
  ['/jobs', lazy(() => import('../pages/jobs/jobs.tsx'), 'Jobs')],
]
