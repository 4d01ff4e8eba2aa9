import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Card } from '../../api/types.ts'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Code, Status } from '../../parts/values.tsx'

/** The batch that the bureau makes the card in, with its file and state, or why there is none. */
export function CardOrder({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { card_order_id: id = '' } = card
  const { data: order } = useQuery({
    queryKey: ['card_orders', id],
    queryFn: () => answered(issuing.cards.getOrder(id)),
    enabled: id !== '',
  })
  const { data: list } = useQuery({
    queryKey: ['card_orders', 'bureau'],
    queryFn: () => answered(issuing.cards.listOrders()),
    enabled: id === '',
  })
  if (id === '') {
    const isMissing = list !== undefined && list.bureau === undefined
    return <>{t(isMissing ? 'fulfillment.order_missing' : 'fulfillment.order_none')}</>
  }
  return (
    <>
      <ObjectLink to={`/card-orders/${id}`}>
        <Code>{order?.file_name ?? id}</Code>
      </ObjectLink>{' '}
      {order && <Status>{order.state}</Status>}
      {order?.fault !== undefined && (
        <p>
          {t('fulfillment.order_fault')}: <bdi>{order.fault}</bdi>
        </p>
      )}
    </>
  )
}
