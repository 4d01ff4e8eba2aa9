import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Facts } from '../../parts/facts.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import { CardOrder } from './card_order.tsx'
import styles from './cards.module.css'
import { FulfillmentSteps } from './fulfillment_steps.tsx'

/** The delivery of a physical card, from the embosser to its holder. */
export function Fulfillment({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { fulfillment_status, delivery_partner, tracking_number, delivery_method } = card
  if (fulfillment_status === undefined) return null
  const { name, address_line1, address_line2, city, country } = card.shipping_details?.address ?? {}
  const address = [name, address_line1, address_line2, city, country].filter(Boolean).join(', ')
  return (
    <Panel title={t('fulfillment.title')}>
      <div className={styles['stack']}>
        <FulfillmentSteps card={card} />
        <Facts
          rows={[
            [
              t('fulfillment.order'),
              (card.card_order_id !== undefined || fulfillment_status === 'CREATED') && (
                <CardOrder key="order" card={card} />
              ),
            ],
            [t('fulfillment.method'), delivery_method && <Code key="text">{delivery_method}</Code>],
            [
              t('fulfillment.partner'),
              delivery_partner && <bdi key="text">{delivery_partner}</bdi>,
            ],
            [
              t('fulfillment.tracking'),
              tracking_number && <Code key="text">{tracking_number}</Code>,
            ],
            [
              t('fulfillment.address'),
              address === '' ? undefined : <bdi key="address">{address}</bdi>,
            ],
          ]}
        />
        {card.status !== 'TERMINATED' && <Simulated card={card} />}
      </div>
    </Panel>
  )
}

/** Steps of the embosser and the carrier; a live installation has none of these operations. */
function Simulated({ card: { id, fulfillment_status } }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  if (!may('simulateEmbossing')) return null
  const fail = (
    <Act
      isDangerous
      label={t('fulfillment.fail')}
      text={t('fulfillment.fail_text')}
      act={(key) => answered(issuing.simulation.failedDelivery(id, { idempotencyKey: key }))}
    />
  )
  return (
    <div className={styles['buttons']}>
      {fulfillment_status === 'CREATED' && (
        <Act
          label={t('fulfillment.emboss')}
          text={t('fulfillment.emboss_text')}
          act={(key) => answered(issuing.simulation.embossing(id, { idempotencyKey: key }))}
        />
      )}
      {fulfillment_status === 'ORDERED' && <Ship id={id} />}
      {fulfillment_status === 'SHIPPED' && (
        <>
          <Act
            label={t('fulfillment.deliver')}
            text={t('fulfillment.deliver_text')}
            act={(key) => answered(issuing.simulation.delivery(id, { idempotencyKey: key }))}
          />
          {fail}
        </>
      )}
    </div>
  )
}

function Ship({ id }: { id: string }) {
  const { t } = useTranslation()
  const [delivery_partner, setPartner] = useState('')
  const [tracking_number, setTracking] = useState('')
  const body = { delivery_partner, ...(tracking_number !== '' && { tracking_number }) }
  return (
    <Act
      label={t('fulfillment.ship')}
      text={t('fulfillment.ship_text')}
      act={(key) => answered(issuing.simulation.shipment(id, body, { idempotencyKey: key }))}
    >
      <TextInput
        path="delivery_partner"
        required
        withAsterisk={false}
        label={t('fulfillment.partner')}
        value={delivery_partner}
        onChange={({ currentTarget }) => setPartner(currentTarget.value)}
      />
      <TextInput
        path="tracking_number"
        dir="ltr"
        label={t('fulfillment.tracking')}
        value={tracking_number}
        onChange={({ currentTarget }) => setTracking(currentTarget.value)}
      />
    </Act>
  )
}
