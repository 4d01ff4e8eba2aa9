import { useTranslation } from 'react-i18next'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code, Money, Status, When } from '../../parts/values.tsx'
import styles from './gallery.module.css'

const STATUSES = ['ACTIVE', 'SETTLED', 'PENDING', 'SUSPENDED', 'SHADOW', 'DECLINED', 'INACTIVE']
/** Currencies of two, none and three decimals, and an amount that is taken away. */
const AMOUNTS = [
  [1250, 'AED'],
  [12800, 'JPY'],
  [4.125, 'KWD'],
  [-45.5, 'USD'],
] as const

/** Statuses, amounts, times, ids and links, as every page shows them. */
export function ValueParts() {
  const { t } = useTranslation()
  return (
    <Panel title={t('gallery.sections.values')}>
      <div className={styles['stack']}>
        <div className={styles['row']}>
          {STATUSES.map((status) => (
            <Status key={status}>{status}</Status>
          ))}
        </div>
        <div className={styles['row']}>
          {AMOUNTS.map(([amount, currency]) => (
            <Money key={currency} amount={amount} currency={currency} />
          ))}
        </div>
        <div className={styles['row']}>
          <When at="2026-11-25T08:30:00.000Z" />
          <Code>019aba2f-3c1e-7d42-9b7a-52d1c4f0a9be</Code>
          <ObjectLink to="/parts">{t('fields.card')}</ObjectLink>
        </div>
      </div>
    </Panel>
  )
}
