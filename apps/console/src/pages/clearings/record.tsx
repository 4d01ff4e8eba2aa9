import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { ClearingRecord } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, When } from '../../parts/values.tsx'
import { isElement, readRecord } from './calls.ts'
import { Reason, RecordAmount } from './parts.tsx'
import { Resolve } from './resolve.tsx'

/** One record of a clearing file, field by field. */
export function RecordPage() {
  const params: Readonly<Record<string, unknown>> = useParams({ strict: false })
  const number = String(params['number'])
  return (
    <ObjectPage name="clearings" part={number} read={(id) => readRecord(id, number)}>
      {(record) => <Loaded id={String(params['id'])} record={record} />}
    </ObjectPage>
  )
}

type OfFile = { id: string; record: ClearingRecord }

function Loaded({ id, record }: OfFile) {
  const { t } = useTranslation()
  const { number, state, mti, function_code } = record
  return (
    <Page
      name="clearings"
      title={t('operator.clearings.record', { n: number })}
      status={state}
      lead={<Code>{`${mti} ${function_code}`}</Code>}
      actions={<Resolve id={id} record={record} />}
    >
      <Columns facts={<RecordFacts id={id} record={record} />}>
        <Content record={record} />
      </Columns>
    </Page>
  )
}

/** The number of an element, with its name. */
function Content({ record: { content } }: { record: ClearingRecord }) {
  const { t } = useTranslation()
  const named = (name: string) =>
    isElement(name) ? `${name} · ${t(`operator.clearings.elements.${name}`)}` : name
  return (
    <Panel title={t('operator.clearings.content')}>
      <Facts
        rows={Object.entries(content).map(([name, value]) => [
          named(name),
          <Code key={name}>{value}</Code>,
        ])}
      />
    </Panel>
  )
}

function RecordFacts({ id, record }: OfFile) {
  const { t } = useTranslation()
  const { tenant_id, card_id, transaction_id, dispute_id, booked_amount, booked_currency } = record
  const { resolution, resolved, note, reversed, byte, kind } = record
  const object = (to: string, of: string | undefined) =>
    of && (
      <ObjectLink key={to} to={`${to}/${of}`} tenant={tenant_id}>
        <Code>{of}</Code>
      </ObjectLink>
    )
  return (
    <Panel title={t('operator.clearings.facts')}>
      <Facts
        rows={[
          [t('operator.clearings.kind'), t(`operator.clearings.kinds.${kind}`)],
          [t('fields.amount'), <RecordAmount key="amount" record={record} />],
          [
            t('operator.clearings.booked'),
            booked_amount !== undefined && booked_currency !== undefined ? (
              <Money key="booked" amount={booked_amount} currency={booked_currency} />
            ) : undefined,
          ],
          [
            t('operator.clearings.reason'),
            record.reason && <Reason key="reason" record={record} />,
          ],
          [t('operator.clearings.resolution'), resolution && <Code key="by">{resolution}</Code>],
          [t('operator.clearings.note'), note && <bdi key="note">{note}</bdi>],
          [t('operator.clearings.resolved'), resolved && <When key="resolved" at={resolved} />],
          [t('operator.clearings.reversed'), reversed ? '✓' : undefined],
          [t('fields.card'), object('/cards', card_id)],
          [t('operator.clearings.transaction'), object('/transactions', transaction_id)],
          [t('operator.clearings.dispute'), object('/disputes', dispute_id)],
          [
            t('operator.tenant'),
            <ObjectLink key="tenant" to={`/tenants/${tenant_id}`}>
              <Code>{tenant_id}</Code>
            </ObjectLink>,
          ],
          [
            t('operator.clearings.file'),
            <ObjectLink key="file" to={`/clearings/${id}`}>
              <Code>{id}</Code>
            </ObjectLink>,
          ],
          [t('operator.clearings.byte'), <Code key="byte">{String(byte)}</Code>],
        ]}
      />
    </Panel>
  )
}
