import { Button } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Settlement } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Facts } from '../../parts/facts.tsx'
import { type Column, Listing } from '../../parts/listing.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, countText, Day, When } from '../../parts/values.tsx'
import { Amount } from './amount.tsx'
import { ObjectOf } from './object_of.tsx'
import styles from './reconciliation.module.css'
import { SumsOf } from './settlement_sums.tsx'

/** A file without disputes has no line of them. */
const CHARGES = ['CHARGEBACK', 'CHARGEBACK_REVERSAL', 'CHARGEBACK_FEE'] as const

const readSettlement = (id: string) => answered(issuing.operator.getSettlement(id))

/** One settlement file: its contents, and their differences from the issuer's book (D-766). */
export function SettlementPage() {
  return (
    <ObjectPage name="settlements" read={readSettlement}>
      {(settlement) => <Loaded key={settlement.id} settlement={settlement} />}
    </ObjectPage>
  )
}

function Loaded({ settlement }: { settlement: Settlement }) {
  const { t } = useTranslation()
  const { file, status, date, findings_count: all } = settlement
  return (
    <Page
      name="settlements"
      title={<bdi dir="ltr">{file}</bdi>}
      status={status}
      actions={
        <Button component={Link} to={`/reconciliation?date=${date}`} variant="default">
          {t('operator.settlements.reconcile')}
        </Button>
      }
    >
      {all === 0 ? (
        <Notice tone="good" title={t('operator.settlements.agree')} />
      ) : (
        <Notice tone="bad" title={t('operator.settlements.differ', { n: countText(all) })} />
      )}
      <Columns facts={<SettlementFacts settlement={settlement} />}>
        <Findings settlement={settlement} />
      </Columns>
    </Page>
  )
}

/** The first ones: the import has printed all of them. */
function Findings({ settlement }: { settlement: Settlement }) {
  const { t } = useTranslation()
  const { findings, findings_count: all } = settlement
  const title = t('operator.settlements.findings')
  const rows = findings.map((finding, at) => ({ ...finding, id: String(at) }))
  return (
    <Panel title={title} flush>
      <Listing
        label={title}
        rows={rows}
        columns={useFindingColumns()}
        empty={
          <Empty
            icon={IconCircleCheck}
            title={t('operator.settlements.no_findings')}
            text={t('operator.settlements.no_findings_text')}
            isSmall
          />
        }
      />
      {all > rows.length && (
        <p className={styles['more']}>
          {t('operator.settlements.more', { n: countText(all - rows.length) })}
        </p>
      )}
    </Panel>
  )
}

type Finding = Settlement['findings'][number] & { id: string }

function useFindingColumns(): Column<Finding>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('operator.reconciliation.what'),
      cell: ({ kind, type }) => (
        <span className={styles['what']}>
          <strong>{t(`operator.settlements.kinds.${kind}`)}</strong>
          <span>{t(`operator.reconciliation.entries.${type}`)}</span>
        </span>
      ),
    },
    {
      title: t('operator.settlements.in_file'),
      isFigure: true,
      cell: ({ record }) => <SideOf side={record} />,
    },
    {
      title: t('operator.settlements.posted'),
      isFigure: true,
      cell: ({ issuer }) => <SideOf side={issuer} />,
    },
    {
      title: t('operator.settlements.record'),
      cell: ({ record }) => (record ? <Code>{String(record.number)}</Code> : '–'),
    },
    {
      title: t('operator.settlements.payment'),
      cell: ({ rrn, issuer }) => (
        <span className={styles['objects']}>
          {issuer && (
            <ObjectOf tenant_id={issuer.tenant_id} to={`/transactions/${issuer.transaction_id}`}>
              {t('operator.reconciliation.transaction')}
            </ObjectOf>
          )}
          <Code>{rrn}</Code>
        </span>
      ),
    },
  ]
}

function SideOf({ side }: { side: { amount: number; currency: string } | undefined }) {
  const { t } = useTranslation()
  if (!side) return <span className={styles['absent']}>{t('operator.reconciliation.absent')}</span>
  return <Amount amount={side.amount} currency={side.currency} />
}

function SettlementFacts({ settlement }: { settlement: Settlement }) {
  const { t } = useTranslation()
  const { acquirer_id, date, records, sums, over_midnight, sha256, created } = settlement
  return (
    <Panel title={t('operator.settlements.facts')}>
      <Facts
        rows={[
          [t('operator.settlements.acquirer'), <Code key="acquirer">{acquirer_id}</Code>],
          [t('operator.settlements.day'), <Day key="day" at={date} />],
          [t('operator.settlements.records'), countText(records)],
          [
            t('operator.reconciliation.captures'),
            <SumsOf key="captures" sums={sums} type="CAPTURE" />,
          ],
          [
            t('operator.reconciliation.refunds'),
            <SumsOf key="refunds" sums={sums} type="REFUND" />,
          ],
          ...CHARGES.filter((type) => sums.some((sum) => sum.type === type)).map(
            (type): [string, ReactNode] => [
              t(`operator.settlements.charges.${type}`),
              <SumsOf key={type} sums={sums} type={type} />,
            ],
          ),
          [t('operator.settlements.over_midnight'), countText(over_midnight)],
          [t('operator.settlements.imported'), <When key="imported" at={created} />],
          [t('operator.settlements.digest'), <Code key="digest">{sha256}</Code>],
        ]}
      />
    </Panel>
  )
}
