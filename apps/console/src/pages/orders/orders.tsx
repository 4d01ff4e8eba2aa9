import { Button, TextInput } from '@mantine/core'
import { IconReceipt, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import { Problem } from '../../api/problem.ts'
import { useMay } from '../../api/session.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { CreateCheckout } from './create_checkout.tsx'
import { OrderRegions } from './order.tsx'
import styles from './orders.module.css'

/** The orders of the organization's shop, found by their references. */
export function Orders() {
  const { t } = useTranslation()
  const may = useMay()
  const { values, set } = useFilters(['reference'])
  const { reference } = values
  return (
    <Page
      name="orders"
      lead={t('orders.lead')}
      actions={may('createCheckout') && <CreateCheckout />}
    >
      <Panel title={t('orders.find')}>
        <Find
          key={reference}
          reference={reference ?? ''}
          onFind={(text) => set('reference', text)}
        />
      </Panel>
      {reference === undefined ? (
        <Panel title={t('orders.order')} flush>
          <Empty icon={IconReceipt} title={t('orders.none')} text={t('orders.none_text')} />
        </Panel>
      ) : (
        <Found key={reference} reference={reference} />
      )}
    </Page>
  )
}

type FindProps = { reference: string; onFind: (reference: string) => void }

function Find({ reference, onFind }: FindProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(reference)
  const find = (event: FormEvent) => {
    event.preventDefault()
    onFind(typed.trim())
  }
  return (
    <form onSubmit={find} className={styles['find']}>
      <TextInput
        label={t('orders.reference')}
        dir="ltr"
        placeholder="ORDER-1001"
        required
        withAsterisk={false}
        maxLength={300}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Button type="submit" leftSection={<IconSearch size={16} aria-hidden />}>
        {t('orders.find_button')}
      </Button>
    </form>
  )
}

function Found({ reference }: { reference: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['orders', reference],
    queryFn: () =>
      answered(merchant.GET('/orders/{reference}', { params: { path: { reference } } })),
  })
  if (data) return <OrderRegions order={data} />
  if (!error) return <Waiting height={320} />
  if (error instanceof Problem && error.status === 404) {
    return (
      <Panel title={t('orders.order')} flush>
        <Empty
          icon={IconReceipt}
          title={t('orders.missing', { reference })}
          text={t('orders.missing_text')}
        />
      </Panel>
    )
  }
  // D-577: the tenant has no active merchant.
  if (error instanceof Problem && error.status === 400) {
    return (
      <Panel title={t('orders.order')} flush>
        <Empty icon={IconReceipt} title={t('orders.no_shop')} text={t('orders.no_shop_text')} />
      </Panel>
    )
  }
  return <Failing error={error} retry={refetch} />
}
