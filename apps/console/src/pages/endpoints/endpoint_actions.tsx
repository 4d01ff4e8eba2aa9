import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant, onceForShop } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { EndpointEvent } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { HookActions } from '../../parts/hooks/hook_actions.tsx'
import { ENDPOINT_KINDS, type Endpoint } from './endpoint_calls.ts'
import { bodyOf, EndpointFields, typedOf } from './fields.tsx'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const may = useMay()
  const path = { id: endpoint.id }
  const with_key = (key: string) => ({ params: { path, header: onceForShop(key) } })
  const change = (enabled: boolean) =>
    answered(merchant.PUT('/webhooks/{id}', { body: { enabled }, params: { path } }))
  return (
    <HookActions<EndpointEvent>
      isActive={endpoint.status === 'ACTIVE'}
      kinds={ENDPOINT_KINDS}
      calls={{
        ping:
          may('pingEndpoint') &&
          ((key) => answered(merchant.POST('/webhooks/{id}:ping', with_key(key)))),
        recover:
          may('recoverEndpointDeliveries') &&
          ((key, body) =>
            answered(merchant.POST('/webhooks/{id}:recover', { body, ...with_key(key) }))),
        rotate:
          may('rotateEndpointSecret') &&
          ((key) => answered(merchant.POST('/webhooks/{id}:rotateSecret', with_key(key)))),
        enable: may('updateEndpoint') && change,
        remove:
          may('deleteEndpoint') &&
          (() => answered(merchant.DELETE('/webhooks/{id}', { params: { path } }))),
      }}
      change={may('updateEndpoint') && <Change endpoint={endpoint} />}
      list="/endpoints"
    />
  )
}

function Change({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(endpoint))
  const params = { path: { id: endpoint.id } }
  return (
    <Act
      label={t('webhooks.change')}
      text={t('webhooks.change_text')}
      submit={t('actions.save')}
      act={() => answered(merchant.PUT('/webhooks/{id}', { body: bodyOf(typed), params }))}
    >
      <EndpointFields typed={typed} onChange={setTyped} />
    </Act>
  )
}
