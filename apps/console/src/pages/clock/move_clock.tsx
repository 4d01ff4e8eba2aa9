import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Act } from '../../parts/act.tsx'
import { TextInput } from '../../parts/fields.tsx'
import styles from './clock.module.css'
import { type Moved, moveClock, STEPS } from './moves.ts'

type MoveClockProps = { now: string; onMoved: (moved: Moved) => void }

/** Usual steps, and any time ahead. Each is asked about, since none is taken back. */
export function MoveClock({ now, onMoved }: MoveClockProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['steps']}>
      {STEPS.map((step) => {
        const name = t(`traffic.steps.${step}`)
        return (
          <Act
            key={step}
            label={name}
            text={t('traffic.move_text', { step: name })}
            submit={t('traffic.move_now')}
            act={() => moveClock(now, { advance: step })}
            onDone={onMoved}
          />
        )
      })}
      <ToDate now={now} onMoved={onMoved} />
    </div>
  )
}

function ToDate({ now, onMoved }: MoveClockProps) {
  const { t } = useTranslation()
  const least = localText(now)
  const [typed, setTyped] = useState('')
  return (
    <Act
      label={t('traffic.to_date')}
      text={t('traffic.date_text')}
      submit={t('traffic.move_now')}
      act={() => moveClock(now, { now: new Date(typed || least).toISOString() })}
      onDone={onMoved}
    >
      <TextInput
        path="now"
        type="datetime-local"
        label={t('traffic.date')}
        min={least}
        required
        withAsterisk={false}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </Act>
  )
}

/** An instant as the field takes it: the reader's clock, to the minute. */
function localText(instant: string): string {
  const date = new Date(instant)
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
