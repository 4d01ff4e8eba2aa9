import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { Secret } from '../../parts/hooks/hook_actions.tsx'
import { bodyOf, NEW, type Typed, WebhookFields } from './fields.tsx'

/** Subscribes a server; its secret is shown once, then the page of the webhook follows. */
export function CreateWebhook() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState<Typed>(NEW)
  const [made, setMade] = useState<{ id: string; secret: string }>()
  return (
    <>
      <Act
        label={t('webhooks.create')}
        text={t('webhooks.create_text')}
        submit={t('webhooks.create_submit')}
        act={(key) => answered(issuing.webhooks.create(bodyOf(typed), { idempotencyKey: key }))}
        onDone={(answer) => {
          setMade(answer)
          setTyped(NEW)
        }}
        isMain
      >
        <WebhookFields typed={typed} onChange={setTyped} />
      </Act>
      <Secret
        value={made?.secret}
        onClose={() => made && void navigate({ to: `/webhooks/${made.id}` })}
      />
    </>
  )
}
