import { IconWallet } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { type CsvColumn, ExportCsv } from '../../parts/export_csv.tsx'
import { Filters, FilterText, type FilterValues, useFilters } from '../../parts/filters.tsx'
import { UserField, userNames } from '../../parts/issuing/user_field.tsx'
import type { Column } from '../../parts/listing.tsx'
import { Page } from '../../parts/page.tsx'
import { Paged } from '../../parts/paged.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status } from '../../parts/values.tsx'

const NAMES = ['user_id', 'card_id'] as const

/** Names until they have arrived. */
const NO_NAMES: ReadonlyMap<string, string> = new Map()

const CSV: readonly CsvColumn<Account>[] = [
  ['id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['currency', ({ currency }) => currency],
  ['balance', ({ balance }) => balance],
  ['held_amount', ({ held_amount }) => held_amount],
  ['available_balance', ({ available_balance }) => available_balance],
  ['user_id', ({ user_id }) => user_id],
  ['card_ids', ({ card_ids }) => card_ids.join(' ')],
  ['created', ({ created }) => created],
]

function readAccounts(values: FilterValues<(typeof NAMES)[number]>, after: string | undefined) {
  const query = { ...values, ...(after !== undefined && { after }) }
  return answered(issuing.accounts.list(query))
}

/** Every account of the program, with what it has. */
export function Accounts() {
  const { t } = useTranslation()
  const { values, set } = useFilters(NAMES)
  const columns = useAccountColumns()
  const read = (after: string | undefined) => readAccounts(values, after)
  return (
    <Page
      name="accounts"
      lead={t('accounts.lead')}
      actions={<ExportCsv name="accounts" columns={CSV} read={read} />}
    >
      <Panel title={t('accounts.all')} flush>
        <Filters>
          <UserField
            label={t('fields.user')}
            placeholder={t('filters.all')}
            value={values.user_id ?? ''}
            onChange={(value) => set('user_id', value)}
          />
          <FilterText
            label={t('accounts.card_id')}
            value={values.card_id}
            onChange={(value) => set('card_id', value)}
          />
        </Filters>
        <Paged
          label={t('pages.accounts')}
          queryKey={['accounts', 'list', values]}
          read={read}
          columns={columns}
          to={({ id }) => `/accounts/${id}`}
          expected={10}
          filters={values}
          empty={
            <Empty icon={IconWallet} title={t('accounts.none')} text={t('accounts.none_text')} />
          }
        />
      </Panel>
    </Page>
  )
}

type Figure = 'balance' | 'held_amount' | 'available_balance'

function useAccountColumns(): Column<Account>[] {
  const { t } = useTranslation()
  const { data: names = NO_NAMES } = useQuery(userNames)
  const figure = (title: string, name: Figure): Column<Account> => ({
    title,
    isFigure: true,
    cell: (account) => <Money amount={account[name]} currency={account.currency} />,
  })
  return [
    { title: t('fields.account'), cell: ({ id }) => <Code>{id}</Code> },
    {
      title: t('fields.user'),
      cell: ({ user_id }) => <bdi>{user_id ? (names.get(user_id) ?? '…') : '—'}</bdi>,
    },
    { title: t('fields.status'), cell: ({ status }) => <Status>{status}</Status> },
    figure(t('fields.balance'), 'balance'),
    figure(t('fields.held'), 'held_amount'),
    figure(t('fields.available'), 'available_balance'),
  ]
}
