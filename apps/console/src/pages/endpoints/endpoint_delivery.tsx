import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { DeliveryView, pollOf } from '../../parts/hooks/delivery.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { readDelivery } from './endpoint_calls.ts'

/** One delivery to an endpoint of the shop. */
export function EndpointDeliveryPage() {
  const { t } = useTranslation()
  const may = useMay()
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const endpoint_id = String(params['endpoint_id'])
  const resend = (delivery_id: string) => {
    return (key: string) =>
      answered(
        merchant.webhooks.resendEndpointDelivery(endpoint_id, delivery_id, { idempotencyKey: key }),
      )
  }
  return (
    <ObjectPage name="endpoints" read={(id) => readDelivery(endpoint_id, id)} poll={pollOf}>
      {(delivery) => (
        <DeliveryView
          key={delivery.id}
          name="endpoints"
          delivery={delivery}
          hook={{
            id: delivery.webhook_id,
            label: t('orders.endpoints.endpoint'),
            to: `/endpoints/${delivery.webhook_id}`,
          }}
          resend={may('resendEndpointDelivery') && resend(delivery.id)}
        />
      )}
    </ObjectPage>
  )
}
