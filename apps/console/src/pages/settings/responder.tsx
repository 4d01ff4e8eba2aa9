import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Settings } from '../../api/types.ts'
import { changeSeen } from '../../api/versions.ts'
import { Act } from '../../parts/act.tsx'
import { isSame } from '../../parts/edit/changes.ts'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { Code } from '../../parts/values.tsx'
import { readSettings, updateSettings } from './calls.ts'
import { ResponderForm } from './responder_form.tsx'
import { ResponderTest } from './responder_test.tsx'
import styles from './settings.module.css'
import { WaitingQuestions } from './waiting_questions.tsx'

type Responder = Settings['responder']

/** The responder, which is asked about each authorization that has passed the checks. */
export function ResponderPanel({ settings }: { settings: Settings }) {
  const { responder, default_currency: currency } = settings
  const { t } = useTranslation()
  const may = useMay()
  const [secret, setSecret] = useState<string>()
  return (
    <Panel title={t('responder.title')}>
      <div className={styles['around']}>
        <p>{responder ? t('responder.text') : t('responder.none')}</p>
        {responder && <ResponderFacts responder={responder} />}
        <div className={styles['buttons']}>
          {may('updateSettings') && <ResponderForm settings={settings} onSecret={setSecret} />}
          {responder && may('rotateResponderSecret') && <Rotate onSecret={setSecret} />}
          {responder && may('updateSettings') && <Remove settings={settings} />}
          {responder && may('simulateAuthorization') && <ResponderTest currency={currency} />}
        </div>
        {responder?.listener && may('answerResponderRequest') && <WaitingQuestions />}
      </div>
      <ShownOnce
        title={t('responder.secret_title')}
        text={t('responder.secret_text')}
        label={t('responder.secret')}
        value={secret}
        onClose={() => setSecret(undefined)}
      />
    </Panel>
  )
}

function ResponderFacts({ responder }: { responder: NonNullable<Responder> }) {
  const { t } = useTranslation()
  const { url, listener, timeout_ms, default_action } = responder
  return (
    <Facts
      rows={[
        [t('responder.url'), url === undefined ? undefined : <Code key="url">{url}</Code>],
        [t('responder.listener'), listener ? t('responder.listener_text') : undefined],
        [t('responder.timeout'), <Code key="timeout">{`${timeout_ms} ms`}</Code>],
        [t('responder.default_action'), <Code key="action">{default_action}</Code>],
      ]}
    />
  )
}

function Rotate({ onSecret }: { onSecret: (secret: string) => void }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('responder.rotate')}
      text={t('responder.rotate_text')}
      act={(key) => answered(issuing.settings.rotateResponderSecret({ idempotencyKey: key }))}
      onDone={({ secret }) => onSecret(secret)}
    />
  )
}

function Remove({ settings }: { settings: Settings }) {
  const { t } = useTranslation()
  return (
    <Act
      label={t('responder.remove')}
      text={t('responder.remove_text')}
      act={() =>
        changeSeen({
          item: settings,
          read: readSettings,
          isOther: ({ responder }) => !isSame(responder, settings.responder),
          save: (match) => updateSettings({ responder: null }, match),
        })
      }
      isDangerous
    />
  )
}
