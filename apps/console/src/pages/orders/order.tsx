import { useTranslation } from 'react-i18next'
import type { Order } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, When } from '../../parts/values.tsx'
import { OrderOperations } from './order_operations.tsx'
import styles from './orders.module.css'

/** One order: its lines, captures, refunds and sums, and its customer. */
export function OrderRegions({ order }: { order: Order }) {
  return (
    <Columns side={<Sums order={order} />} facts={<OrderFacts order={order} />}>
      <Lines order={order} />
      <OrderOperations kind="captures" reference={order.reference} />
      {isCaptured(order) && <OrderOperations kind="refunds" reference={order.reference} />}
    </Columns>
  )
}

/** The sum is there where the shop captures in parts. */
const isCaptured = ({ status, total_captured = '0' }: Order): boolean =>
  status === 'COMPLETED' || Number(total_captured) > 0

function Sums({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { currency, total, total_refund, tax_amount, shipping_amount, discount } = order
  const { total_captured = '0' } = order
  const rows = [
    [t('orders.tax'), tax_amount],
    [t('orders.shipping'), shipping_amount],
    [t('orders.discount'), discount],
    [t('orders.captured'), Number(total_captured) > 0 ? total_captured : null],
    [t('orders.refunded'), Number(total_refund) > 0 ? total_refund : null],
  ] as const
  return (
    <Panel title={t('orders.total')}>
      <div className={styles['sums']}>
        <strong className={styles['total']}>
          <Money amount={Number(total)} currency={currency} />
        </strong>
        <dl>
          {rows
            .filter(([, amount]) => amount !== null)
            .map(([name, amount]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Money amount={Number(amount)} currency={currency} />
                </dd>
              </div>
            ))}
        </dl>
      </div>
    </Panel>
  )
}

type Line = { id: string; title: string; quantity: number; price: number | undefined }

/** Lines are as the shop has sent them: a missing value is left empty. */
const linesOf = ({ lines }: Order): Line[] =>
  lines.map((line, at) => {
    const { name, title, quantity, unit_price, price } = line as Record<string, unknown>
    const text = [name, title].find((one) => typeof one === 'string')
    return {
      id: String(at),
      title: String(text ?? '–'),
      quantity: Number(quantity ?? 1),
      price: numberOf(unit_price ?? price),
    }
  })

/** A shop may send any text; a price that is none is not a price of 0. */
const numberOf = (value: unknown): number | undefined =>
  value === undefined || value === null || Number.isNaN(Number(value)) ? undefined : Number(value)

function Lines({ order }: { order: Order }) {
  const { t } = useTranslation()
  const columns: Column<Line>[] = [
    { title: t('orders.line'), cell: ({ title }) => <bdi>{title}</bdi> },
    { title: t('orders.quantity'), isFigure: true, cell: ({ quantity }) => String(quantity) },
    {
      title: t('orders.price'),
      isFigure: true,
      cell: ({ price }) =>
        price === undefined ? '–' : <Money amount={price} currency={order.currency} />,
    },
  ]
  return (
    <Panel title={t('orders.lines')} flush>
      <Listing
        label={t('orders.lines')}
        columns={columns}
        rows={linesOf(order)}
        empty={<p className={styles['none']}>{t('orders.no_lines')}</p>}
      />
    </Panel>
  )
}

function OrderFacts({ order }: { order: Order }) {
  const { t } = useTranslation()
  const { status, customer, created_at, updated_at, capture_expiration } = order
  const name = [customer.first_name, customer.last_name].filter(Boolean).join(' ')
  return (
    <Panel title={t('orders.facts')}>
      <Facts
        rows={[
          [t('orders.number'), <Code key="number">{order.order_number}</Code>],
          [t('orders.reference'), <Code key="reference">{order.reference}</Code>],
          [
            t('orders.description'),
            order.description ? <bdi key="text">{order.description}</bdi> : undefined,
          ],
          [t('orders.customer'), <bdi key="name">{name === '' ? t('none') : name}</bdi>],
          [
            t('account.email'),
            customer.email ? <bdi key="email">{customer.email}</bdi> : undefined,
          ],
          [
            t('orders.capture_until'),
            status === 'OPENED' ? <When key="until" at={capture_expiration} /> : undefined,
          ],
          [t('fields.created'), <When key="created" at={created_at} />],
          [t('fields.modified'), <When key="modified" at={updated_at} />],
        ]}
      />
    </Panel>
  )
}
