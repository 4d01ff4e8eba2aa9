import type { Shot } from '../shot.ts'

export const platform: readonly Shot[] = [
  { name: 'webhooks', path: '/console/webhooks', as: 'member' },
  { name: 'webhook', path: ({ ids }) => `/console/webhooks/${ids.webhook}`, as: 'member' },
  {
    name: 'webhooks-try',
    path: '/console/webhooks',
    as: 'newcomer',
    isWindow: true,
    act: async (page) => {
      await page.locator('main header button').first().click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  {
    name: 'receiver',
    path: ({ ids }) => `/console/webhooks/receivers/${ids.receiver}`,
    as: 'member',
  },
  { name: 'events', path: '/console/events', as: 'member' },
  { name: 'team', path: '/console/team', as: 'member' },
  { name: 'api-keys', path: '/console/api-keys', as: 'member' },
  { name: 'audit-log', path: '/console/audit-log', as: 'member' },
  { name: 'settings', path: '/console/settings', as: 'member' },
  { name: 'account-mine', path: '/console/account', as: 'member' },
]
