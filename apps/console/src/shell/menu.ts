/** The menu: pages in their groups, each with the operation that a role needs to use it. */

import { type Icon, IconBolt, IconCreditCard, IconHome, IconListCheck } from '@tabler/icons-react'
import type { english } from '../i18n/en/english.ts'
import type { PageName } from '../parts/page.tsx'

type Entry = { name: PageName; path: string; icon: Icon; operation: string }

type Group = keyof typeof english.groups

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
    entries: [{ name: 'cards', path: '/cards', icon: IconCreditCard, operation: 'listCards' }],
  },
]
