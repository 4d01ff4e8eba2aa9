import { Anchor, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { accountsOf } from '../../api/cards.ts'
import { Failing } from '../../parts/failing.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Money, moneyText } from '../../parts/values.tsx'
import type { Exchange } from './send.ts'
import styles from './simulator.module.css'

const FIGURES = [
  ['balance', 'balance'],
  ['held', 'held_amount'],
  ['available', 'available_balance'],
] as const

/** Sums of floats: the cents are what counts. */
const differenceOf = (from: number, to: number): number => Number((to - from).toFixed(4))

type BalancesProps = { sent: Exchange | undefined; card_id: string }

/** Balances of the card's account: before and after a message, or at present. */
export function Balances({ sent, card_id }: BalancesProps) {
  const { t } = useTranslation()
  const present = useQuery({ ...accountsOf(card_id), enabled: !sent && card_id !== '' })
  const after = sent?.after ?? present.data
  const account = after?.[0]
  const before = sent?.before.find(({ id }) => id === account?.id)
  const hasMoved =
    account && before && FIGURES.some(([, member]) => account[member] !== before[member])
  return (
    <Panel
      title={t('simulator.balances')}
      actions={
        account && (
          <Anchor component={Link} to={`/accounts/${account.id}`} size="sm">
            {t('fields.account')}
          </Anchor>
        )
      }
    >
      {present.error && <Failing error={present.error} retry={present.refetch} />}
      {present.isLoading && <Skeleton height={72} />}
      {after === undefined && card_id === '' && (
        <p className={styles['hint']}>{t('simulator.no_balances')}</p>
      )}
      {after !== undefined && !account && (
        <p className={styles['hint']}>{t('simulator.no_account')}</p>
      )}
      {account && (
        <>
          <dl className={styles['balances']}>
            {FIGURES.map(([name, member]) => (
              <Moved
                key={name}
                name={t(`fields.${name}`)}
                from={(before ?? account)[member]}
                to={account[member]}
                currency={account.currency}
              />
            ))}
          </dl>
          {(!sent || !hasMoved) && (
            <p className={styles['hint']}>
              {sent ? t('simulator.balances_same') : t('simulator.balances_now')}
            </p>
          )}
        </>
      )}
    </Panel>
  )
}

type MovedProps = { name: string; from: number; to: number; currency: string }

function Moved({ name, from, to, currency }: MovedProps) {
  const difference = differenceOf(from, to)
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <Money amount={to} currency={currency} />
      </dd>
      {difference !== 0 && (
        <dd className={styles['moved']} data-less={difference < 0}>
          <bdi dir="ltr">
            {difference > 0 ? '+' : '−'}
            {moneyText(Math.abs(difference), currency)}
          </bdi>
        </dd>
      )}
    </div>
  )
}
