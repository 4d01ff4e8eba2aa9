import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Webhook, WebhookEvent } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { HookActions } from '../../parts/hooks/hook_actions.tsx'
import { KINDS } from '../../parts/issuing/event_kinds.ts'
import { bodyOf, typedOf, WebhookFields } from './fields.tsx'
import { readWebhook, updateWebhook } from './webhook_calls.ts'

export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const may = useMay()
  const change = (isEnabled: boolean) =>
    changeSeen({
      item: webhook,
      read: () => readWebhook(webhook.id),
      isOther: ({ status }) => status !== webhook.status,
      save: (match) =>
        updateWebhook(webhook.id, { status: isEnabled ? 'ACTIVE' : 'DISABLED' }, match),
    })
  return (
    <HookActions<WebhookEvent>
      isActive={webhook.status === 'ACTIVE'}
      kinds={KINDS}
      calls={{
        ping:
          may('pingWebhook') &&
          ((key) => answered(issuing.webhooks.ping(webhook.id, { idempotencyKey: key }))),
        recover:
          may('recoverWebhookDeliveries') &&
          ((key, body) =>
            answered(
              issuing.webhooks.recoverDeliveries(webhook.id, body, { idempotencyKey: key }),
            )),
        rotate:
          may('rotateWebhookSecret') &&
          ((key) => answered(issuing.webhooks.rotateSecret(webhook.id, { idempotencyKey: key }))),
        enable: may('updateWebhook') && change,
        remove: may('deleteWebhook') && (() => answered(issuing.webhooks.delete(webhook.id))),
      }}
      change={may('updateWebhook') && <Change webhook={webhook} />}
      list="/webhooks"
    />
  )
}

function Change({ webhook }: { webhook: Webhook }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(webhook))
  const { id } = webhook
  return (
    <Edit
      label={t('webhooks.change')}
      text={t('webhooks.change_text')}
      item={webhook}
      read={() => readWebhook(id)}
      labels={{
        endpoint: t('webhooks.endpoint'),
        events: t('webhooks.kinds'),
        username: t('webhooks.username'),
        password: t('webhooks.password'),
      }}
      save={(changes, header) => updateWebhook(id, changes, header)}
      {...{ typed, setTyped, typedOf, bodyOf }}
    >
      <WebhookFields typed={typed} onChange={setTyped} />
    </Edit>
  )
}
