import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { FilterDay, FilterSelect, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { NoTransactions, useTransactionColumns } from '../../parts/transaction_columns.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import {
  addressOf,
  type Filter,
  NAMES,
  readTransactions,
  STATUSES,
  TYPES,
  withPeriod,
} from './search.ts'

const CSV: readonly CsvColumn<Transaction>[] = [
  ['id', ({ id }) => id],
  ['created', ({ created }) => created],
  ['type', ({ transaction_type }) => transaction_type],
  ['status', ({ status }) => status],
  ['status_code', ({ status_code }) => status_code],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['merchant', ({ merchant }) => merchant.name],
  ['mcc', ({ merchant }) => merchant.mcc],
  ['rrn', ({ rrn }) => rrn],
  ['card_id', ({ card_id }) => card_id],
]

/** Every transaction of the program. */
export function Transactions() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useTransactionColumns()
  const read = (after: string | undefined) => readTransactions(values, after)
  return (
    <Page
      name="transactions"
      lead={t('transactions.lead')}
      actions={<ExportCsv name="transactions" columns={CSV} read={read} />}
    >
      <Panel title={t('transactions.all_title')} flush>
        <Search values={values} set={set} />
        <Paged
          label={t('pages.transactions')}
          queryKey={['transactions', 'list', values]}
          read={read}
          columns={columns}
          to={({ id }) => addressOf(id, values)}
          expected={10}
          filters={values}
          empty={<NoTransactions />}
        />
      </Panel>
    </Page>
  )
}

type SearchProps = Pick<ReturnType<typeof useFilters<Filter>>, 'values' | 'set'>

function Search({ values, set }: SearchProps) {
  const { t } = useTranslation()
  const shown = withPeriod(values)
  const field = (name: Filter, label: string) => ({
    label,
    value: shown[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Filters>
      <FilterDay {...field('first', t('transactions.filters.first'))} />
      <FilterDay {...field('last', t('transactions.filters.last'))} />
      <FilterSelect
        {...field('status', t('fields.status'))}
        all={t('transactions.all')}
        data={STATUSES}
      />
      <FilterSelect
        {...field('transaction_type', t('transactions.filters.transaction_type'))}
        all={t('transactions.types')}
        data={TYPES}
      />
      <FilterText {...field('status_code', t('transactions.filters.status_code'))} maxLength={4} />
      <FilterText
        {...field('amount', t('transactions.filters.amount'))}
        maxLength={32}
        read={amountOf}
      />
      <FilterText {...field('currency', t('transactions.filters.currency'))} maxLength={3} />
      <FilterText {...field('rrn', t('transactions.filters.rrn'))} maxLength={12} />
      <FilterText {...field('card_id', t('transactions.card_id'))} />
      <FilterText {...field('account_id', t('transactions.account_id'))} />
      <FilterText {...field('user_id', t('transactions.user_id'))} />
    </Filters>
  )
}
