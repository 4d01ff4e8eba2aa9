import { IconWallet } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, Card } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status } from '../../parts/values.tsx'

/** The accounts that the card pays from. */
export function CardAccounts({ card: { id } }: { card: Card }) {
  const { t } = useTranslation()
  const columns: Column<Account>[] = [
    { title: t('fields.account'), cell: (account) => <Code>{account.id}</Code> },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    {
      title: t('fields.available'),
      isFigure: true,
      cell: ({ available_balance, currency }) => (
        <Money amount={available_balance} currency={currency} />
      ),
    },
  ]
  return (
    <Panel title={t('pages.accounts')} flush>
      <Paged
        label={t('pages.accounts')}
        queryKey={['accounts', 'of_card', id]}
        read={(after) => {
          const query = after === undefined ? {} : { after }
          return answered(issuing.accounts.listCardAccounts(id, query))
        }}
        columns={columns}
        to={(account) => `/accounts/${account.id}`}
        expected={1}
        empty={
          <Empty
            isSmall
            icon={IconWallet}
            title={t('cards.no_account')}
            text={t('cards.no_account_text')}
          />
        }
      />
    </Panel>
  )
}
