import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects', 'platform')

export const operator: PageRoutes = [
  ['/tenants', page(() => import('../pages/tenants/tenants.tsx'), 'Tenants')],
  ['/tenants/$id', page(() => import('../pages/tenants/tenant.tsx'), 'TenantPage')],
  [
    '/tenants/$id/card-products/$product',
    page(() => import('../pages/tenants/product_keys.tsx'), 'ProductKeysPage'),
  ],
  ['/rates', page(() => import('../pages/rates/rates.tsx'), 'Rates')],
  ['/merchants', page(() => import('../pages/merchants/merchants.tsx'), 'Merchants')],
  ['/merchants/$id', page(() => import('../pages/merchants/merchant.tsx'), 'MerchantPage')],
  [
    '/merchant-payouts',
    page(() => import('../pages/merchants/merchant_payouts.tsx'), 'MerchantPayouts'),
  ],
  [
    '/reconciliation',
    page(() => import('../pages/reconciliation/reconciliation.tsx'), 'ReconciliationPage'),
  ],
  ['/settlements', page(() => import('../pages/reconciliation/settlements.tsx'), 'Settlements')],
  [
    '/settlements/$id',
    page(() => import('../pages/reconciliation/settlement.tsx'), 'SettlementPage'),
  ],
  ['/clearings', page(() => import('../pages/clearings/clearings.tsx'), 'Clearings')],
  ['/clearings/$id', page(() => import('../pages/clearings/clearing.tsx'), 'ClearingPage')],
  [
    '/clearings/$id/records/$number',
    page(() => import('../pages/clearings/record.tsx'), 'RecordPage'),
  ],
  ['/networks', page(() => import('../pages/networks/networks.tsx'), 'Networks')],
  ['/networks/$id', page(() => import('../pages/networks/network.tsx'), 'NetworkPage')],
  ['/mails', page(() => import('../pages/mails/mails.tsx'), 'Mails')],
  ['/jobs', page(() => import('../pages/jobs/jobs.tsx'), 'Jobs')],
]
