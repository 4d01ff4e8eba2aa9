import { Skeleton } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import { NoShop } from './no_shop.tsx'
import { OrderRegions } from './order.tsx'
import { Capture, Refund } from './order_actions.tsx'

/** One order, at an address of its own. */
export function OrderPage() {
  const { t } = useTranslation()
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const reference = String(params['reference'])
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', reference],
    queryFn: () => answered(merchant.orders.get(reference)),
  })
  if (!data) {
    return (
      <Page name="orders">
        {error ? (
          <Missing reference={reference} error={error} retry={refetch} />
        ) : (
          <Skeleton height={320} role="status" aria-label={t('states.loading')} />
        )}
      </Page>
    )
  }
  return (
    <Page
      name="orders"
      title={<bdi dir="ltr">{data.reference}</bdi>}
      status={data.status}
      lead={<Code>{data.order_number}</Code>}
      actions={
        <>
          <Capture key={data.updated_at} order={data} />
          <Refund order={data} />
        </>
      }
    >
      <OrderRegions order={data} />
    </Page>
  )
}

type MissingProps = { reference: string; error: Error; retry: () => unknown }

function Missing({ reference, error, retry }: MissingProps) {
  const { t } = useTranslation()
  const status = error instanceof Problem ? error.status : undefined
  if (status !== 404 && status !== 400) return <Failing error={error} retry={retry} />
  return (
    <Panel title={t('orders.order')} flush>
      {status === 400 ? (
        <NoShop />
      ) : (
        <Empty
          icon={IconReceipt}
          title={t('orders.missing', { reference })}
          text={t('orders.missing_text')}
        />
      )}
    </Panel>
  )
}
