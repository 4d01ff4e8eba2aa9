import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { accountsOf } from '../../api/cards.ts'
import type { Account } from '../../api/types.ts'
import { Money, moneyText } from '../../parts/values.tsx'
import { type Exchange, verdictOf } from './send.ts'
import styles from './simulator.module.css'

type SightProps = { sent: Exchange | undefined; card_id: string }

/** The decision and what is available, which stay in sight while the form is filled. */
export function Sight({ sent, card_id }: SightProps) {
  const { t } = useTranslation()
  const present = useQuery({ ...accountsOf(card_id), enabled: !sent && card_id !== '' })
  const [account] = sent?.after ?? present.data ?? []
  const before = sent?.before.find(({ id }) => id === account?.id)
  const moved = account && before ? differenceOf(before, account) : 0
  const verdict = sent && verdictOf(sent)
  return (
    <section aria-label={t('simulator.in_sight')} className={styles['sight']}>
      <span className={styles['seen']}>
        {verdict ? (
          <>
            <bdi dir="ltr" className={styles['seenCode']} data-declined={verdict.isDeclined}>
              {verdict.code}
            </bdi>
            <span>{verdict.isDeclined ? t('simulator.declined') : t('simulator.approved')}</span>
          </>
        ) : (
          <span className={styles['hint']}>{t('simulator.nothing_sent')}</span>
        )}
      </span>
      {account && (
        <span className={styles['seen']}>
          <span className={styles['hint']}>{t('fields.available')}</span>
          <strong>
            <Money amount={account.available_balance} currency={account.currency} />
          </strong>
          {moved !== 0 && (
            <bdi dir="ltr" className={styles['seenMoved']} data-less={moved < 0}>
              {moved > 0 ? '+' : '−'}
              {moneyText(Math.abs(moved), account.currency)}
            </bdi>
          )}
        </span>
      )}
    </section>
  )
}

/** Sums of floats: the cents are what counts. */
const differenceOf = (from: Account, to: Account): number =>
  Number((to.available_balance - from.available_balance).toFixed(4))
