/** The fields of a control by their names, for the comparison with what another person has typed. */

import { useTranslation } from 'react-i18next'
import type { Labels } from '../../parts/edit/meanwhile.tsx'
import type { KindName } from './kinds.ts'
import { isPeriod } from './terms.ts'
import type { Typed } from './typed.ts'

const TYPES = ['CUMULATIVE', 'PER_TRANSACTION', 'PER_ACCOUNT', 'PER_USER'] as const
const SCOPES = ['ALL', 'PURCHASES', 'WITHDRAWALS'] as const

export function useLabels(kind: KindName): Labels<Typed> {
  const { t } = useTranslation()
  const isLimit = kind === 'velocity' || kind === 'balance'
  const items = kind === 'countries' || kind === 'mccs' ? kind : 'merchants'
  const typeOf = (text: string) => TYPES.find((type) => type === text)
  const scopeOf = (text: string) => SCOPES.find((scope) => scope === text)
  return {
    name: isLimit ? t('controls.description') : t('fields.name'),
    mode: t('limits.mode'),
    active: t('controls.active'),
    allow: {
      label: t('controls.effect'),
      textOf: (isAllowed) => (isAllowed ? t('controls.allows') : t('controls.blocks')),
    },
    items: t(`controls.items.${items}`),
    blocked: t('controls.blocked'),
    currency: t('fields.currency'),
    type: {
      label: t('controls.counts'),
      textOf: (text) => {
        const type = typeOf(text)
        return type ? t(`controls.types.${type}`) : text
      },
    },
    min_amount: t('controls.least_balance'),
    max_amount: kind === 'balance' ? t('controls.most_balance') : t('controls.most'),
    frequency: t('controls.times'),
    period: {
      label: t('controls.period'),
      textOf: (text) => (isPeriod(text) ? t(`limits.periods.${text}`) : text),
    },
    scope: {
      label: t('controls.scope'),
      textOf: (text) => {
        const scope = scopeOf(text)
        return scope ? t(`controls.scopes.${scope}`) : text
      },
    },
  }
}
