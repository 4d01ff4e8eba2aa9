import { useTranslation } from 'react-i18next'
import type { Card } from '../../api/types.ts'
import { CardLink } from '../../parts/issuing/card_link.tsx'
import styles from './cards.module.css'

/** The card before this one, and the one after it. */
export function Lineage({ card }: { card: Card }) {
  const { t } = useTranslation()
  const { reference_card_id: old, replaced_by_card_id: next } = card
  if (old === undefined && next === undefined) return null
  return (
    <div className={styles['lineage']}>
      {next !== undefined && (
        <span>
          {t('cards.replaced_by')} <CardLink id={next} />
        </span>
      )}
      {old !== undefined && (
        <span>
          {t('cards.replaces')} <CardLink id={old} />
        </span>
      )}
    </div>
  )
}
