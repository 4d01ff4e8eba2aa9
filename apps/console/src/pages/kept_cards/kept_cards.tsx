import { IconCreditCard } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { KeptCard } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filters, FilterText, type FilterValues, useFilters } from '../../parts/filters.tsx'
import { printedExpiry, shortNumber } from '../../parts/issuing/card_number.ts'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Status, When } from '../../parts/values.tsx'
import { explainNoShop } from '../orders/no_shop.tsx'
import { OrdersTabs } from '../orders/orders_tabs.tsx'

const NAMES = ['customer'] as const
const CUSTOMER_MAX = 100

function readKeptCards(
  { customer }: FilterValues<(typeof NAMES)[number]>,
  after: string | undefined,
) {
  const query = { ...(customer && { customer }), ...(after !== undefined && { after }) }
  return answered(merchant.keptCards.list(query))
}

/** Cards that customers of the shop let it keep, without their numbers (D-770). */
export function KeptCards() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  return (
    <Page name="kept_cards" lead={t('orders.kept_cards.lead')}>
      <OrdersTabs present="kept_cards" />
      <Panel title={t('orders.kept_cards.all')} flush>
        <Filters>
          <FilterText
            label={t('orders.kept_cards.customer')}
            maxLength={CUSTOMER_MAX}
            value={values.customer}
            onChange={(value) => set('customer', value)}
          />
        </Filters>
        <Paged
          label={t('pages.kept_cards')}
          queryKey={['kept_cards', values]}
          read={(after) => readKeptCards(values, after)}
          columns={useKeptCardColumns()}
          // Its times are told apart only by the names of their columns.
          isNamed
          explain={explainNoShop}
          filters={values}
          empty={
            <Empty
              icon={IconCreditCard}
              title={t('orders.kept_cards.none')}
              text={t('orders.kept_cards.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

const nameOf = ({ brand, last_four }: KeptCard) => `${brand ?? ''} ${shortNumber(last_four)}`.trim()

function useKeptCardColumns(): Column<KeptCard>[] {
  const { t } = useTranslation()
  const may = useMay()
  const columns: Column<KeptCard>[] = [
    { title: t('orders.kept_cards.customer'), cell: ({ customer }) => <bdi>{customer}</bdi> },
    { title: t('fields.card'), cell: (card) => <Code>{nameOf(card)}</Code> },
    {
      title: t('fields.expires'),
      cell: ({ expiry_date }) => <Code>{printedExpiry(expiry_date)}</Code>,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('orders.kept_cards.consent'),
      cell: ({ consent }) => <When at={consent.given_at} />,
    },
    {
      title: t('fields.last_used'),
      cell: ({ used_at }) => (used_at === undefined ? t('none') : <When at={used_at} />),
    },
  ]
  if (!may('deleteKeptCard')) return columns
  const cell = (card: KeptCard) => <Remove card={card} />
  return [...columns, { title: t('orders.kept_cards.actions'), cell, isAction: true }]
}

function Remove({ card }: { card: KeptCard }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('orders.kept_cards.remove')}
      of={`${card.customer} ${nameOf(card)}`}
      text={t('orders.kept_cards.remove_text', { card: `\u2068${nameOf(card)}\u2069` })}
      act={() => answered(merchant.keptCards.delete(card.id))}
      isDangerous
    />
  )
}
