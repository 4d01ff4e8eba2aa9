import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import { useCurrency } from '../../api/session.ts'
import { useFilters } from '../../parts/filters.tsx'
import { Caused } from '../../parts/hooks/caused.tsx'
import { useAction } from '../../parts/use_action.ts'
import { Balances } from './balances.tsx'
import type { CardChoice } from './cards.ts'
import { DecisionPanel } from './decision.tsx'
import { KeptList } from './kept_list.tsx'
import { MessagePanel } from './message.tsx'
import { NextPanel } from './next.tsx'
import { RequestForm } from './request_form.tsx'
import { type Exchange, type Outgoing, send } from './send.ts'
import { SentList } from './sent_list.tsx'
import { SHARED, sharedOf, typedOf, useKept } from './shared.ts'
import { Sight } from './sight.tsx'
import styles from './simulator.module.css'
import { faultsAtFields, type Typed } from './typed.ts'
import { useRequest } from './use_request.ts'

/** How many messages of a visit are kept. */
const KEPT = 50

/** The terminal: the request on one side, its result on the other. */
export function Desk({ choice: offered }: { choice: CardChoice }) {
  const [isOpening, setOpening] = useState(false)
  // The card of a request that is opened is offered once the address has it.
  const choice = { ...offered, isPending: offered.isPending || isOpening }
  const { cards } = choice
  const { values } = useFilters(SHARED)
  const currency = useCurrency()
  const navigate = useNavigate()
  const kept = useKept()
  const form = useRequest({ ...typedOf(values, currency), card_id: cards[0]?.id ?? '' })
  const [all, setAll] = useState<readonly Exchange[]>([])
  const [shown, setShown] = useState<Exchange>()
  const answer = useRef<HTMLDivElement>(null)
  const sending = useAction({
    act: send,
    onDone(sent: Exchange) {
      setAll((known) => [sent, ...known].slice(0, KEPT))
      setShown(sent)
    },
    onFail: (error) => form.setErrors(faultsAtFields(problemOf(error).fields).fields),
    // A phone has the result below the form.
    onEnd: () => show(answer.current),
  })
  const { isPending, input } = sending
  const start = (outgoing: Outgoing) => sending.press(outgoing)
  const open = (sent: Exchange) => {
    sending.reset()
    setShown(sent)
  }
  const address = (typed: Typed) => navigate({ to: '.', search: sharedOf(typed), replace: true })
  const load = (typed: Typed) => {
    setOpening(true)
    form.setValues(typed)
    void address(typed).finally(() => setOpening(false))
  }
  const request = (typed: Typed) => {
    void address(typed)
    start({ kind: 'request', typed })
  }
  return (
    <div className={styles['desk']}>
      <Sight sent={shown} card_id={form.values.card_id} />
      <div className={styles['ask']}>
        <RequestForm
          form={form}
          choice={choice}
          isSending={isPending && input?.kind === 'request'}
          onSend={request}
          onKeep={kept.add}
        />
      </div>
      <div ref={answer} className={styles['answered']}>
        <DecisionPanel sent={shown} sending={sending} />
        <Balances sent={shown} card_id={form.values.card_id} />
        <Next all={all} shown={shown} isSending={isPending} onSend={start} />
        {shown?.kind === 'transaction' && (
          <Caused key={shown.life.id} transaction={shown.life} isNarrow />
        )}
        <MessagePanel sent={shown} />
      </div>
      <div className={styles['visit']}>
        <KeptList
          all={kept.all}
          isSending={isPending}
          onOpen={load}
          onRun={(typed) => {
            load(typed)
            start({ kind: 'request', typed })
          }}
          onRemove={kept.remove}
        />
        <SentList {...{ all, shown, isSending: isPending, onOpen: open, onAgain: start }} />
      </div>
    </div>
  )
}

/** Pixels of an element that are seen at least. */
const SEEN = 200

function show(element: HTMLElement | null): void {
  const { top = 0 } = element?.getBoundingClientRect() ?? {}
  if (top < 0 || top > innerHeight - SEEN) element?.scrollIntoView({ block: 'start' })
}

type NextProps = {
  all: readonly Exchange[]
  shown: Exchange | undefined
  isSending: boolean
  onSend: (outgoing: Outgoing) => void
}

/**
 * Only a transaction is followed by other messages: a what-if leaves none. The state of one that is
 * opened again is that of the newest message about it.
 */
function Next({ all, shown, isSending, onSend }: NextProps) {
  if (shown?.kind !== 'transaction' || shown.life.status === 'DECLINED') return null
  const lives = all.flatMap((sent) => (sent.kind === 'transaction' ? [sent.life] : []))
  const transaction = lives.find(({ id }) => id === shown.life.id) ?? shown.life
  return <NextPanel key={transaction.id} {...{ transaction, isSending, onSend }} />
}
