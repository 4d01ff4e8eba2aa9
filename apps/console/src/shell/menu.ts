/** The menu: pages in their groups, each with the operation that a role needs to use it. */

import {
  type Icon,
  IconActivity,
  IconAdjustments,
  IconArrowsExchange,
  IconBolt,
  IconBuildingBank,
  IconBuildingStore,
  IconCashBanknote,
  IconCoins,
  IconCreditCard,
  IconHeartbeat,
  IconHistory,
  IconHome,
  IconKey,
  IconListCheck,
  IconMail,
  IconNetwork,
  IconPackages,
  IconReceipt,
  IconScale,
  IconSettings,
  IconStack2,
  IconUserCheck,
  IconUsers,
  IconUsersGroup,
  IconWallet,
  IconWebhook,
} from '@tabler/icons-react'
import type { common } from '../i18n/en/common.ts'
import type { PageName } from '../parts/page.tsx'

type Entry = {
  name: PageName
  path: string
  icon: Icon
  operation: string
  /** Paths of pages that its tabs lead to, where they are not below its own. */
  also?: readonly string[]
}

/** Pages that are about no tenant, or about all of them. */
const WITHOUT_TENANT: ReadonlySet<PageName> = new Set<PageName>([
  ...(['home', 'reviews', 'team', 'audit_log'] as const),
  ...(['tenants', 'rates', 'merchants', 'merchant_payouts'] as const),
  ...(['reconciliation', 'settlements', 'clearings', 'networks', 'mails', 'jobs'] as const),
])

/** Whether the page is one of a tenant, which a member of the operator's team chooses first. */
export const needsTenant = (name: PageName): boolean => !WITHOUT_TENANT.has(name)

type Group = keyof typeof common.groups

export const menu: readonly { group: Group; entries: Entry[] }[] = [
  {
    group: 'start',
    entries: [
      { name: 'home', path: '/home', icon: IconHome, operation: 'getSession' },
      { name: 'first_steps', path: '/first-steps', icon: IconListCheck, operation: 'createUser' },
      {
        name: 'simulator',
        path: '/simulator',
        icon: IconBolt,
        operation: 'simulateAuthorization',
      },
    ],
  },
  {
    group: 'issuing',
    entries: [
      { name: 'users', path: '/users', icon: IconUsers, operation: 'listUsers' },
      // Compliance of the operator has the queue of all tenants here, others the users of theirs.
      { name: 'reviews', path: '/reviews', icon: IconUserCheck, operation: 'listUsers' },
      { name: 'cards', path: '/cards', icon: IconCreditCard, operation: 'listCards' },
      { name: 'accounts', path: '/accounts', icon: IconWallet, operation: 'listAccounts' },
      {
        name: 'card_products',
        path: '/card-products',
        icon: IconStack2,
        operation: 'listCardProducts',
      },
      {
        name: 'bulk_issuance',
        path: '/bulk-issuance',
        icon: IconPackages,
        operation: 'listBulkIssuances',
      },
      {
        name: 'controls',
        path: '/controls',
        icon: IconAdjustments,
        operation: 'listVelocityLimits',
      },
    ],
  },
  {
    group: 'payments',
    entries: [
      {
        name: 'transactions',
        path: '/transactions',
        icon: IconArrowsExchange,
        operation: 'listTransactions',
      },
      { name: 'disputes', path: '/disputes', icon: IconScale, operation: 'listDisputes' },
      {
        name: 'orders',
        path: '/orders',
        icon: IconReceipt,
        operation: 'listOrders',
        also: ['/captures', '/refunds', '/kept-cards', '/endpoints'],
      },
      { name: 'payouts', path: '/payouts', icon: IconCashBanknote, operation: 'listPayouts' },
    ],
  },
  {
    group: 'platform',
    entries: [
      { name: 'webhooks', path: '/webhooks', icon: IconWebhook, operation: 'listWebhooks' },
      { name: 'events', path: '/events', icon: IconActivity, operation: 'listEvents' },
      { name: 'team', path: '/team', icon: IconUsersGroup, operation: 'listMembers' },
      { name: 'api_keys', path: '/api-keys', icon: IconKey, operation: 'listKeys' },
      {
        name: 'audit_log',
        path: '/audit-log',
        icon: IconHistory,
        operation: 'listAuditRecords',
      },
      { name: 'settings', path: '/settings', icon: IconSettings, operation: 'getSettings' },
    ],
  },
  {
    group: 'operator',
    entries: [
      { name: 'tenants', path: '/tenants', icon: IconBuildingBank, operation: 'listTenants' },
      { name: 'rates', path: '/rates', icon: IconCoins, operation: 'listRates' },
      {
        name: 'merchants',
        path: '/merchants',
        icon: IconBuildingStore,
        operation: 'listMerchants',
      },
      {
        name: 'merchant_payouts',
        path: '/merchant-payouts',
        icon: IconCashBanknote,
        operation: 'listPayoutsAsOperator',
      },
      {
        name: 'reconciliation',
        path: '/reconciliation',
        icon: IconScale,
        operation: 'getReconciliation',
        also: ['/settlements', '/clearings'],
      },
      { name: 'networks', path: '/networks', icon: IconNetwork, operation: 'listNetworks' },
      { name: 'mails', path: '/mails', icon: IconMail, operation: 'listMails' },
      { name: 'jobs', path: '/jobs', icon: IconHeartbeat, operation: 'listJobs' },
    ],
  },
]
