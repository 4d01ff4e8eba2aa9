import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Block } from '../../parts/block.tsx'
import { Checks } from '../../parts/checks.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { useAction } from '../../parts/use_action.ts'
import styles from './first_steps.module.css'
import type { Made, Outcome, Step } from './story.ts'

type StepCardProps = {
  step: Step
  at: number
  made: Made
  outcome: Outcome | undefined
  isNext: boolean
  /** The last that ran: the request that it sent and the answer stand open. */
  isLatest: boolean
  onDone: (outcome: Outcome) => void
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** One call: its request, its answer, and what it has changed. */
export function StepCard({ step, at, made, outcome, isNext, isLatest, onDone }: StepCardProps) {
  const { t } = useTranslation()
  const run = useAction({ act: (key) => step.run(made, t, key), onDone })
  const known = outcome?.made ?? made
  const calls = [step.request(known), ...(step.follow ? [step.follow(known)] : [])]
  const sent = calls
    .map(({ line, body }) => (body === undefined ? line : `${line}\n${json(body)}`))
    .join('\n\n')
  const isDone = outcome !== undefined && !outcome.isDeclined
  return (
    <li className={styles['step']} data-done={isDone}>
      <span className={styles['number']} aria-hidden>
        {isDone ? <IconCheck size={16} /> : at + 1}
      </span>
      <div className={styles['content']}>
        <div className={styles['head']}>
          <div>
            <h2 className={styles['title']}>{t(`steps.${step.name}.title`)}</h2>
            <p className={styles['text']}>{t(`steps.${step.name}.text`)}</p>
          </div>
          {isNext && (
            <Button loading={run.isPending} onClick={() => run.press()} data-action="call">
              {t('actions.run')}
              <span className={styles['hidden']}> {t(`steps.${step.name}.title`)}</span>
            </Button>
          )}
        </div>
        {!outcome && <NotDone of={run} />}
        {outcome && (
          <p className={styles['changed']} role="status">
            <strong>{t('steps.changed')}</strong> <bdi>{outcome.text}</bdi>
          </p>
        )}
        {outcome?.checks && (
          <Checks
            checks={outcome.checks}
            currency={made.product.currency}
            requested={made.product.currency}
          />
        )}
        {isNext && !outcome && <Block label={t('steps.request')} text={sent} />}
        {outcome && (
          // Each step opens and closes its calls; a new one closes those of the step before it.
          <details key={String(isLatest)} open={isLatest} className={styles['calls']}>
            <summary>{t('steps.calls')}</summary>
            <div className={styles['blocks']}>
              <Block label={t('steps.request')} text={sent} />
              <Block label={t('steps.response')} text={json(outcome.answer)} />
            </div>
          </details>
        )}
      </div>
    </li>
  )
}
