import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { EndpointEvent } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { HookActions } from '../../parts/hooks/hook_actions.tsx'
import { ENDPOINT_KINDS, type Endpoint, readEndpoint, updateEndpoint } from './endpoint_calls.ts'
import { bodyOf, EndpointFields, typedOf } from './fields.tsx'

export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const may = useMay()
  const change = (enabled: boolean) =>
    changeSeen({
      item: endpoint,
      read: () => readEndpoint(endpoint.id),
      isOther: ({ status }) => status !== endpoint.status,
      save: (match) => updateEndpoint(endpoint.id, { enabled }, match),
    })
  return (
    <HookActions<EndpointEvent>
      isActive={endpoint.status === 'ACTIVE'}
      kinds={ENDPOINT_KINDS}
      calls={{
        ping:
          may('pingEndpoint') &&
          ((key) => answered(merchant.webhooks.pingEndpoint(endpoint.id, { idempotencyKey: key }))),
        recover:
          may('recoverEndpointDeliveries') &&
          ((key, body) =>
            answered(
              merchant.webhooks.recoverEndpointDeliveries(endpoint.id, body, {
                idempotencyKey: key,
              }),
            )),
        rotate:
          may('rotateEndpointSecret') &&
          ((key) =>
            answered(merchant.webhooks.rotateEndpointSecret(endpoint.id, { idempotencyKey: key }))),
        enable: may('updateEndpoint') && change,
        remove:
          may('deleteEndpoint') && (() => answered(merchant.webhooks.deleteEndpoint(endpoint.id))),
      }}
      change={may('updateEndpoint') && <Change endpoint={endpoint} />}
      list="/endpoints"
    />
  )
}

function Change({ endpoint }: { endpoint: Endpoint }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(endpoint))
  const { id } = endpoint
  return (
    <Edit
      label={t('webhooks.change')}
      text={t('webhooks.change_text')}
      item={endpoint}
      read={() => readEndpoint(id)}
      labels={{ url: t('webhooks.endpoint'), events: t('webhooks.kinds') }}
      save={(changes, header) => updateEndpoint(id, changes, header)}
      {...{ typed, setTyped, typedOf, bodyOf }}
    >
      <EndpointFields typed={typed} onChange={setTyped} />
    </Edit>
  )
}
