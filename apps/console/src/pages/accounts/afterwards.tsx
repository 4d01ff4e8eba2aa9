import { useTranslation } from 'react-i18next'
import type { Account } from '../../api/types.ts'
import { Facts } from '../../parts/facts.tsx'
import { Money } from '../../parts/values.tsx'

type AfterwardsProps = { before: Account; after: Account }

/** The balances now, and as a movement would leave them. */
export function Afterwards({ before, after }: AfterwardsProps) {
  const { t } = useTranslation()
  const { currency } = before
  return (
    <Facts
      rows={[
        [
          t('accounts.available_now'),
          <Money key="now" amount={before.available_balance} currency={currency} />,
        ],
        [
          t('accounts.available_then'),
          <strong key="then">
            <Money amount={after.available_balance} currency={currency} />
          </strong>,
        ],
      ]}
    />
  )
}
