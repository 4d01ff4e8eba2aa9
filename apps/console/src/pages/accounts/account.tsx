import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { CardLink } from '../../parts/issuing/card_link.tsx'
import { UserLink } from '../../parts/issuing/user_link.tsx'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, When } from '../../parts/values.tsx'
import { AccountActions } from './account_actions.tsx'
import styles from './accounts.module.css'
import { Charges } from './charges.tsx'
import { Entries } from './entries.tsx'
import { AccountLimits } from './limits.tsx'

const readAccount = (id: string) => answered(issuing.accounts.get(id))

/** One account: its balances, the entries behind them, and its actions. */
export function AccountPage() {
  return (
    <ObjectPage name="accounts" read={readAccount}>
      {(account) => <Loaded key={account.id} account={account} />}
    </ObjectPage>
  )
}

function Loaded({ account }: { account: Account }) {
  const { t } = useTranslation()
  return (
    <Page
      name="accounts"
      title={t('accounts.one', { currency: account.currency })}
      status={account.status}
      lead={<Code>{account.id}</Code>}
      actions={<AccountActions account={account} />}
    >
      <Columns side={<Balances account={account} />} facts={<AccountFacts account={account} />}>
        <Entries account={account} />
        <Charges account={account} />
        <AccountLimits account={account} />
        <History of={account.id} />
      </Columns>
    </Page>
  )
}

function Balances({ account }: { account: Account }) {
  const { t } = useTranslation()
  const { available_balance, balance, held_amount, currency } = account
  return (
    <Panel title={t('accounts.balances')}>
      <dl className={styles['balances']}>
        <div data-main>
          <dt>{t('fields.available')}</dt>
          <dd>
            <Money amount={available_balance} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t('fields.balance')}</dt>
          <dd>
            <Money amount={balance} currency={currency} />
          </dd>
        </div>
        <div>
          <dt>{t('fields.held')}</dt>
          <dd>
            <Money amount={held_amount} currency={currency} />
          </dd>
        </div>
      </dl>
    </Panel>
  )
}

function AccountFacts({ account }: { account: Account }) {
  const { t } = useTranslation()
  const { user_id, card_ids, created, modified } = account
  return (
    <Panel title={t('accounts.facts')}>
      <Facts
        rows={[
          [t('fields.user'), user_id ? <UserLink key="user" id={user_id} /> : t('none')],
          [t('pages.cards'), <CardLinks key="cards" ids={card_ids} />],
          [t('fields.created'), <When key="created" at={created} />],
          [t('fields.modified'), <When key="modified" at={modified} />],
        ]}
      />
    </Panel>
  )
}

function CardLinks({ ids }: { ids: readonly string[] }) {
  const { t } = useTranslation()
  if (ids.length === 0) return t('none')
  return (
    <ul className={styles['links']}>
      {ids.map((id) => (
        <li key={id}>
          <CardLink id={id} />
        </li>
      ))}
    </ul>
  )
}
