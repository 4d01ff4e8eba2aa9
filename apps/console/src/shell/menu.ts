/** The menu: pages in their groups, each with the operation that a role needs to use it. */

import {
  type Icon,
  IconArrowsExchange,
  IconBolt,
  IconBuildingBank,
  IconCreditCard,
  IconHome,
  IconKey,
  IconListCheck,
  IconSettings,
  IconStack2,
  IconUsers,
  IconWaveSine,
} from '@tabler/icons-react'
import type { PageName } from '../parts/page.tsx'

type Entry = { name: PageName; path: string; icon: Icon; operation: string }

export const menu: readonly { group: 'start' | 'issuing' | 'platform'; entries: Entry[] }[] = [
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
      {
        name: 'transactions',
        path: '/transactions',
        icon: IconArrowsExchange,
        operation: 'listTransactions',
      },
      { name: 'users', path: '/users', icon: IconUsers, operation: 'listUsers' },
      { name: 'cards', path: '/cards', icon: IconCreditCard, operation: 'listCards' },
      { name: 'accounts', path: '/accounts', icon: IconBuildingBank, operation: 'listAccounts' },
      {
        name: 'card_products',
        path: '/card-products',
        icon: IconStack2,
        operation: 'listCardProducts',
      },
    ],
  },
  {
    group: 'platform',
    entries: [
      { name: 'events', path: '/events', icon: IconWaveSine, operation: 'listEvents' },
      { name: 'api_keys', path: '/api-keys', icon: IconKey, operation: 'listKeys' },
      { name: 'settings', path: '/settings', icon: IconSettings, operation: 'listSessions' },
    ],
  },
]
