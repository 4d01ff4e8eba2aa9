import { useTranslation } from 'react-i18next'
import { actingHeader } from '../../api/acting.ts'
import { curlOf } from '../../api/calls.ts'
import { Block } from '../../parts/block.tsx'
import styles from './simulator.module.css'
import { bodyOf, type Typed } from './typed.ts'

const PATH = '/v1/simulate/authorizations'

/** The request as a command, before it is sent. */
export function Command({ typed }: { typed: Typed }) {
  const { t } = useTranslation()
  const path = typed.mode === 'what_if' ? `${PATH}?what_if=true` : PATH
  const body = JSON.stringify(bodyOf(typed))
  const header = actingHeader(path)
  const call = { method: 'POST', path, body, ...(header && { tenant: header.join(': ') }) }
  return (
    <details className={styles['command']}>
      <summary>{t('simulator.command')}</summary>
      <Block label="curl" text={curlOf(call)} />
    </details>
  )
}
