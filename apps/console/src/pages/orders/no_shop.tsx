import { IconReceipt } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../../api/problem.ts'
import { Empty } from '../../parts/empty.tsx'

/** D-577: the tenant has no active merchant, or more than one. */
export const explainNoShop = (error: unknown) =>
  error instanceof Problem && error.status === 400 ? <NoShop /> : undefined

export function NoShop() {
  const { t } = useTranslation()
  return <Empty icon={IconReceipt} title={t('orders.no_shop')} text={t('orders.no_shop_text')} />
}
