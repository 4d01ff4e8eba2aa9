import { IconCashBanknote } from '@tabler/icons-react'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import type { OperatorPayout } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Day, Money, moneyText, Status } from '../../parts/values.tsx'
import styles from './merchants.module.css'

const NAMES = ['tenant_id', 'status'] as const
const STATUSES = ['PENDING', 'PAID', 'FAILED', 'CARRIED'] as const

const MERCHANTS_MAX = 200

/** Merchants for their names; one that is not among them is shown by its id. */
const firstMerchants = queryOptions({
  queryKey: ['merchants', 'names'],
  queryFn: async () => {
    const query = { limit: MERCHANTS_MAX }
    return (await answered(issuing.operator.listMerchants(query))).data
  },
})

/** Payouts to the shops of all tenants. */
export function MerchantPayouts() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const { data: tenants } = useQuery(allTenants)
  const read = (after: string | undefined) => {
    const { status: chosen, ...rest } = values
    const status = STATUSES.find((one) => one === chosen)
    const query = { ...rest, ...(status && { status }), ...(after !== undefined && { after }) }
    return answered(issuing.operator.listPayouts(query))
  }
  return (
    <Page name="merchant_payouts" lead={t('operator.merchant_payouts.lead')}>
      <Panel title={t('operator.merchant_payouts.all')} flush>
        <Filters>
          <FilterSelect
            label={t('operator.tenant')}
            all={t('filters.all')}
            data={tenantChoices(tenants)}
            value={values.tenant_id}
            onChange={(value) => set('tenant_id', value)}
          />
          <FilterSelect
            label={t('fields.status')}
            all={t('filters.all')}
            data={STATUSES}
            value={values.status}
            onChange={(value) => set('status', value)}
          />
        </Filters>
        <Paged
          label={t('pages.merchant_payouts')}
          queryKey={['merchant_payouts', values]}
          read={read}
          columns={usePayoutColumns()}
          filters={values}
          empty={
            <Empty
              icon={IconCashBanknote}
              title={t('operator.merchant_payouts.none')}
              text={t('operator.merchant_payouts.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function usePayoutColumns(): Column<OperatorPayout>[] {
  const { t } = useTranslation()
  const may = useMay()
  const { data: tenants } = useQuery(allTenants)
  const { data: merchants } = useQuery(firstMerchants)
  const nameOf = (id: string, of?: readonly { id: string; name: string }[]) =>
    of?.find((one) => one.id === id)?.name ?? id.slice(-12)
  const columns: Column<OperatorPayout>[] = [
    { title: t('operator.merchant_payouts.day'), cell: ({ day }) => <Day at={day} /> },
    {
      title: t('fields.merchant'),
      cell: ({ merchant_id }) => (
        <ObjectLink to={`/merchants/${merchant_id}`}>
          <bdi>{nameOf(merchant_id, merchants)}</bdi>
        </ObjectLink>
      ),
    },
    {
      title: t('operator.tenant'),
      cell: ({ tenant_id }) => <bdi>{nameOf(tenant_id, tenants)}</bdi>,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
  if (!may('markPayoutPaid')) return columns
  const cell = (payout: OperatorPayout) => <Marks payout={payout} />
  return [...columns, { title: t('operator.merchant_payouts.mark'), cell, isAction: true }]
}

/** The next steps that its status permits, else its reference. */
function Marks({ payout }: { payout: OperatorPayout }) {
  const { t } = useTranslation()
  const { status, reference } = payout
  if (status === 'PAID' || status === 'CARRIED') return <bdi>{reference ?? t('none')}</bdi>
  return (
    <div className={styles['marks']}>
      <Mark payout={payout} verb="markPaid" />
      {status === 'PENDING' && <Mark payout={payout} verb="markFailed" />}
    </div>
  )
}

type MarkProps = { payout: OperatorPayout; verb: 'markPaid' | 'markFailed' }

function Mark({ payout: { id, day, amount, currency }, verb }: MarkProps) {
  const { t } = useTranslation()
  const [reference, setReference] = useState('')
  const isPaid = verb === 'markPaid'
  return (
    <Act
      label={t(isPaid ? 'operator.merchant_payouts.paid' : 'operator.merchant_payouts.failed')}
      of={`${day} ${moneyText(amount, currency)}`}
      text={
        isPaid
          ? t('operator.merchant_payouts.paid_text', { amount: moneyText(amount, currency) })
          : t('operator.merchant_payouts.failed_text')
      }
      act={(key) => {
        const [body, options] = [{ reference }, { idempotencyKey: key }]
        const { operator } = issuing
        return answered(
          isPaid
            ? operator.markPayoutPaid(id, body, options)
            : operator.markPayoutFailed(id, body, options),
        )
      }}
      isDangerous={!isPaid}
    >
      <TextInput
        path="reference"
        label={t(
          isPaid ? 'operator.merchant_payouts.transfer' : 'operator.merchant_payouts.reason',
        )}
        required
        withAsterisk={false}
        maxLength={200}
        value={reference}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
    </Act>
  )
}
