import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { printedExpiry, printedNumber } from '../../parts/issuing/card_number.ts'
import { Status } from '../../parts/values.tsx'
import styles from './cards.module.css'

/** The card as its holder sees it, without what is secret. */
export function Picture({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { data: session } = useSession()
  const { card_type, masked_card_number, name_on_card, expiry_date, status } = card
  return (
    <figure
      dir="ltr"
      className={styles['picture']}
      data-off={status !== 'ACTIVE'}
      aria-label={t('cards.picture')}
    >
      <div className={styles['pictureLine']}>
        <strong>
          <bdi>{session?.tenant?.name}</bdi>
        </strong>
        <Status>{status}</Status>
      </div>
      <span className={styles['chip']} aria-hidden data-absent={card_type === 'VIRTUAL'} />
      <span className={styles['number']}>{printedNumber(masked_card_number)}</span>
      <div className={styles['pictureLine']}>
        <bdi className={styles['holder']}>{name_on_card}</bdi>
        <span className={styles['expiry']}>{printedExpiry(expiry_date)}</span>
      </div>
    </figure>
  )
}
