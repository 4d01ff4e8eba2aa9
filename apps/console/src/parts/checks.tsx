import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Check } from '../api/types.ts'
import {
  type CheckCurrencies,
  detailOf,
  type KnownCheck,
  keyOfCheck,
  mostOf,
} from './check_words.ts'
import styles from './checks.module.css'
import { Code, moneyText } from './values.tsx'

const PICTURES = {
  passed: IconCheck,
  refused: IconX,
  skipped: IconMinus,
  would_refuse: IconAlertTriangle,
}

type ChecksProps = {
  checks: readonly Check[]
  /**
   * Currency of the account, in which checks count; without it, no amount is named that would pass.
   */
  currency?: string | undefined
  /** Currency of the message, in which its own amount counts. */
  requested?: string | undefined
}

/** The path of a decision: every check and what it found; at first what decided. */
export function Checks({ checks, currency, requested }: ChecksProps) {
  const { t } = useTranslation()
  const [isWhole, setWhole] = useState(false)
  const currencies = { account: currency, message: requested }
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
            <Line key={`${at}${check.check}`} check={check} currencies={currencies} />
          ))}
        </ol>
      )}
    </div>
  )
}

type LineProps = { check: Check; currencies: CheckCurrencies }

function Line({ check, currencies }: LineProps) {
  const { t } = useTranslation()
  const { check: name, verdict, detail, status_code } = check
  const Picture = PICTURES[verdict]
  const key = keyOfCheck(name)
  const isTelling = verdict === 'refused' || verdict === 'would_refuse'
  return (
    <li data-verdict={verdict}>
      <Picture size={16} role="img" aria-label={t(`simulator.verdicts.${verdict}`)} />
      <bdi className={styles['name']}>{key ? t(`checks.known.${key}.name`) : name}</bdi>
      {status_code !== undefined && <Code>{status_code}</Code>}
      {detail !== undefined && (
        <span className={styles['detail']} title={t('checks.saw')}>
          <bdi dir="ltr">{detailOf(check, currencies)}</bdi>
        </span>
      )}
      {key && isTelling && <Reason check={check} known={key} currency={currencies.account} />}
    </li>
  )
}

type ReasonProps = { check: Check; known: KnownCheck; currency: string | undefined }

/** The condition of the check, in words, and the value that would have passed. */
function Reason({ check, known, currency }: ReasonProps) {
  const { t } = useTranslation()
  const most = currency === undefined ? undefined : mostOf(check, currency)
  const isBehind = check.verdict === 'refused' && !check.decisive
  return (
    <dl className={styles['reason']}>
      <dt>{t('checks.rule')}</dt>
      <dd>{t(`checks.known.${known}.asks`)}</dd>
      <dt>{t('checks.to_pass')}</dt>
      <dd>
        {most !== undefined && currency !== undefined && (
          <strong>{t('checks.most', { amount: isolated(moneyText(most, currency)) })} </strong>
        )}
        {t(`checks.known.${known}.passes`)}
        {check.verdict === 'would_refuse' && ` ${t('checks.shadow')}`}
      </dd>
      {isBehind && <dd className={styles['also']}>{t('checks.also')}</dd>}
    </dl>
  )
}

/** An amount within a sentence of either direction. */
const isolated = (text: string): string => `\u2066${text}\u2069`
