import { useForm } from '@mantine/form'
import { IconCash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Tenant } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { Code, Money } from '../../parts/values.tsx'
import styles from './tenants.module.css'

type Account = { account_id: string; currency: string; balance: number; kind: string }

/** Every account of the program of a tenant, with its kind and balance. */
export function Funding({ tenant }: { tenant: Tenant }) {
  const { t } = useTranslation()
  const { id } = tenant
  const { data, error, refetch } = useQuery({
    queryKey: ['tenants', id, 'accounts'],
    queryFn: () => answered(issuing.operator.listProgramAccounts(id)),
  })
  const rows = data?.data
    .map((one) => ({ ...one, id: one.account_id }))
    .sort((a, b) => Number(b.kind === 'FUNDING') - Number(a.kind === 'FUNDING'))
  const columns: Column<Account>[] = [
    { title: t('operator.funding.kind'), cell: ({ kind }) => <Code>{kind}</Code> },
    { title: t('fields.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
    { title: t('fields.account'), cell: ({ account_id }) => <Code>{account_id.slice(-12)}</Code> },
    {
      title: t('fields.balance'),
      isFigure: true,
      cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
    },
  ]
  return (
    <Panel title={t('operator.funding.title')} actions={<Fund tenant={tenant} />} flush>
      <Listing
        label={t('operator.funding.title')}
        columns={columns}
        rows={rows}
        error={error}
        retry={refetch}
        expected={3}
        empty={
          <Empty
            icon={IconCash}
            title={t('operator.funding.none')}
            text={t('operator.funding.none_text')}
          />
        }
      />
    </Panel>
  )
}

/** The operation has no dry run: the tenant has received the money, and the books follow. */
function Fund({ tenant: { id, name, settings } }: { tenant: Tenant }) {
  const { t } = useTranslation()
  const may = useMay()
  const form = useForm({ initialValues: { currency: settings.default_currency, amount: '' } })
  if (!may('fundTenantAsOperator')) return null
  const act = (key: string) => {
    const { currency, amount } = form.values
    const body = { currency: currency.toUpperCase(), amount: amountOf(amount, currency) }
    return answered(issuing.operator.fundTenant(id, body, { idempotencyKey: key }))
  }
  return (
    <Act
      label={t('operator.funding.fund')}
      text={t('operator.funding.fund_text', { name })}
      act={act}
      onDone={() => form.reset()}
    >
      <div className={styles['pair']}>
        <TextInput
          label={t('fields.amount')}
          required
          withAsterisk={false}
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          {...form.getInputProps('amount')}
        />
        <TextInput
          label={t('fields.currency')}
          required
          withAsterisk={false}
          dir="ltr"
          maxLength={3}
          autoComplete="off"
          {...form.getInputProps('currency')}
        />
      </div>
    </Act>
  )
}
