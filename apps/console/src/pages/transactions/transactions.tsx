import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { periodOf } from '../../parts/days.ts'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { FilterDay, FilterSelect, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { NoTransactions, useTransactionColumns } from '../../parts/transaction_columns.tsx'

const NAMES = ['status', 'first', 'last', 'card_id', 'account_id', 'user_id'] as const
type Filter = (typeof NAMES)[number]

const STATUSES: readonly Transaction['status'][] = [
  'PENDING',
  'SETTLED',
  'DECLINED',
  'VOIDED',
  'EXPIRED',
]

const CSV: readonly CsvColumn<Transaction>[] = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['type', ({ transaction_type }) => transaction_type],
  ['status', ({ status }) => status],
  ['status_code', ({ status_code }) => status_code],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['merchant', ({ merchant }) => merchant.name],
  ['card_id', ({ card_id }) => card_id],
]

function readTransactions(values: Partial<Record<Filter, string>>, after: string | undefined) {
  const { status, first, last, ...rest } = values
  const known = STATUSES.find((one) => one === status)
  const query = {
    ...{ ...rest, ...periodOf(first, last) },
    ...{ ...(known && { status: known }), ...(after !== undefined && { after }) },
  }
  return answered(issuing.GET('/transactions', { params: { query } }))
}

/** Every transaction of the program. */
export function Transactions() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useTransactionColumns()
  const read = (after: string | undefined) => readTransactions(values, after)
  const text = (name: Filter, label: string) => (
    <FilterText label={label} value={values[name]} onChange={(value) => set(name, value)} />
  )
  const day = (name: 'first' | 'last') => (
    <FilterDay
      label={t(`audit.filters.${name}`)}
      value={values[name]}
      onChange={(value) => set(name, value)}
    />
  )
  return (
    <Page
      name="transactions"
      lead={t('transactions.lead')}
      actions={<ExportCsv name="transactions" columns={CSV} read={read} />}
    >
      <Panel title={t('transactions.all_title')} flush>
        <Filters>
          <FilterSelect
            label={t('fields.status')}
            all={t('transactions.all')}
            value={values.status}
            data={STATUSES}
            onChange={(value) => set('status', value)}
          />
          {day('first')}
          {day('last')}
          {text('card_id', t('transactions.card_id'))}
          {text('account_id', t('transactions.account_id'))}
          {text('user_id', t('transactions.user_id'))}
        </Filters>
        <Paged
          label={t('pages.transactions')}
          queryKey={['transactions', 'list', values]}
          read={read}
          columns={columns}
          to={({ id }) => `/transactions/${id}`}
          expected={10}
          empty={<NoTransactions />}
        />
      </Panel>
    </Page>
  )
}
