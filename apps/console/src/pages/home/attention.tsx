import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import { ObjectLink } from '../../parts/object_link.tsx'
import { Panel } from '../../parts/panel.tsx'
import { countText, dateText, moneyText } from '../../parts/values.tsx'
import styles from './home.module.css'
import {
  awaitingQuery,
  DAYS_FEW,
  endingQuery,
  fundingQuery,
  statisticsQuery,
  webhooksQuery,
} from './queries.ts'

type Line = { id: string; to: string; text: string }

/** Lines that somebody has to see to, each with its page. */
export function Attention() {
  const { t } = useTranslation()
  const lines = useLines()
  return (
    <Panel title={t('program.attention')}>
      {lines.length === 0 ? (
        <p className={styles['calm']}>{t('program.calm')}</p>
      ) : (
        <ul className={styles['attention']}>
          {lines.map(({ id, to, text }) => (
            <li key={id}>
              <ObjectLink to={to}>{text}</ObjectLink>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function useLines(): Line[] {
  const { t } = useTranslation()
  const may = useMay()
  const webhooks = useQuery({ ...webhooksQuery, enabled: may('listWebhooks') })
  const funding = useQuery({ ...fundingQuery, enabled: may('listFunding') })
  const awaiting = useQuery({ ...awaitingQuery, enabled: may('listUsers') })
  const { data: counted } = useQuery({
    ...statisticsQuery,
    enabled: may('getAuthorizationStatistics'),
  })
  const ending = useQuery(endingQuery(may('listDisputes') ? counted?.to : undefined))
  const failing = (webhooks.data?.data ?? []).filter(({ failing_since }) => failing_since)
  const short = (funding.data?.data ?? []).flatMap(({ account_id, currency, days_left: days }) =>
    days !== undefined && days < DAYS_FEW ? [{ account_id, currency, days }] : [],
  )
  return [
    ...failing.map(({ id, endpoint }) => ({
      id,
      to: `/webhooks/${id}`,
      text: t('program.webhook', { endpoint }),
    })),
    ...short.map(({ account_id: id, currency, days }) => ({
      id,
      to: '/accounts',
      text: t('program.runs_out', { currency, days: countText(days) }),
    })),
    ...(ending.data ?? []).map(({ id, deadline, amount, currency }) => ({
      id,
      to: `/disputes/${id}`,
      text: t('program.dispute', {
        day: deadline === undefined ? '' : dateText(deadline),
        amount: moneyText(amount, currency),
      }),
    })),
    ...(awaiting.data?.data.length
      ? [{ id: 'checks', to: '/reviews', text: t('program.checks') }]
      : []),
  ]
}
