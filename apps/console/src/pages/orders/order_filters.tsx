import { useTranslation } from 'react-i18next'
import { periodOf } from '../../parts/days.ts'
import {
  FilterDay,
  FilterSelect,
  Filters,
  FilterText,
  type FilterValues,
} from '../../parts/filters.tsx'
import { amountOf } from '../../parts/typed_text.ts'

export const NAMES = [
  ...(['status', 'reference', 'email', 'currency', 'min_total', 'max_total'] as const),
  ...(['refund', 'from', 'to'] as const),
] as const
export type Name = (typeof NAMES)[number]

const STATUSES = ['OPENED', 'COMPLETED'] as const
const REFUNDS = ['none', 'partial', 'full'] as const

export type OrderFilter = {
  status?: (typeof STATUSES)[number]
  refund?: (typeof REFUNDS)[number]
  reference?: string
  email?: string
  currency?: string
  min_total?: string
  max_total?: string
  from?: string
  to?: string
}

const AMOUNT = /^(0|[1-9]\d{0,10})(\.\d{1,4})?$/

/** The filters of the address, as the API takes them; undefined if no order can match them. */
export function orderFilter(values: FilterValues<Name>): OrderFilter | undefined {
  const { status, refund, from, to, currency, ...texts } = values
  const code = currency?.toUpperCase()
  const amounts = [values.min_total, values.max_total].filter((one) => one !== undefined)
  if (code !== undefined && !/^[A-Z]{3}$/.test(code)) return undefined
  if (!amounts.every((one) => AMOUNT.test(one))) return undefined
  const known = STATUSES.find((one) => one === status)
  const part = REFUNDS.find((one) => one === refund)
  return {
    ...texts,
    ...periodOf(from, to),
    ...(code !== undefined && { currency: code }),
    ...(known && { status: known }),
    ...(part && { refund: part }),
  }
}

type OrderFiltersProps = {
  values: FilterValues<Name>
  set: (name: Name, value: string) => void
}

export function OrderFilters({ values, set }: OrderFiltersProps) {
  const { t } = useTranslation()
  const taking = (name: Name, label: string) => ({
    label,
    value: values[name],
    onChange: (value: string) => set(name, value),
  })
  return (
    <Filters>
      <FilterText maxLength={300} {...taking('reference', t('orders.reference'))} />
      <FilterText maxLength={320} {...taking('email', t('account.email'))} />
      <FilterSelect
        all={t('filters.all')}
        data={STATUSES}
        {...taking('status', t('fields.status'))}
      />
      <FilterSelect
        all={t('filters.all')}
        data={REFUNDS.map((value) => ({ value, label: t(`orders.refund_filter.${value}`) }))}
        {...taking('refund', t('orders.refund_filter.title'))}
      />
      <FilterDay {...taking('from', t('orders.from'))} />
      <FilterDay {...taking('to', t('orders.to'))} />
      <FilterText maxLength={3} {...taking('currency', t('fields.currency'))} />
      <FilterText maxLength={16} read={amountOf} {...taking('min_total', t('orders.min_total'))} />
      <FilterText maxLength={16} read={amountOf} {...taking('max_total', t('orders.max_total'))} />
    </Filters>
  )
}
