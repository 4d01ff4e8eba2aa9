import { IconListDetails } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, AccountEntry, ListPage } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import type { Column } from '../../parts/listing.tsx'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, When } from '../../parts/values.tsx'
import { Statement } from './statement.tsx'

async function readEntries(id: string, after: string | undefined) {
  const query = after === undefined ? {} : { after }
  // The answer is a page unless CSV is asked for.
  return (await answered(issuing.accounts.listEntries(id, query))) as ListPage<AccountEntry>
}

/** The entries posted to the account, newest first, with the balance after each. */
export function Entries({ account: { id } }: { account: Account }) {
  const { t } = useTranslation()
  const columns: Column<AccountEntry>[] = [
    { title: t('accounts.entry'), cell: (entry) => <EntryName entry={entry} /> },
    { title: t('fields.type'), cell: ({ type }) => t(`accounts.types.${type}`) },
    { title: t('fields.created'), cell: ({ created }) => <When at={created} /> },
    {
      title: t('fields.amount'),
      isFigure: true,
      cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
    },
    {
      title: t('accounts.balance_after'),
      isFigure: true,
      cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
    },
  ]
  return (
    <Panel title={t('accounts.entries')} actions={<Statement id={id} />} flush>
      <Paged
        label={t('accounts.entries')}
        queryKey={['entries', id]}
        read={(after) => readEntries(id, after)}
        columns={columns}
        empty={
          <Empty
            isSmall
            icon={IconListDetails}
            title={t('accounts.no_entries')}
            text={t('accounts.no_entries_text')}
          />
        }
      />
    </Panel>
  )
}

function EntryName({ entry }: { entry: AccountEntry }) {
  const { t } = useTranslation()
  const { transaction_id, merchant, notes, type } = entry
  const name = <bdi>{merchant?.name ?? notes ?? t(`accounts.types.${type}`)}</bdi>
  if (transaction_id === undefined) return name
  return <ObjectLink to={`/transactions/${transaction_id}`}>{name}</ObjectLink>
}
