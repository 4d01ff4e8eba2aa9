/** The shop's disputes, and one of them. */

import { IconCircleCheck, IconFileText, IconGavel } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShopDispute } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { Facts } from '../../parts/facts.tsx'
import { FilterSelect, Filters, FilterText, useFilters } from '../../parts/filters.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import { reasonOf } from '../disputes/reason.ts'
import { explainNoShop } from '../orders/no_shop.tsx'
import { PayoutsTabs } from '../payouts/payouts_tabs.tsx'
import { AcceptDispute, EVIDENCE, SendEvidence } from './answer.tsx'
import { type Row, readDispute, readDisputes, STATUSES } from './data.ts'
import { ShopFiles } from './files.tsx'

const NAMES = ['status', 'reference'] as const
const PATH = '/payouts/disputes'

const CSV: readonly CsvColumn<Row>[] = [
  ['dispute_id', ({ dispute_id }) => dispute_id],
  ['reference', ({ reference }) => reference],
  ['status', ({ status }) => status],
  ['reason', ({ reason }) => reason],
  ['reason_code', ({ reason_code }) => reason_code],
  ['amount', ({ amount }) => amount],
  ['returned', ({ returned }) => returned],
  ['fee', ({ fee }) => fee],
  ['currency', ({ currency }) => currency],
  ['respond_by', ({ respond_by }) => respond_by],
  ['created_at', ({ created_at }) => created_at],
]

/** The disputes of the shop: those that it has to answer by their deadline, and all of them. */
export function ShopDisputes() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useColumns()
  const read = (after: string | undefined) => {
    const status = STATUSES.find((one) => one === values.status)
    const { reference } = values
    return readDisputes({
      ...(status && { status }),
      ...(reference !== undefined && { reference }),
      ...(after !== undefined && { after }),
    })
  }
  return (
    <Page
      name="disputes"
      lead={t('disputes.shop.lead')}
      actions={<ExportCsv name="shop-disputes" columns={CSV} read={read} />}
    >
      <PayoutsTabs present="disputes" />
      <Queue />
      <Panel title={t('disputes.shop.all')} flush>
        <Filters>
          <FilterText
            maxLength={200}
            label={t('orders.reference')}
            value={values.reference}
            onChange={(value) => set('reference', value)}
          />
          <FilterSelect
            all={t('filters.all')}
            data={STATUSES}
            label={t('fields.status')}
            value={values.status}
            onChange={(value) => set('status', value)}
          />
        </Filters>
        <Paged
          label={t('disputes.shop.all')}
          queryKey={['shop_disputes', 'list', values]}
          read={read}
          columns={columns}
          to={({ id }) => `${PATH}/${id}`}
          explain={explainNoShop}
          filters={values}
          empty={
            <Empty
              icon={IconGavel}
              title={t('disputes.shop.none')}
              text={t('disputes.shop.none_text')}
            />
          }
        />
      </Panel>
    </Page>
  )
}

function Queue() {
  const { t } = useTranslation()
  return (
    <Panel title={t('disputes.shop.queue')} flush>
      <Paged
        label={t('disputes.shop.queue')}
        queryKey={['shop_disputes', 'queue']}
        read={(after) =>
          readDisputes({ sort_by: 'respond_by', ...(after !== undefined && { after }) })
        }
        columns={useColumns()}
        to={({ id }) => `${PATH}/${id}`}
        expected={2}
        explain={explainNoShop}
        empty={
          <Empty
            isSmall
            icon={IconCircleCheck}
            title={t('disputes.shop.queue_none')}
            text={t('disputes.shop.queue_none_text')}
          />
        }
      />
    </Panel>
  )
}

/** The words of the network, where they are none of the reasons that the console knows. */
function useReasonText(): (reason: string) => string {
  const { t } = useTranslation()
  return (reason) => {
    const known = reasonOf(reason)
    return known ? t(`disputes.reasons.${known}`) : reason
  }
}

function useColumns(): Column<Row>[] {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  return [
    { title: t('orders.reference'), cell: ({ reference }) => <Code>{reference}</Code> },
    { title: t('disputes.reason'), cell: ({ reason }) => <bdi>{reasonText(reason)}</bdi> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('disputes.deadline'),
      cell: ({ respond_by }) => respond_by && <When at={respond_by} />,
    },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={Number(amount)} currency={currency} />,
    },
  ]
}

/** One dispute of the shop, with its evidence and the answers that are left to it. */
export function ShopDisputePage() {
  return (
    <ObjectPage name="disputes" read={readDispute}>
      {(dispute) => <Loaded key={dispute.dispute_id} dispute={dispute} />}
    </ObjectPage>
  )
}

type OfDispute = { dispute: ShopDispute }

function Loaded({ dispute }: OfDispute) {
  const { t } = useTranslation()
  const reasonText = useReasonText()
  const { amount, currency, status, reason } = dispute
  return (
    <Page
      name="disputes"
      title={
        <>
          <Money amount={Number(amount)} currency={currency} />
          <bdi>{reasonText(reason)}</bdi>
        </>
      }
      status={status}
      lead={t(`disputes.shop.explain.${status}`)}
      actions={
        <>
          <SendEvidence dispute={dispute} />
          <AcceptDispute dispute={dispute} />
        </>
      }
    >
      <Columns facts={<DisputeFacts dispute={dispute} />}>
        <Sent dispute={dispute} />
        <ShopFiles dispute={dispute} />
      </Columns>
    </Page>
  )
}

function DisputeFacts({ dispute }: OfDispute) {
  const { t } = useTranslation()
  const { dispute_id, reference, currency, respond_by, returned, reason_code } = dispute
  const money = (amount: string) => (
    <Money key="money" amount={Number(amount)} currency={currency} />
  )
  return (
    <Panel title={t('transactions.details')}>
      <Facts
        rows={[
          [t('disputes.deadline'), respond_by && <When key="deadline" at={respond_by} />],
          [
            t('disputes.shop.order'),
            <ObjectLink key="order" to={`/orders/${encodeURIComponent(reference)}`}>
              <Code>{reference}</Code>
            </ObjectLink>,
          ],
          [t('disputes.shop.taken'), money(dispute.amount)],
          [t('disputes.shop.returned'), returned === undefined ? undefined : money(returned)],
          [t('payouts.fee'), money(dispute.fee)],
          [t('disputes.scheme'), reason_code && <Code key="code">{reason_code}</Code>],
          [t('fields.created'), <When key="created" at={dispute.created_at} />],
          [t('fields.modified'), <When key="modified" at={dispute.updated_at} />],
          [t('fields.id'), <Code key="id">{dispute_id}</Code>],
        ]}
      />
    </Panel>
  )
}

function Sent({ dispute: { evidence } }: OfDispute) {
  const { t } = useTranslation()
  const texts = EVIDENCE.filter((name) => evidence[name] !== undefined).map(
    (name): [string, ReactNode] => [
      t(`disputes.shop.evidence_names.${name}`),
      <bdi key={name}>{evidence[name]}</bdi>,
    ],
  )
  return (
    <Panel title={t('disputes.evidence')}>
      {texts.length > 0 && <Facts isWide rows={texts} />}
      {texts.length === 0 && (
        <Empty
          isSmall
          icon={IconFileText}
          title={t('disputes.no_evidence')}
          text={t('disputes.shop.no_evidence_text')}
        />
      )}
    </Panel>
  )
}
