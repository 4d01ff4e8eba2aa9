import { IconListSearch } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useHasTenant } from '../../api/session.ts'
import type { AuditRecord } from '../../api/types.ts'
import { periodOf } from '../../parts/days.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { FilterDay, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import styles from './audit_log.module.css'
import { RecordDetails } from './record_details.tsx'
import { Verification } from './verification.tsx'

const NAMES = ['operation', 'object_id', 'actor_id', 'first', 'last'] as const
type Filter = (typeof NAMES)[number]

const CSV: readonly CsvColumn<AuditRecord>[] = [
  ['sequence', ({ sequence }) => sequence],
  ['created', ({ created }) => created],
  ['operation', ({ operation }) => operation],
  ['actor_kind', ({ actor }) => actor.kind],
  ['actor_id', ({ actor }) => actor.id],
  ['object_ids', ({ object_ids }) => object_ids.join(' ')],
  ['status', ({ status }) => status],
  ['request_id', ({ request_id }) => request_id],
  ['hash', ({ hash }) => hash],
]

type Read = Partial<Record<Filter, string>>

/** Records of the tenant, or of all tenants and the operator if no tenant is chosen. */
function readRecords(values: Read, after: string | undefined, isOfTenant: boolean) {
  const { first, last, ...rest } = values
  const query = { ...rest, ...periodOf(first, last), ...(after !== undefined && { after }) }
  if (isOfTenant) return answered(issuing.auditRecords.list(query))
  return answered(issuing.operator.listAuditRecords(query))
}

/** Every change that a request has made, with who made it. */
export function AuditLog() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const hasTenant = useHasTenant()
  const read = (after: string | undefined) => readRecords(values, after, hasTenant)
  const text = (name: Filter, placeholder?: string) => (
    <FilterText
      label={t(`audit.filters.${name}`)}
      value={values[name]}
      onChange={(value) => set(name, value)}
      {...(placeholder !== undefined && { placeholder })}
    />
  )
  const day = (name: Filter) => (
    <FilterDay
      label={t(`audit.filters.${name}`)}
      value={values[name]}
      onChange={(value) => set(name, value)}
    />
  )
  return (
    <Page
      name="audit_log"
      lead={hasTenant ? t('audit.lead') : t('operator.audit_lead')}
      actions={<ExportCsv name="audit_log" columns={CSV} read={read} />}
    >
      <Panel title={t('audit.all')} flush>
        <Filters>
          {text('operation', 'createCard')}
          {text('object_id')}
          {text('actor_id')}
          {day('first')}
          {day('last')}
        </Filters>
        <Paged
          label={t('pages.audit_log')}
          queryKey={['audit', 'list', values, hasTenant]}
          read={read}
          columns={useRecordColumns()}
          expected={10}
          filters={values}
          empty={
            <Empty icon={IconListSearch} title={t('audit.none')} text={t('audit.none_text')} />
          }
        />
      </Panel>
      <Verification />
    </Page>
  )
}

function useRecordColumns(): Column<AuditRecord>[] {
  const { t } = useTranslation()
  return [
    { title: t('audit.operation'), cell: ({ operation }) => <Code>{operation}</Code> },
    {
      title: t('audit.actor'),
      cell: ({ actor }) => (
        <span className={styles['actor']}>
          {t(`history.actors.${actor.kind}`)} <Code>{actor.id.slice(-12)}</Code>
        </span>
      ),
    },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    { title: t('fields.status'), cell: ({ status }) => <Code>{String(status)}</Code> },
    {
      title: t('audit.details'),
      cell: (record) => <RecordDetails record={record} />,
      isAction: true,
    },
  ]
}
