import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Check } from '../api/types.ts'
import styles from './checks.module.css'
import { Code } from './values.tsx'

const PICTURES = {
  passed: IconCheck,
  refused: IconX,
  skipped: IconMinus,
  would_refuse: IconAlertTriangle,
}

/** The path of a decision: every check and what it found; at first what decided. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const telling = checks.filter(
    ({ verdict }) => verdict === 'refused' || verdict === 'would_refuse',
  )
  const shown = isWhole ? checks : telling
  const passed = checks.filter(({ verdict }) => verdict === 'passed').length
  return (
    <div className={styles['around']}>
      <div className={styles['head']}>
        <span>{t('simulator.checks_before', { count: passed })}</span>
        <Button
          variant="default"
          size="xs"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('simulator.fewer_checks') : t('simulator.all_checks')}
        </Button>
      </div>
      {shown.length > 0 && (
        <ol className={styles['checks']} aria-label={t('simulator.checks')}>
          {shown.map((check, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the path of a decision does not change.
            <Line key={`${at}${check.check}`} check={check} />
          ))}
        </ol>
      )}
    </div>
  )
}

function Line({ check: { check, verdict, detail, status_code } }: { check: Check }) {
  const { t } = useTranslation()
  const Picture = PICTURES[verdict]
  return (
    <li data-verdict={verdict}>
      <Picture size={16} role="img" aria-label={t(`simulator.verdicts.${verdict}`)} />
      <bdi className={styles['name']}>{check}</bdi>
      {status_code !== undefined && <Code>{status_code}</Code>}
      {detail !== undefined && (
        <bdi dir="ltr" className={styles['detail']}>
          {detail}
        </bdi>
      )}
    </li>
  )
}
