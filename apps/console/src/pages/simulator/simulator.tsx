import { Button, Skeleton } from '@mantine/core'
import { IconCreditCard } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { activeCards } from '../../api/cards.ts'
import { useSession } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failing } from '../../parts/failing.tsx'
import { Page } from '../../parts/page.tsx'
import { DecisionPanel } from './decision.tsx'
import { MessagePanel } from './message.tsx'
import { NextPanel } from './next.tsx'
import { RequestForm } from './request_form.tsx'
import { type Sent, send } from './send.ts'
import styles from './simulator.module.css'

/** Sends what shops send, and shows what the engine decides (D-144). */
export function Simulator() {
  const { t } = useTranslation()
  const { data: cards, error, refetch, isPending } = useQuery(activeCards)
  return (
    <Page name="simulator" lead={t('simulator.lead')}>
      {error && <Failing error={error} retry={refetch} />}
      {isPending && <Skeleton height={480} role="status" aria-label={t('states.loading')} />}
      {cards?.data.length === 0 && <NoCards />}
      {cards && cards.data.length > 0 && <Desk cards={cards.data} />}
    </Page>
  )
}

function NoCards() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={IconCreditCard}
      title={t('simulator.no_cards')}
      text={t('simulator.no_cards_text')}
      action={
        <Button component={Link} to="/first-steps">
          {t('pages.first_steps')}
        </Button>
      }
    />
  )
}

function Desk({ cards }: { cards: readonly Card[] }) {
  const { data: session } = useSession()
  const sending = useMutation({ mutationFn: send })
  const { data: sent, error, isPending, variables } = sending
  const card = cards.find(({ id }) => id === sent?.message.card_id)
  return (
    <div className={styles['desk']}>
      <div className={styles['column']}>
        <RequestForm
          cards={cards}
          currency={session?.tenant?.settings.default_currency ?? 'USD'}
          isSending={isPending && variables?.kind === 'request'}
          onSend={(request) => sending.mutate(request)}
        />
        <Next sent={sent} isSending={isPending} onSend={sending.mutate} />
      </div>
      <div className={styles['column']}>
        <DecisionPanel sent={sent} error={error} />
        <MessagePanel sent={sent} card={card} />
      </div>
    </div>
  )
}

type NextProps = {
  sent: Sent | undefined
  isSending: boolean
  onSend: (message: Parameters<typeof send>[0]) => void
}

/** Only a transaction is followed by other messages: a what-if leaves none. */
function Next({ sent, isSending, onSend }: NextProps) {
  if (sent?.kind !== 'transaction' || sent.message.status === 'DECLINED') return null
  const { message } = sent
  return <NextPanel key={message.id} {...{ transaction: message, isSending, onSend }} />
}
