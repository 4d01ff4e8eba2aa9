import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import type { CardOrder } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'

export function CardOrderFacts({ order }: { order: CardOrder }) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  const { card_product_id: of, digest } = order
  const product = products.find(({ id }) => id === of)
  return (
    <Panel title={t('card_orders.facts')}>
      <Facts
        rows={[
          [
            t('cards.product'),
            <ObjectLink key="product" to={`/card-products/${of}`}>
              <bdi>{product?.name ?? of}</bdi>
            </ObjectLink>,
          ],
          [t('card_orders.bureau'), <bdi key="bureau">{order.bureau}</bdi>],
          [t('card_orders.count'), order.count],
          [t('card_orders.answered'), order.answered],
          [t('card_orders.rejected'), order.rejected],
          [t('card_orders.attempts'), order.attempts],
          [t('card_orders.file'), <Code key="file">{order.file_name}</Code>],
          [t('card_orders.digest'), digest && <Code key="digest">{digest}</Code>],
          [t('fields.created'), <When key="created" at={order.created} />],
          [t('card_orders.sent'), order.sent && <When key="sent" at={order.sent} />],
          [
            t('card_orders.completed'),
            order.completed && <When key="completed" at={order.completed} />,
          ],
          [t('fields.modified'), <When key="modified" at={order.modified} />],
          [t('fields.id'), <Code key="id">{order.id}</Code>],
        ]}
      />
    </Panel>
  )
}
