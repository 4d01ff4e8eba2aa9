import { useTranslation } from 'react-i18next'
import { moneyText } from '../../parts/values.tsx'
import type { Control, KindName } from './kinds.ts'

const SHOWN = 80

/** The terms of a control in a line: `At most AED 500.00 · Uses: 3 · per day`. */
export function useTerms(kind: KindName): (control: Control) => string {
  const { t } = useTranslation()
  return ({ typed }) => {
    if (kind === 'velocity' || kind === 'balance') {
      const { min_amount, max_amount, currency, frequency, period } = typed
      const isKnown = kind === 'velocity' && isPeriod(period)
      const money = (amount: string) => moneyText(Number(amount), currency)
      const texts = [
        min_amount !== '' && t('limits.least', { amount: money(min_amount) }),
        max_amount !== '' && t('limits.most', { amount: money(max_amount) }),
        frequency !== '' && t('limits.times', { number: frequency }),
        isKnown && t(`limits.periods.${period}`),
      ]
      return texts.filter(Boolean).join(' · ')
    }
    const { allow, items, blocked } = typed
    const texts = [
      items !== '' && `${allow ? t('controls.allows') : t('controls.blocks')}: ${items}`,
      blocked !== '' && `${t('controls.blocks')}: ${blocked}`,
    ]
    const text = texts.filter(Boolean).join(' · ')
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
  }
}

const PERIODS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME'] as const
type Period = (typeof PERIODS)[number]

export const isPeriod = (text: string): text is Period => PERIODS.some((period) => period === text)
