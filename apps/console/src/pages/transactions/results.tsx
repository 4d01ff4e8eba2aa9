import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Transaction } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import { traceOf } from './data.ts'
import { resultsOf } from './result_words.ts'
import styles from './transactions.module.css'

/** The proofs of the card, its holder and its chip. */
export function Results({ transaction: { id } }: { transaction: Transaction }) {
  const { t } = useTranslation()
  const { data } = useQuery(traceOf(id))
  const results = resultsOf(data?.checks ?? [])
  // The path beside it says why it could not be read.
  if (results.length === 0) return null
  return (
    <Panel title={t('payment.results')}>
      <dl className={styles['results']}>
        {results.map(({ group, word, tone, detail }) => (
          <div key={group} data-tone={tone}>
            <dt>{t(`payment.groups.${group}`)}</dt>
            <dd>
              {t(`payment.words.${word}`)}
              {detail !== undefined && (
                <>
                  {' '}
                  <Code>{detail}</Code>
                </>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
