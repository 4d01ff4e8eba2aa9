import { IconHandStop } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card, StopOrder } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'

/** Merchants whose requests this card declines. */
export function StopOrders({ card }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id } = card
  const removal: Column<StopOrder> = {
    title: t('stop_orders.action'),
    isFigure: true,
    cell: (order) => <Remove order={order} />,
  }
  const columns: Column<StopOrder>[] = [
    { title: t('stop_orders.merchant'), cell: (order) => <Code>{order.merchant_id}</Code> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    ...(may('deleteStopOrder') ? [removal] : []),
  ]
  return (
    <Panel
      flush
      title={t('stop_orders.title')}
      actions={may('createStopOrder') && card.status !== 'TERMINATED' && <Add card={card} />}
    >
      <Paged
        label={t('stop_orders.title')}
        queryKey={['stop_orders', id]}
        read={(after) => {
          const query = after === undefined ? {} : { after }
          return answered(issuing.stopOrders.list(id, query))
        }}
        columns={columns}
        expected={2}
        empty={
          <Empty
            isSmall
            icon={IconHandStop}
            title={t('stop_orders.none')}
            text={t('stop_orders.none_text')}
          />
        }
      />
    </Panel>
  )
}

function Add({ card: { id } }: { card: Card }) {
  const { t } = useTranslation()
  const [merchant_id, setMerchant] = useState('')
  return (
    <Act
      label={t('stop_orders.add')}
      text={t('stop_orders.add_text')}
      act={(key) =>
        answered(issuing.stopOrders.create(id, { merchant_id }, { idempotencyKey: key }))
      }
      onDone={() => setMerchant('')}
    >
      <TextInput
        path="merchant_id"
        dir="ltr"
        required
        withAsterisk={false}
        maxLength={15}
        label={t('stop_orders.merchant')}
        description={t('stop_orders.merchant_hint')}
        value={merchant_id}
        onChange={({ currentTarget }) => setMerchant(currentTarget.value)}
      />
    </Act>
  )
}

function Remove({ order: { id: stop_order_id, card_id: id, merchant_id } }: { order: StopOrder }) {
  const { t } = useTranslation()
  return (
    <Act
      isDangerous
      label={t('stop_orders.remove')}
      text={t('stop_orders.remove_text', { merchant: merchant_id })}
      act={() => answered(issuing.stopOrders.delete(id, stop_order_id))}
    />
  )
}
