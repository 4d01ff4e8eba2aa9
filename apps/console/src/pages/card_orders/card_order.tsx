import { IconCreditCard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { CardOrder } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { useCardColumns } from '../../parts/issuing/card_columns.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { CardOrderFacts } from './card_order_facts.tsx'

/** How often a batch is read again until its last card is answered. */
const PERIOD_MS = 5000

const readOrder = (id: string): Promise<CardOrder> => answered(issuing.cards.getOrder(id))

const isOpen = ({ completed }: CardOrder) => completed === undefined

/** One batch at the bureau: its file, how far it is, and its cards. */
export function CardOrderPage() {
  return (
    <ObjectPage name="card_order" read={readOrder} poll={(order) => isOpen(order) && PERIOD_MS}>
      {(order) => <Loaded key={order.id} order={order} />}
    </ObjectPage>
  )
}

function Loaded({ order }: { order: CardOrder }) {
  const { t } = useTranslation()
  const { state, fault, count } = order
  return (
    <Page
      name="card_order"
      title={<bdi>{`${t('pages.card_order')} × ${count}`}</bdi>}
      status={state}
      lead={t('card_orders.one_lead')}
    >
      <Columns facts={<CardOrderFacts order={order} />}>
        {fault !== undefined && (
          <Notice tone="warn" title={t('fulfillment.order_fault')}>
            <bdi>{fault}</bdi>
          </Notice>
        )}
        <Cards order={order} />
      </Columns>
    </Page>
  )
}

function Cards({ order: { id: card_order_id, state, answered: known } }: { order: CardOrder }) {
  const { t } = useTranslation()
  const columns = useCardColumns()
  return (
    <Panel title={t('card_orders.cards')} flush>
      <Paged
        label={t('card_orders.cards')}
        queryKey={['cards', 'order', card_order_id, state, known]}
        read={(after) => {
          const query = { card_order_id, ...(after !== undefined && { after }) }
          return answered(issuing.cards.list(query))
        }}
        columns={columns}
        to={({ id }) => `/cards/${id}`}
        empty={
          <Empty
            isSmall
            icon={IconCreditCard}
            title={t('card_orders.no_cards')}
            text={t('card_orders.no_cards_text')}
          />
        }
      />
    </Panel>
  )
}
