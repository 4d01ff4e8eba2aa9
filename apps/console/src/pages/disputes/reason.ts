/** The reasons of disputes, in words. */

import { useTranslation } from 'react-i18next'
import type { Dispute } from '../../api/types.ts'
import { disputes } from '../../i18n/en/disputes.ts'

export type Reason = Dispute['reason']

const isReason = (name: string): name is Reason => Object.hasOwn(disputes.reasons, name)

export const REASONS: readonly Reason[] = Object.keys(disputes.reasons).filter(isReason)

export const reasonOf = (name: string | undefined): Reason | undefined =>
  REASONS.find((one) => one === name)

export function useReasons(): { value: Reason; label: string }[] {
  const { t } = useTranslation()
  return REASONS.map((value) => ({ value, label: t(`disputes.reasons.${value}`) }))
}
