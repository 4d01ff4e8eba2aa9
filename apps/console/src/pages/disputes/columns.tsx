import { useTranslation } from 'react-i18next'
import type { Dispute } from '../../api/types.ts'
import type { Column } from '../../parts/listing.tsx'
import { Money, Status, When } from '../../parts/values.tsx'

export function useDisputeColumns(): Column<Dispute>[] {
  const { t } = useTranslation()
  return [
    { title: t('disputes.reason'), cell: ({ reason }) => t(`disputes.reasons.${reason}`) },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    { title: t('disputes.deadline'), cell: ({ deadline }) => deadline && <When at={deadline} /> },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
}
