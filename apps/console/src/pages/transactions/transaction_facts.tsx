import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { CardLink } from '../../parts/issuing/card_link.tsx'
import { UserLink } from '../../parts/issuing/user_link.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, When } from '../../parts/values.tsx'
import { useCategory } from './categories.ts'

/** Facts of the transaction, with links to the objects that it belongs to. */
export function TransactionFacts({ transaction }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { card_id, account_id, user_id } = transaction
  const { name } = transaction.merchant
  const { merchant, pos, hold_expires, approval_code, reference_transaction_id } = transaction
  const code = (value: string | undefined) => value && <Code>{value}</Code>
  const object = (path: string, id: string | undefined) =>
    id && (
      <ObjectLink to={`/${path}/${id}`}>
        <Code>{id}</Code>
      </ObjectLink>
    )
  const category = useCategory(merchant.mcc)
  const place = [merchant.city, merchant.country].filter(Boolean).join(', ')
  return (
    <Panel title={t('transactions.details')}>
      <Facts
        rows={[
          [t('fields.type'), code(transaction.transaction_type)],
          [t('fields.created'), <When key="created" at={transaction.created} />],
          [t('transactions.reference'), object('transactions', reference_transaction_id)],
          [t('fields.card'), card_id && <CardLink key="card" id={card_id} />],
          [t('fields.account'), object('accounts', account_id)],
          [t('fields.user'), user_id && <UserLink key="user" id={user_id} />],
          [t('transactions.hold_expires'), hold_expires && <When key="hold" at={hold_expires} />],
          [t('transactions.entry_mode'), t(`payment.entry_modes.${pos.entry_mode}`)],
          [t('payment.terminal'), code(pos.terminal_id)],
          [t('payment.merchant'), name === undefined ? undefined : <bdi key="name">{name}</bdi>],
          [t('payment.merchant_id'), code(merchant.id)],
          [t('payment.category'), category],
          [t('transactions.place'), place ? <bdi key="place">{place}</bdi> : undefined],
          ['MCC', code(merchant.mcc)],
          [t('transactions.approval_code'), code(approval_code)],
          ['RRN', code(transaction.rrn)],
          ['STAN', code(transaction.stan)],
        ]}
      />
    </Panel>
  )
}
