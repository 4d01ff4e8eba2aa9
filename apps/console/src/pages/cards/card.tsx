import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readCard } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card, Transaction } from '../../api/types.ts'
import { AllowedLists } from '../../parts/issuing/allowed_lists.tsx'
import { shortNumber } from '../../parts/issuing/card_number.ts'
import { declineText } from '../../parts/issuing/decline_words.ts'
import { Columns } from '../../parts/object/columns.tsx'
import { History } from '../../parts/object/history.tsx'
import { ObjectPage } from '../../parts/object/object_page.tsx'
import { Page } from '../../parts/page.tsx'
import { Panel } from '../../parts/panel.tsx'
import { TransactionTable } from '../../parts/transaction_table.tsx'
import { Code } from '../../parts/values.tsx'
import { CardAccounts } from './card_accounts.tsx'
import { Declines } from './declines.tsx'
import { CardFacts } from './facts.tsx'
import { Fulfillment } from './fulfillment.tsx'
import { Lineage } from './lineage.tsx'
import { LinkUser } from './link_user.tsx'
import { isMigrating } from './moves.ts'
import { Picture } from './picture.tsx'
import { SpendingLimits } from './spending_limits.tsx'
import { CardActions } from './status.tsx'
import { StopOrders } from './stop_orders.tsx'
import { Switches } from './switches.tsx'
import { Tokens } from './tokens.tsx'
import { Widgets } from './widgets.tsx'

const RECENT = 10

/** One card, and everything that may be done with it. */
export function CardPage() {
  return (
    <ObjectPage name="cards" read={readCard}>
      {(card) => <Loaded key={card.id} card={card} />}
    </ObjectPage>
  )
}

function Loaded({ card }: { card: Card }) {
  const { t } = useTranslation()
  return (
    <Page
      name="cards"
      title={<Code>{shortNumber(card.masked_card_number)}</Code>}
      status={card.status}
      lead={t('cards.one_lead')}
      actions={
        <>
          <LinkUser card={card} />
          <CardActions card={card} />
        </>
      }
    >
      <Columns
        side={
          <>
            <Picture card={card} />
            <Widgets card={card} />
          </>
        }
        facts={<CardFacts card={card} />}
      >
        <Lineage card={card} />
        <Fulfillment card={card} />
        <SpendingLimits card={card} />
        <CardTransactions card={card} />
        <Declines card={card} />
        <Switches card={card} />
        <CardAccounts card={card} />
        <CardLists card={card} />
        <StopOrders card={card} />
        <Tokens card={card} />
        <History of={card.id} />
      </Columns>
    </Page>
  )
}

function CardLists({ card }: { card: Card }) {
  const may = useMay()
  const isFixed = !may('updateCard') || card.status === 'TERMINATED' || isMigrating(card)
  return (
    <AllowedLists
      ids={card}
      read={() => readCard(card.id)}
      save={
        isFixed ? undefined : (body, match) => answered(issuing.cards.update(card.id, body, match))
      }
    />
  )
}

function CardTransactions({ card: { id: card_id } }: { card: Card }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['transactions', 'of_card', card_id],
    queryFn: () => {
      const query = { card_id, limit: RECENT }
      return answered(issuing.transactions.list(query))
    },
  })
  const whyOf = (declined: Transaction) => declineText(t, declined)
  return (
    <Panel title={t('pages.transactions')} flush>
      <TransactionTable rows={data?.data} error={error} retry={refetch} whyOf={whyOf} />
    </Panel>
  )
}
