import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

export const platform: PageRoutes = [
  ['/webhooks', lazy(() => import('../pages/webhooks/webhooks.tsx'), 'Webhooks')],
  [
    '/webhooks/receivers/$id',
    lazy(() => import('../pages/receivers/receiver.tsx'), 'ReceiverPage'),
  ],
  ['/webhooks/$id', lazy(() => import('../pages/webhooks/webhook.tsx'), 'WebhookPage')],
  ['/deliveries/$id', lazy(() => import('../pages/webhooks/delivery.tsx'), 'DeliveryPage')],
  ['/events', lazy(() => import('../pages/events/events.tsx'), 'Events')],
  ['/team', lazy(() => import('../pages/team/team.tsx'), 'Team')],
  ['/api-keys', lazy(() => import('../pages/api_keys/api_keys.tsx'), 'ApiKeys')],
  ['/audit-log', lazy(() => import('../pages/audit_log/audit_log.tsx'), 'AuditLog')],
  ['/settings', lazy(() => import('../pages/settings/settings.tsx'), 'SettingsPage')],
  ['/parts', lazy(() => import('../pages/gallery/gallery.tsx'), 'Gallery')],
  ['/account', lazy(() => import('../pages/my_account/my_account.tsx'), 'MyAccount')],
]
