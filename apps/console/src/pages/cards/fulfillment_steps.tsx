import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { When } from '../../parts/values.tsx'
import styles from './fulfillment.module.css'

type Step = NonNullable<Card['fulfillment_status']>

const STEPS: readonly Step[] = ['CREATED', 'ORDERED', 'SHIPPED', 'DELIVERED']
/** More than a card ever has about its delivery. */
const EVENTS = 200

/** The way of a physical card to its holder, each step with its time. */
export function FulfillmentSteps({ card }: { card: Card }) {
  const { t } = useTranslation()
  const times = useTimes(card)
  const { fulfillment_status: status = 'CREATED' } = card
  const steps = status === 'FAILED' ? [...STEPS.slice(0, 3), status] : STEPS
  const present = steps.indexOf(status)
  return (
    <ol className={styles['steps']} aria-label={t('fulfillment.title')}>
      {steps.map((step, at) => {
        const isDone = at < present || step === 'DELIVERED' ? at <= present : false
        const state = isDone ? 'done' : at === present ? 'now' : 'open'
        const time = at <= present ? times.get(step) : undefined
        return (
          <li
            key={step}
            data-state={step === 'FAILED' ? 'failed' : state}
            aria-current={at === present ? 'step' : undefined}
          >
            <Mark step={step} at={at} state={state} />
            <span className={styles['step']}>
              <strong>{t(`fulfillment.steps.${step}`)}</strong>
              <small>
                {time === undefined ? t(`fulfillment.step_${state}`) : <When at={time} />}
              </small>
            </span>
          </li>
        )
      })}
    </ol>
  )
}

function Mark({ step, at, state }: { step: Step; at: number; state: string }) {
  return (
    <span aria-hidden className={styles['mark']}>
      {step === 'FAILED' && <IconX size={14} stroke={2.5} />}
      {step !== 'FAILED' && state === 'done' && <IconCheck size={14} stroke={2.5} />}
      {step !== 'FAILED' && state !== 'done' && String(at + 1)}
    </span>
  )
}

/** When each step was reached, as far as its event is kept. */
function useTimes({ id, created }: Card): ReadonlyMap<string, string> {
  const may = useMay()
  const { data } = useQuery({
    queryKey: ['events', 'of', id, 'delivery'],
    queryFn: () => {
      const query = { object_id: id, limit: EVENTS }
      return answered(issuing.events.listObjectEvents(query))
    },
    enabled: may('listObjectEvents'),
  })
  const reached = (data?.data ?? []).flatMap((event): [string, string][] => {
    const { new_status } = event as { new_status?: unknown }
    const isStep = event.event === 'CARD_DELIVERY_STATUS_CHANGED'
    return isStep && typeof new_status === 'string' ? [[new_status, event.created]] : []
  })
  return new Map([['CREATED', created], ...reached])
}
