import { IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { allTenants, tenantChoices } from '../../api/tenants.ts'
import type { Reconciliation } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { FilterDay, FilterSelect, Filters, useFilters } from '../../parts/filters.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import { BooksOfMerchants, BooksPanel } from './books.tsx'
import { DownloadCsv } from './download_csv.tsx'
import { Differences, OpenEntries } from './entries.tsx'
import { FileDifferences, FilesPanel } from './files.tsx'
import { ReconciliationTabs } from './reconciliation_tabs.tsx'

const NAMES = ['date', 'tenant'] as const

/** Today in UTC: the day of a reconciliation is one of it (D-716). */
const today = () => new Date().toISOString().slice(0, 10)

/** A chargeback may be of a day without payments. */
const isEmpty = (report: Reconciliation): boolean => {
  const { payments, disputed_payments = 0, files, file_differences_count } = report
  return payments + disputed_payments + files.length + file_differences_count === 0
}

type Query = { date: string; tenant_id?: string }

async function readReport(query: Query): Promise<Reconciliation> {
  const report = await answered(issuing.operator.getReconciliation(query))
  // The document has CSV too, which comes only if it is asked for.
  if (typeof report === 'string') throw new TypeError('a report as JSON was asked for')
  return report
}

/** Three books of a day, orders, messages of the acquirer and the issuer, and clearing files. */
export function ReconciliationPage() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const { data: tenants } = useQuery(allTenants)
  const { date = today(), tenant } = values
  const query = { date, ...(tenant !== undefined && { tenant_id: tenant }) }
  const { data, error, refetch } = useQuery({
    queryKey: ['reconciliation', query],
    queryFn: () => readReport(query),
  })
  return (
    <Page
      name="reconciliation"
      lead={t('operator.reconciliation.lead')}
      actions={<DownloadCsv query={query} />}
    >
      <ReconciliationTabs present="reconciliation" />
      <Panel title={t('operator.reconciliation.day')} flush>
        <Filters>
          <FilterDay
            label={t('operator.reconciliation.date')}
            value={date}
            onChange={(value) => set('date', value)}
          />
          <FilterSelect
            label={t('operator.tenant')}
            all={t('operator.reconciliation.every')}
            data={tenantChoices(tenants)}
            value={tenant}
            onChange={(value) => set('tenant', value)}
          />
        </Filters>
        {!data && error === null && <Waiting height={240} />}
        {!data && error !== null && <Failing error={error} retry={refetch} />}
        {data && isEmpty(data) && <NothingThatDay />}
        {data && data.payments > 0 && <BooksPanel books={data.books} />}
      </Panel>
      {data && !isEmpty(data) && <Findings report={data} />}
    </Page>
  )
}

function NothingThatDay() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={IconScale}
      title={t('operator.reconciliation.none')}
      text={t('operator.reconciliation.none_text')}
    />
  )
}

function Findings({ report }: { report: Reconciliation }) {
  return (
    <>
      <Verdict report={report} />
      {report.differences_count > 0 && <Differences report={report} />}
      {report.file_differences_count > 0 && <FileDifferences report={report} />}
      {report.open_count > 0 && <OpenEntries report={report} />}
      {report.files.length > 0 && <FilesPanel files={report.files} />}
      {report.merchants.length > 1 && <BooksOfMerchants merchants={report.merchants} />}
    </>
  )
}

/** Whether the books agree, and which were compared. */
function Verdict({ report }: { report: Reconciliation }) {
  const { t } = useTranslation()
  const { status, differences_count, file_differences_count, payments, issuer } = report
  const all = differences_count + file_differences_count
  const compared = t('operator.reconciliation.compared', { n: countText(payments) })
  const text = issuer === 'OWN' ? compared : `${compared} ${t('operator.reconciliation.elsewhere')}`
  return status === 'AGREES' ? (
    <Notice tone="good" title={t('operator.reconciliation.agree')}>
      {text}
    </Notice>
  ) : (
    <Notice tone="bad" title={t('operator.reconciliation.differ', { n: countText(all) })}>
      {text}
    </Notice>
  )
}
