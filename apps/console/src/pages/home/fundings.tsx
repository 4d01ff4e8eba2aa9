import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Listing } from '../../parts/listing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Money } from '../../parts/values.tsx'
import { fundingQuery } from './queries.ts'

/** Every funding of the program; that of one currency is the tile above. */
export function Fundings() {
  const { t } = useTranslation()
  const { data } = useQuery(fundingQuery)
  if (!data || data.data.length < 2) return null
  return (
    <Panel title={t('program.fundings')} flush>
      <Listing
        label={t('program.fundings')}
        rows={data.data.map((funding) => ({ ...funding, id: funding.account_id }))}
        to={() => '/accounts'}
        empty={null}
        columns={[
          { title: t('program.currency'), cell: ({ currency }) => <Code>{currency}</Code> },
          {
            title: t('program.balance'),
            isFigure: true,
            cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
          },
          {
            title: t('program.held'),
            isFigure: true,
            cell: ({ held, currency }) => <Money amount={held} currency={currency} />,
          },
          {
            title: t('program.drawn'),
            isFigure: true,
            cell: ({ drawn, currency }) => <Money amount={drawn} currency={currency} />,
          },
          {
            title: t('program.left'),
            isFigure: true,
            cell: ({ days_left: days }) =>
              days === undefined ? t('none') : t('program.days', { days: countText(days) }),
          },
        ]}
      />
    </Panel>
  )
}
