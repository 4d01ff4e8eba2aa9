import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { DeliveryView, pollOf } from '../../parts/hooks/delivery.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'

const readDelivery = (id: string) => answered(issuing.webhooks.getDelivery(id))

/** One delivery to a webhook. */
export function DeliveryPage() {
  const { t } = useTranslation()
  const may = useMay()
  const resend = (id: string) => (key: string) =>
    answered(issuing.webhooks.resendDelivery(id, { idempotencyKey: key }))
  return (
    <ObjectPage name="webhooks" read={readDelivery} poll={pollOf}>
      {(delivery) => (
        <DeliveryView
          key={delivery.id}
          name="webhooks"
          delivery={delivery}
          hook={{
            id: delivery.webhook_id,
            label: t('webhooks.webhook'),
            to: `/webhooks/${delivery.webhook_id}`,
          }}
          resend={may('resendDelivery') && resend(delivery.id)}
        />
      )}
    </ObjectPage>
  )
}
