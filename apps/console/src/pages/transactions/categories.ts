/** The category of a merchant in words, by its code. */

import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Language } from '../../i18n/i18n.ts'

/** Some hundreds of names: they come after the page. */
const NAMES = {
  en: async () => (await import('../../i18n/en/mccs.ts')).mccs,
  ar: async () => (await import('../../i18n/ar/mccs.ts')).mccs,
}

/** Each of these codes stands for one company. */
const RANGES = [
  [3000, 3350, 'airlines'],
  [3351, 3500, 'rentals'],
  [3501, 3999, 'hotels'],
] as const

/** The key of the name. */
function keyOf(code: string): string {
  const number = Number(code)
  return RANGES.find(([first, last]) => first <= number && number <= last)?.[2] ?? code
}

/** Undefined until it has arrived. */
export function useCategory(code: string | undefined): string | undefined {
  const { t, i18n } = useTranslation()
  const language: Language = i18n.language === 'ar' ? 'ar' : 'en'
  const { data } = useQuery({
    queryKey: ['mccs', language],
    queryFn: NAMES[language],
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (code === undefined || data === undefined) return undefined
  return new Map(Object.entries(data)).get(keyOf(code)) ?? t('payment.other_category')
}
