import { IconGhost } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ShadowReport } from '../../api/types.ts'
import { Bars } from '../../parts/chart/bars.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { FilterDay, Filters, useFilters } from '../../parts/filters.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money } from '../../parts/values.tsx'
import { Waiting } from '../../parts/waiting.tsx'
import styles from './controls.module.css'
import { type Control, KINDS, type KindName } from './kinds.ts'

/** Payments that a control in shadow would have declined. */
export function Shadow({ kind, control }: { kind: KindName; control: Control }) {
  const { t } = useTranslation()
  const { values, set } = useFilters(['from', 'to'])
  const { data, error, refetch } = useQuery({
    queryKey: ['controls', kind, control.id, 'shadow', values],
    queryFn: () => KINDS[kind].shadow(control.id, values),
  })
  return (
    <Panel title={t('controls.report')} flush>
      <Filters>
        <FilterDay
          label={t('audit.filters.first')}
          value={values.from}
          onChange={(value) => set('from', value)}
        />
        <FilterDay
          label={t('audit.filters.last')}
          value={values.to}
          onChange={(value) => set('to', value)}
        />
      </Filters>
      <div className={styles['report']}>
        {error && <Failing error={error} retry={refetch} />}
        {!data && !error && <Waiting height={220} />}
        {data && data.codes.length === 0 && (
          <Empty
            icon={IconGhost}
            title={t('controls.nothing')}
            text={
              control.mode === 'SHADOW' ? t('controls.nothing_text') : t('controls.not_in_shadow')
            }
          />
        )}
        {data && data.codes.length > 0 && <Report report={data} />}
      </div>
    </Panel>
  )
}

function Report({ report }: { report: ShadowReport }) {
  const { t } = useTranslation()
  const days = new Map<string, number>()
  for (const { day, number } of report.days) days.set(day, (days.get(day) ?? 0) + number)
  return (
    <>
      <Bars
        label={t('controls.report')}
        points={[...days].map(([at, number]) => ({ at, number }))}
        series={[{ name: 'number', label: t('controls.would_decline'), tone: 'bad' }]}
      />
      <Codes report={report} />
      <Examples
        label={t('controls.cases')}
        ids={report.examples.map((one) => one.transaction_id)}
      />
    </>
  )
}

type CodeRow = ShadowReport['codes'][number] & { id: string }

function Codes({ report: { codes } }: { report: ShadowReport }) {
  const { t } = useTranslation()
  const columns: Column<CodeRow>[] = [
    { title: t('fields.status_code'), cell: ({ status_code }) => <Code>{status_code}</Code> },
    { title: t('controls.reason'), cell: (row) => <bdi>{row.status_description}</bdi> },
    { title: t('controls.number'), isFigure: true, cell: ({ number }) => String(number) },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
  ]
  const rows = codes.map((row) => ({ ...row, id: `${row.status_code}${row.currency}` }))
  return <Listing label={t('controls.would_decline')} columns={columns} rows={rows} empty={null} />
}

/** Links to transactions. */
export function Examples({ label, ids }: { label: string; ids: readonly string[] }) {
  if (ids.length === 0) return null
  return (
    <div className={styles['examples']}>
      <strong>{label}</strong>
      <ul aria-label={label}>
        {ids.map((id) => (
          <li key={id}>
            <ObjectLink to={`/transactions/${id}`}>
              <Code>{id}</Code>
            </ObjectLink>
          </li>
        ))}
      </ul>
    </div>
  )
}
