import { useTranslation } from 'react-i18next'
import { Block } from '../../parts/block.tsx'
import { Checks } from '../../parts/checks.tsx'
import { Panel } from '../../parts/panel.tsx'
import styles from './gallery.module.css'
import { CHECKS } from './samples.ts'

const COMMAND = `curl -X POST 'https://api.example.com/v1/cards' \\
  -H "apikey: $BEZANT_API_KEY" \\
  -d '{"card_type":"VIRTUAL"}'`

/** Commands and answers, and the path of a decision. */
export function MachineParts() {
  const { t } = useTranslation()
  return (
    <Panel title={t('gallery.sections.machine')}>
      <div className={styles['pair']}>
        <Block label="POST /v1/cards" text={COMMAND} />
        <Checks checks={CHECKS} />
      </div>
    </Panel>
  )
}
