import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('objects', 'platform')

export const platform: PageRoutes = [
  ['/webhooks', page(() => import('../pages/webhooks/webhooks.tsx'), 'Webhooks')],
  [
    '/webhooks/receivers/$id',
    page(() => import('../pages/receivers/receiver.tsx'), 'ReceiverPage'),
  ],
  ['/webhooks/$id', page(() => import('../pages/webhooks/webhook.tsx'), 'WebhookPage')],
  ['/deliveries/$id', page(() => import('../pages/webhooks/delivery.tsx'), 'DeliveryPage')],
  ['/events', page(() => import('../pages/events/events.tsx'), 'Events')],
  ['/team', page(() => import('../pages/team/team.tsx'), 'Team')],
  ['/api-keys', page(() => import('../pages/api_keys/api_keys.tsx'), 'ApiKeys')],
  ['/audit-log', page(() => import('../pages/audit_log/audit_log.tsx'), 'AuditLog')],
  ['/settings', page(() => import('../pages/settings/settings.tsx'), 'SettingsPage')],
  ['/account', page(() => import('../pages/my_account/my_account.tsx'), 'MyAccount')],
]
