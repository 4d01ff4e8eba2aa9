import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Transaction } from '../../api/types.ts'
import { Checks } from '../../parts/checks.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Failing } from '../../parts/failing.tsx'
import { UserLink } from '../../parts/issuing/user_link.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Timeline } from '../../parts/timeline.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import styles from './transactions.module.css'

const readTransaction = (id: string) =>
  answered(issuing.GET('/transactions/{id}', { params: { path: { id } } }))

/** One transaction: the decision with its path, and what has happened to it since. */
export function TransactionPage() {
  return (
    <ObjectPage name="transactions" read={readTransaction}>
      {(transaction) => <Loaded key={transaction.id} transaction={transaction} />}
    </ObjectPage>
  )
}

function Loaded({ transaction }: { transaction: Transaction }) {
  const { amount, currency, status, merchant, transaction_type } = transaction
  return (
    <Page
      name="transactions"
      title={
        <span className={styles['title']}>
          <Money amount={amount} currency={currency} />
          <bdi>{merchant.name ?? merchant.id ?? transaction_type}</bdi>
          <Status>{status}</Status>
        </span>
      }
      lead={<Code>{transaction.id}</Code>}
    >
      <Columns facts={<TransactionFacts transaction={transaction} />}>
        <Path transaction={transaction} />
        <Life transaction={transaction} />
      </Columns>
    </Page>
  )
}

/** Why it was approved or declined, check by check. */
function Path({
  transaction: { id, status_code, status_description },
}: {
  transaction: Transaction
}) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', id, 'trace'],
    queryFn: () => answered(issuing.GET('/transactions/{id}/trace', { params: { path: { id } } })),
  })
  return (
    <Panel title={t('transactions.path')}>
      <p className={styles['verdict']}>
        <Code>{status_code}</Code> <bdi>{status_description}</bdi>
      </p>
      {error && <Failing error={error} retry={refetch} />}
      {!data && !error && <Skeleton height={48} role="status" aria-label={t('states.loading')} />}
      {data && <Checks checks={data.checks} />}
    </Panel>
  )
}

function Life({ transaction: { events, currency } }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const moments = events
    .map(({ type, created, amount, status_code, message_type }, at) => ({
      id: String(at),
      at: created,
      title: <Code>{type}</Code>,
      text: (
        <>
          <Money amount={amount} currency={currency} />
          {' · '}
          <Code>{[message_type, status_code].filter(Boolean).join(' · ')}</Code>
        </>
      ),
    }))
    .toReversed()
  return (
    <Panel title={t('transactions.history')}>
      <Timeline label={t('transactions.history')} moments={moments} />
    </Panel>
  )
}

function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { card_id, account_id, user_id, billing_amount, billing_currency, merchant } = transaction
  const { cleared_amount, refunded_amount, currency, hold_expires, approval_code } = transaction
  const money = (amount: number | undefined, of = currency) =>
    amount !== undefined && of !== undefined && <Money amount={amount} currency={of} />
  const code = (value: string | undefined) => value && <Code>{value}</Code>
  const object = (path: string, id: string | undefined) =>
    id && (
      <ObjectLink to={`/${path}/${id}`}>
        <Code>{id}</Code>
      </ObjectLink>
    )
  return (
    <Panel title={t('transactions.details')}>
      <Facts
        rows={[
          [t('fields.type'), code(transaction.transaction_type)],
          [t('fields.created'), <When key="created" at={transaction.created} />],
          [t('fields.card'), object('cards', card_id)],
          [t('fields.account'), object('accounts', account_id)],
          [t('fields.user'), user_id && <UserLink key="user" id={user_id} />],
          [t('transactions.billing'), money(billing_amount, billing_currency)],
          [t('transactions.cleared'), money(cleared_amount)],
          [t('transactions.refunded'), money(refunded_amount)],
          [t('transactions.hold_expires'), hold_expires && <When key="hold" at={hold_expires} />],
          [t('transactions.approval_code'), code(approval_code)],
          ['MCC', code(merchant.mcc)],
          ['RRN', code(transaction.rrn)],
          ['STAN', code(transaction.stan)],
        ]}
      />
    </Panel>
  )
}
