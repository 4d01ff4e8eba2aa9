import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Block } from '../../parts/block.tsx'
import { Failing } from '../../parts/failing.tsx'
import styles from './first_steps.module.css'
import type { Made, Outcome, Step } from './story.ts'

type StepCardProps = {
  step: Step
  at: number
  made: Made
  outcome: Outcome | undefined
  isNext: boolean
  onDone: (outcome: Outcome) => void
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** One call: what is sent, what is answered, and what it has changed. */
export function StepCard({ step, at, made, outcome, isNext, onDone }: StepCardProps) {
  const { t } = useTranslation()
  const run = useMutation({ mutationFn: () => step.run(made, t), onSuccess: onDone })
  const known = outcome?.made ?? made
  const calls = [step.request(known), ...(step.follow ? [step.follow(known)] : [])]
  const sent = calls.map(({ line, body }) => `${line}\n${json(body)}`).join('\n\n')
  const isDone = outcome !== undefined && !outcome.isDeclined
  const isOpen = isNext || outcome !== undefined
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
            <Button loading={run.isPending} onClick={() => run.mutate()}>
              {t('actions.run')}
              <span className={styles['hidden']}> {t(`steps.${step.name}.title`)}</span>
            </Button>
          )}
        </div>
        {run.error && !outcome && <Failing error={run.error} title={t('states.rejected')} />}
        {outcome && (
          <p className={styles['changed']} role="status">
            <strong>{t('steps.changed')}</strong> <bdi>{outcome.text}</bdi>
          </p>
        )}
        {isOpen && (
          <div className={styles['blocks']}>
            <Block label={t('steps.request')} text={sent} />
            {outcome && <Block label={t('steps.response')} text={json(outcome.answer)} />}
          </div>
        )}
      </div>
    </li>
  )
}
