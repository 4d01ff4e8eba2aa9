import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { Act } from '../../parts/act.tsx'
import { Facts } from '../../parts/facts.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Rehearse } from '../../parts/rehearse.tsx'
import { ShownOnce } from '../../parts/shown_once.tsx'
import { Money } from '../../parts/values.tsx'
import styles from './gallery.module.css'
import { PROBLEM } from './samples.ts'

const done = async () => ({})
const rejected = async () => {
  throw new Problem(422, PROBLEM)
}

/** Buttons, and the dialogs that they open. */
export function ActionParts() {
  const { t } = useTranslation()
  const [secret, setSecret] = useState<string>()
  return (
    <Panel title={t('gallery.sections.actions')}>
      <div className={styles['row']}>
        <Act isMain label={t('gallery.main')} text={t('gallery.text')} act={done} />
        <Act label={t('gallery.plain')} text={t('gallery.text')} act={done} />
        <Act isDangerous label={t('gallery.danger')} text={t('gallery.text')} act={done} />
        <Act label={t('gallery.rejected')} text={t('gallery.text')} act={rejected}>
          <TextInput label={t('fields.name')} defaultValue="Palm" />
        </Act>
        <Rehearse
          label={t('gallery.rehearsed')}
          text={t('gallery.text')}
          act={done}
          outcome={() => (
            <Facts rows={[[t('fields.balance'), <Money key="1" amount={1250} currency="AED" />]]} />
          )}
        >
          <TextInput dir="ltr" label={t('fields.amount')} defaultValue="1250.00" />
        </Rehearse>
        <Button variant="default" onClick={() => setSecret('sk_sandbox_0f1e2d3c4b5a69788796')}>
          {t('gallery.once')}
        </Button>
        <Button disabled>{t('gallery.plain')}</Button>
        <Button loading>{t('gallery.main')}</Button>
      </div>
      <ShownOnce
        title={t('gallery.once')}
        text={t('gallery.text')}
        label={t('account.key')}
        value={secret}
        onClose={() => setSecret(undefined)}
      />
    </Panel>
  )
}
