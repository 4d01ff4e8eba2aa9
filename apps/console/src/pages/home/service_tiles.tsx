import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Tile } from '../../parts/tile.tsx'
import { countText, dateText, moneyText } from '../../parts/values.tsx'
import { DAYS_FEW, fundingQuery, webhooksQuery } from './queries.ts'

/** Webhooks whose last deliveries failed, or that were disabled for it. */
export function DeliveriesTile() {
  const { t } = useTranslation()
  const { data } = useQuery(webhooksQuery)
  const all = data?.data ?? []
  const failing = all.filter(({ failing_since }) => failing_since !== undefined)
  const [first] = failing
    .flatMap(({ id, failing_since = '' }) => [{ id, failing_since }])
    .toSorted((one, other) => (one.failing_since < other.failing_since ? -1 : 1))
  const calm = all.length === 0 ? t('home.no_webhooks') : t('home.all_deliver')
  return (
    <Tile
      label={t('home.failing')}
      figure={
        data && (
          <bdi>{t('home.of', { part: countText(failing.length), all: countText(all.length) })}</bdi>
        )
      }
      note={first ? t('home.failing_since', { at: dateText(first.failing_since) }) : calm}
      isBad={first !== undefined}
      to={first && failing.length === 1 ? `/webhooks/${first.id}` : '/webhooks'}
    />
  )
}

/** The funding that ends first. */
export function FundingTile() {
  const { t } = useTranslation()
  const { data } = useQuery(fundingQuery)
  const [funding] = (data?.data ?? []).toSorted((one, other) => daysOf(one) - daysOf(other))
  const days = funding?.days_left
  const note =
    days === undefined ? t('home.no_use') : t('home.days_left', { days: countText(days) })
  return (
    <Tile
      label={t('home.funding')}
      figure={
        data && <bdi>{funding ? moneyText(funding.balance, funding.currency) : t('none')}</bdi>
      }
      note={funding ? note : t('home.no_funding')}
      isBad={days !== undefined && days < DAYS_FEW}
      to="/accounts"
    />
  )
}

const daysOf = ({ days_left }: { days_left?: number }): number =>
  days_left ?? Number.POSITIVE_INFINITY
