import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { queries } from '../../api/session.ts'
import { Failing } from '../../parts/failing.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { doneText } from '../../parts/said.ts'
import { useAction } from '../../parts/use_action.ts'
import { Money } from '../../parts/values.tsx'
import styles from './settings.module.css'

const WAIT_SECONDS = 10

/** The questions that a listener of the sandbox has not answered yet, to be answered by hand. */
export function WaitingQuestions() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['responder_requests'],
    queryFn: ({ signal }) =>
      answered(issuing.simulation.listResponderRequests({ wait: WAIT_SECONDS }, { signal })),
    refetchInterval: 500,
  })
  const answering = useAction({
    act: (key, { id, approved }: { id: string; approved: boolean }) =>
      answered(
        issuing.simulation.answerResponderRequest(id, { approved }, { idempotencyKey: key }),
      ),
    said: (_answer, { approved }) =>
      doneText(approved ? t('responder.approve') : t('responder.decline'), undefined),
    onEnd: () => queries.invalidateQueries({ queryKey: ['responder_requests'] }),
  })
  return (
    <section aria-label={t('responder.waiting')} className={styles['around']}>
      <strong>{t('responder.waiting')}</strong>
      {error && <Failing error={error} retry={refetch} />}
      <NotDone of={answering} />
      {data?.data.length === 0 && <p>{t('responder.none_waiting')}</p>}
      {data?.data.map(({ id, transaction }) => (
        <div key={id} className={styles['question']}>
          <span>
            <bdi>{transaction.merchant.name}</bdi> ·{' '}
            <Money amount={transaction.amount} currency={transaction.currency} />
          </span>
          <span className={styles['buttons']}>
            <Button
              size="xs"
              data-action="call"
              onClick={() => answering.press({ id, approved: true })}
            >
              {t('responder.approve')}
            </Button>
            <Button
              size="xs"
              variant="default"
              onClick={() => answering.press({ id, approved: false })}
            >
              {t('responder.decline')}
            </Button>
          </span>
        </div>
      ))}
    </section>
  )
}
