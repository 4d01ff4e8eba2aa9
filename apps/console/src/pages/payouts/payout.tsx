import { useTranslation } from 'react-i18next'
import { answered, merchant } from '../../api/client.ts'
import type { Payout } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Day, Money, When } from '../../parts/values.tsx'
import { readOperations, useOperationColumns } from '../orders/operations.tsx'
import styles from '../orders/orders.module.css'

const readPayout = (id: string) => answered(merchant.payouts.get(id))

/** One payout, with the captures and refunds that it is made of. */
export function PayoutPage() {
  return (
    <ObjectPage name="payouts" read={readPayout}>
      {(payout) => <Loaded key={payout.payout_id} payout={payout} />}
    </ObjectPage>
  )
}

type OfPayout = { payout: Payout }

function Loaded({ payout }: OfPayout) {
  const { t } = useTranslation()
  const { payout_id, day, currency, status } = payout
  return (
    <Page
      name="payouts"
      title={
        <span>
          <Day at={day} /> <bdi>{currency}</bdi>
        </span>
      }
      status={status}
      lead={t(`payouts.explain.${status}`)}
    >
      <Columns side={<Sums payout={payout} />} facts={<PayoutFacts payout={payout} />}>
        <Parts kind="captures" payout_id={payout_id} />
        <Parts kind="refunds" payout_id={payout_id} />
      </Columns>
    </Page>
  )
}

function Sums({ payout }: OfPayout) {
  const { t } = useTranslation()
  const { currency, captured, refunded, charged_back, fees, carried, amount } = payout
  const rows = [
    [t('payouts.captured'), Number(captured)],
    [t('payouts.refunded'), -Number(refunded)],
    ...(charged_back === undefined
      ? []
      : [[t('payouts.charged_back'), -Number(charged_back)] as const]),
    [t('payouts.fees'), -Number(fees)],
    [t('payouts.carried'), Number(carried)],
  ] as const
  return (
    <Panel title={t('payouts.sums')}>
      <div className={styles['sums']}>
        <strong className={styles['total']}>
          <Money amount={Number(amount)} currency={currency} />
        </strong>
        <dl>
          {rows.map(([name, sum]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {/* A zero has no sign. */}
                <Money amount={sum === 0 ? 0 : sum} currency={currency} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </Panel>
  )
}

function PayoutFacts({ payout }: OfPayout) {
  const { t } = useTranslation()
  const { payout_id, number, reference, created_at, updated_at } = payout
  return (
    <Panel title={t('payouts.facts')}>
      <Facts
        rows={[
          [t('fields.id'), <Code key="id">{payout_id}</Code>],
          [t('payouts.number'), <Code key="number">{String(number)}</Code>],
          [t('payouts.reference'), reference ? <bdi key="reference">{reference}</bdi> : undefined],
          [t('fields.created'), <When key="created" at={created_at} />],
          [t('fields.modified'), <When key="modified" at={updated_at} />],
        ]}
      />
    </Panel>
  )
}

function Parts({ kind, payout_id }: { kind: 'captures' | 'refunds'; payout_id: string }) {
  const { t } = useTranslation()
  const columns = useOperationColumns().filter(({ title }) => title !== t('fields.status'))
  return (
    <Panel title={t(`payouts.${kind}`)} flush>
      <Paged
        label={t(`payouts.${kind}`)}
        queryKey={['payouts', payout_id, kind]}
        read={(after) => readOperations(kind, { payout_id }, after)}
        columns={columns}
        to={({ reference }) => `/orders/${encodeURIComponent(reference)}`}
        expected={2}
        empty={<p className={styles['none']}>{t('payouts.no_parts')}</p>}
      />
    </Panel>
  )
}
