import { IconCheck } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './exhibit.module.css'
import { Code, Money, Status } from './values.tsx'

const CHECKS = ['card', 'limits', 'chip', 'balance', 'responder'] as const
const POINTS = ['one', 'two', 'three'] as const

/**
 * The platform in brief, for readers who do not know it yet: a card, and how a payment is decided.
 */
export function Exhibit() {
  const { t } = useTranslation()
  const title = t('entrance.points.title')
  return (
    <aside className={styles['exhibit']} aria-label={title}>
      <div className={styles['art']} aria-hidden>
        <Card />
        <Decision />
      </div>
      <div className={styles['words']}>
        <strong>{title}</strong>
        <ul>
          {POINTS.map((point) => (
            <li key={point}>
              <IconCheck size={18} aria-hidden />
              {t(`entrance.points.${point}`)}
            </li>
          ))}
        </ul>
      </div>
    </aside>
  )
}

function Card() {
  return (
    <div className={styles['card']} dir="ltr">
      <span className={styles['bank']}>Palm Bank</span>
      <span className={styles['chip']} />
      <span className={styles['number']}>4000 12•• •••• 4242</span>
      <span className={styles['holder']}>
        Layla Haddad <span>11/29</span>
      </span>
    </div>
  )
}

function Decision() {
  const { t } = useTranslation()
  return (
    <div className={styles['decision']}>
      <div className={styles['line']}>
        <bdi className={styles['merchant']}>Palm Books</bdi>
        <Money amount={45.5} currency="AED" />
      </div>
      <ol>
        {CHECKS.map((check) => (
          <li key={check}>
            <IconCheck size={14} />
            {t(`entrance.checks.${check}`)}
          </li>
        ))}
      </ol>
      <div className={styles['line']}>
        <Status>APPROVED</Status>
        <Code>0000</Code>
      </div>
    </div>
  )
}
