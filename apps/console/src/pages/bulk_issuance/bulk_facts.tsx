import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import type { BulkIssuance } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'

export function BulkFacts({ bulk }: { bulk: BulkIssuance }) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  const { amount, card_product_id, currency, fulfillment_status } = bulk
  const product = products.find(({ id }) => id === card_product_id)
  return (
    <Panel title={t('bulk.facts')}>
      <Facts
        rows={[
          [
            t('cards.product'),
            <ObjectLink key="product" to={`/card-products/${card_product_id}`}>
              <bdi>{product?.name ?? card_product_id}</bdi>
            </ObjectLink>,
          ],
          [t('bulk.number'), bulk.number_of_cards],
          [
            t('bulk.amount'),
            amount === undefined ? undefined : (
              <Money key="amount" amount={amount} currency={currency} />
            ),
          ],
          [
            t('bulk.fulfillment'),
            fulfillment_status && <Status key="fulfillment">{fulfillment_status}</Status>,
          ],
          [t('fields.created'), <When key="created" at={bulk.created} />],
          [t('fields.modified'), <When key="modified" at={bulk.modified} />],
          [t('fields.id'), <Code key="id">{bulk.id}</Code>],
        ]}
      />
    </Panel>
  )
}
