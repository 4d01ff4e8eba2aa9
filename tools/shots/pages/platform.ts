import type { Shot } from '../shot.ts'

export const platform: readonly Shot[] = [
  { name: 'webhooks', path: '/console/webhooks', as: 'member' },
  { name: 'webhook', path: ({ ids }) => `/console/webhooks/${ids.webhook}`, as: 'member' },
  { name: 'events', path: '/console/events', as: 'member' },
  { name: 'team', path: '/console/team', as: 'member' },
  { name: 'api-keys', path: '/console/api-keys', as: 'member' },
  { name: 'audit-log', path: '/console/audit-log', as: 'member' },
  { name: 'settings', path: '/console/settings', as: 'member' },
  { name: 'account-mine', path: '/console/account', as: 'member' },
]
