import { IconCreditCard } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import {
  FilterSelect,
  Filters,
  FilterText,
  type FilterValues,
  useFilters,
} from '../../parts/filters.tsx'
import { useCardColumns } from '../../parts/issuing/card_columns.tsx'
import { UserField } from '../../parts/issuing/user_field.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { IssueCard } from './issue_card.tsx'

const STATUSES = ['INACTIVE', 'ACTIVE', 'SUSPENDED', 'TERMINATED'] as const
const NAMES = ['status', 'card_product_id', 'user_id', 'last_four', 'bulk_issuance_id'] as const
type Values = FilterValues<(typeof NAMES)[number]>

const CSV: readonly CsvColumn<Card>[] = [
  ['id', ({ id }) => id],
  ['masked_card_number', ({ masked_card_number }) => masked_card_number],
  ['name_on_card', ({ name_on_card }) => name_on_card],
  ['card_type', ({ card_type }) => card_type],
  ['status', ({ status }) => status],
  ['status_reason_code', ({ status_reason_code }) => status_reason_code],
  ['expiry_date', ({ expiry_date }) => expiry_date],
  ['user_id', ({ user_id }) => user_id],
  ['card_product_id', ({ card_product_id }) => card_product_id],
  ['account_id', ({ account_id }) => account_id],
  ['created', ({ created }) => created],
]

function readCards({ status: asked, ...others }: Values, after: string | undefined) {
  const status = STATUSES.find((one) => one === asked)
  const query = { ...others, ...(status && { status }), ...(after !== undefined && { after }) }
  return answered(issuing.cards.list(query))
}

/** Every card of the program. */
export function Cards() {
  const { t } = useTranslation()
  const may = useMay()
  const { values, set } = useFilters(NAMES)
  const columns = useCardColumns()
  return (
    <Page
      name="cards"
      lead={t('cards.lead')}
      actions={
        <>
          <ExportCsv name="cards" columns={CSV} read={(after) => readCards(values, after)} />
          {may('createCard') && <IssueCard />}
        </>
      }
    >
      <Panel title={t('cards.all')} flush>
        <CardFilters values={values} set={set} />
        <Paged
          label={t('pages.cards')}
          queryKey={['cards', 'list', values]}
          read={(after) => readCards(values, after)}
          columns={columns}
          to={({ id }) => `/cards/${id}`}
          expected={10}
          filters={values}
          empty={
            <Empty icon={IconCreditCard} title={t('cards.none')} text={t('cards.none_text')} />
          }
        />
      </Panel>
    </Page>
  )
}

type CardFiltersProps = { values: Values; set: (name: keyof Values, value: string) => void }

function CardFilters({ values, set }: CardFiltersProps) {
  const { t } = useTranslation()
  const { data: products = [] } = useQuery(allProducts)
  return (
    <Filters>
      <FilterSelect
        label={t('fields.status')}
        all={t('filters.all')}
        data={STATUSES}
        value={values.status}
        onChange={(value) => set('status', value)}
      />
      <FilterSelect
        label={t('cards.product')}
        all={t('filters.all')}
        data={products.map(({ id, name }) => ({ value: id, label: name }))}
        value={values.card_product_id}
        onChange={(value) => set('card_product_id', value)}
      />
      <UserField
        label={t('fields.user')}
        placeholder={t('filters.all')}
        value={values.user_id ?? ''}
        onChange={(value) => set('user_id', value)}
      />
      <FilterText
        label={t('cards.last_four')}
        maxLength={4}
        value={values.last_four}
        onChange={(value) => set('last_four', value)}
      />
      {values.bulk_issuance_id !== undefined && (
        <FilterText
          label={t('pages.bulk_issuance')}
          value={values.bulk_issuance_id}
          onChange={(value) => set('bulk_issuance_id', value)}
        />
      )}
    </Filters>
  )
}
