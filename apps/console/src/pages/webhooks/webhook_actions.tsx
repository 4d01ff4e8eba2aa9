import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing, once } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook, WebhookEvent } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { HookActions } from '../../parts/hooks/hook_actions.tsx'
import { KINDS } from '../../parts/issuing/event_kinds.ts'
import { bodyOf, typedOf, WebhookFields } from './fields.tsx'

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const may = useMay()
  const path = { id: webhook.id }
  const with_key = (key: string) => ({ params: { path, header: once(key) } })
  const change = (isEnabled: boolean) => {
    const body = { status: isEnabled ? ('ACTIVE' as const) : ('DISABLED' as const) }
    return answered(issuing.PUT('/webhooks/{id}', { body, params: { path } }))
  }
  return (
    <HookActions<WebhookEvent>
      isActive={webhook.status === 'ACTIVE'}
      kinds={KINDS}
      calls={{
        ping:
          may('pingWebhook') &&
          ((key) => answered(issuing.POST('/webhooks/{id}:ping', with_key(key)))),
        recover:
          may('recoverWebhookDeliveries') &&
          ((key, body) =>
            answered(issuing.POST('/webhooks/{id}:recover', { body, ...with_key(key) }))),
        rotate:
          may('rotateWebhookSecret') &&
          ((key) => answered(issuing.POST('/webhooks/{id}:rotateSecret', with_key(key)))),
        enable: may('updateWebhook') && change,
        remove:
          may('deleteWebhook') &&
          (() => answered(issuing.DELETE('/webhooks/{id}', { params: { path } }))),
      }}
      change={may('updateWebhook') && <Change webhook={webhook} />}
      list="/webhooks"
    />
  )
}

function Change({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(webhook))
  const params = { path: { id: webhook.id } }
  return (
    <Act
      label={t('webhooks.change')}
      text={t('webhooks.change_text')}
      submit={t('actions.save')}
      act={() => answered(issuing.PUT('/webhooks/{id}', { body: bodyOf(typed), params }))}
    >
      <WebhookFields typed={typed} onChange={setTyped} />
    </Act>
  )
}
