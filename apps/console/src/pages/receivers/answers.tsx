import { Radio } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { queries, useMay } from '../../api/session.ts'
import type { WebhookReceiver } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { NotDone } from '../../parts/not_done.tsx'
import { Panel } from '../../parts/panel.tsx'
import { doneText } from '../../parts/said.ts'
import { useAction } from '../../parts/use_action.ts'
import { readReceiver } from './read.ts'
import styles from './receivers.module.css'

/** A delivery waits ten seconds for its answer. */
const LATE_MS = 12_000

const MODES = {
  ok: { answer_status: 200, delay_ms: 0 },
  fail: { answer_status: 500, delay_ms: 0 },
  slow: { answer_status: 200, delay_ms: LATE_MS },
  gone: { answer_status: 410, delay_ms: 0 },
} as const
type Mode = keyof typeof MODES
const NAMES = ['ok', 'fail', 'slow', 'gone'] as const

const modeOf = ({ answer_status, delay_ms }: WebhookReceiver): Mode | undefined =>
  NAMES.find(
    (name) => MODES[name].answer_status === answer_status && MODES[name].delay_ms === delay_ms,
  )

/** How the receiver answers; each choice is one call. */
export function Answers({ receiver }: { receiver: WebhookReceiver }) {
  const { t } = useTranslation()
  const may = useMay()
  const { id, answer_status: status, delay_ms: ms } = receiver
  const [chosen, setChosen] = useState<Mode>()
  const choosing = useAction({
    act: (_key, mode: Mode) => {
      const body = MODES[mode]
      return changeSeen({
        item: receiver,
        read: () => readReceiver(id),
        isOther: (fresh) => fresh.answer_status !== status || fresh.delay_ms !== ms,
        save: (match) => answered(issuing.simulation.updateWebhookReceiver(id, body, match)),
      })
    },
    said: (_answer, mode) => doneText(t(`receiver.modes.${mode}`), undefined),
    onDone: () => queries.invalidateQueries({ queryKey: ['webhooks', id] }),
    onEnd: () => setChosen(undefined),
  })
  const mode = modeOf(receiver)
  const choose = (value: string) => {
    const next = NAMES.find((name) => name === value)
    setChosen(next)
    if (next) choosing.press(next)
  }
  return (
    <Panel title={t('receiver.answers')}>
      <Radio.Group
        aria-label={t('receiver.answers')}
        description={t('receiver.answers_text')}
        value={chosen ?? mode ?? ''}
        onChange={choose}
      >
        <div className={styles['modes']}>
          {NAMES.map((name) => (
            <Radio
              key={name}
              value={name}
              data-action={name === mode ? undefined : 'call'}
              disabled={!may('updateWebhookReceiver') || chosen !== undefined}
              label={t(`receiver.modes.${name}`)}
              description={t(`receiver.modes.${name}_text`)}
            />
          ))}
        </div>
      </Radio.Group>
      {mode === undefined && (
        <p className={styles['hint']}>{t('receiver.other', { status, ms })}</p>
      )}
      <NotDone of={choosing} />
    </Panel>
  )
}
