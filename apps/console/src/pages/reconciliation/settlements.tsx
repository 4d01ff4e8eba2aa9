import { IconFileInvoice } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { SettlementSummary } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Day, Status, When } from '../../parts/values.tsx'
import { ReconciliationTabs } from './reconciliation_tabs.tsx'
import { SumsOf } from './settlement_sums.tsx'

function readSettlements(after: string | undefined) {
  const query = after === undefined ? {} : { after }
  return answered(issuing.operator.listSettlements(query))
}

/** The settlement files of acquirers that `bezant settlement import` has compared (D-765). */
export function Settlements() {
  const { t } = useTranslation()
  return (
    <Page name="settlements" lead={t('operator.settlements.lead')}>
      <ReconciliationTabs present="settlements" />
      <Panel title={t('operator.settlements.all')} flush>
        <Paged
          label={t('pages.settlements')}
          queryKey={['settlements', 'list']}
          read={readSettlements}
          columns={useSettlementColumns()}
          to={({ id }) => `/settlements/${id}`}
          empty={
            <Empty
              icon={IconFileInvoice}
              title={t('operator.settlements.none')}
              text={t('operator.settlements.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function useSettlementColumns(): Column<SettlementSummary>[] {
  const { t } = useTranslation()
  return [
    { title: t('operator.settlements.day'), cell: ({ date }) => <Day at={date} /> },
    {
      title: t('operator.settlements.acquirer'),
      cell: ({ acquirer_id }) => <Code>{acquirer_id}</Code>,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('operator.settlements.findings'),
      isFigure: true,
      cell: ({ findings_count }) => countText(findings_count),
    },
    {
      title: t('operator.reconciliation.captures'),
      isFigure: true,
      cell: ({ sums }) => <SumsOf sums={sums} type="CAPTURE" />,
    },
    {
      title: t('operator.reconciliation.refunds'),
      isFigure: true,
      cell: ({ sums }) => <SumsOf sums={sums} type="REFUND" />,
    },
    { title: t('operator.settlements.imported'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('operator.settlements.books'),
      cell: ({ date }) => (
        <ObjectLink to={`/reconciliation?date=${date}`}>
          {t('operator.settlements.reconcile')}
        </ObjectLink>
      ),
    },
  ]
}
