import { IconReceipt } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, Charge } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, Status, When } from '../../parts/values.tsx'

/** Fees that were taken from the account, or wait until it can pay them. */
export function Charges({ account: { id } }: { account: Account }) {
  const { t } = useTranslation()
  const columns: Column<Charge>[] = [
    {
      title: t('accounts.description'),
      cell: ({ description, type }) => (
        <bdi>{description ?? t(`accounts.charge_types.${type}`)}</bdi>
      ),
    },
    { title: t('fields.type'), cell: ({ type }) => t(`accounts.charge_types.${type}`) },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
  return (
    <Panel title={t('accounts.charges')} flush>
      <Paged
        label={t('accounts.charges')}
        queryKey={['charges', id]}
        read={(after) => {
          const query = after === undefined ? {} : { after }
          return answered(issuing.charges.listAccountCharges(id, query))
        }}
        columns={columns}
        expected={2}
        empty={
          <Empty
            isSmall
            icon={IconReceipt}
            title={t('accounts.no_charges')}
            text={t('accounts.no_charges_text')}
          />
        }
      />
    </Panel>
  )
}
