import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Act } from '../../parts/act.tsx'
import { Secret } from '../../parts/hooks/hook_actions.tsx'
import { bodyOf, EndpointFields, NEW, type Typed } from './fields.tsx'

/** Adds a server of the shop; its secret is shown once, then its page follows. */
export function CreateEndpoint() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState<Typed>(NEW)
  const [made, setMade] = useState<{ webhook_id: string; secret: string }>()
  return (
    <>
      <Act
        label={t('orders.endpoints.create')}
        text={t('webhooks.create_text')}
        submit={t('orders.endpoints.create_submit')}
        act={(key) =>
          answered(merchant.webhooks.createEndpoint(bodyOf(typed), { idempotencyKey: key }))
        }
        onDone={(answer) => {
          setMade(answer)
          setTyped(NEW)
        }}
        isMain
      >
        <EndpointFields typed={typed} onChange={setTyped} />
      </Act>
      <Secret
        value={made?.secret}
        onClose={() => made && void navigate({ to: `/endpoints/${made.webhook_id}` })}
      />
    </>
  )
}
