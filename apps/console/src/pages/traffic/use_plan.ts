import { type UseFormReturnType, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../api/types.ts'
import { mix, type PaymentKind } from './mix.ts'
import { MOST_CARDS, MOST_PAYMENTS, type Wanted } from './plan.ts'

export const RATES = ['1', '2', '5', '10', '20'] as const
const MOST_WEIGHT = 100

type Weights = Record<PaymentKind, string>

/** Texts as they were typed. */
export type Plan = {
  count: string
  rate: string
  /** Ids; none stands for all. */
  cards: string[]
  weights: Weights
  clear: string
  reverse: string
  refund: string
  movesClock: boolean
}
export type PlanFields = UseFormReturnType<Plan>

const initial: Plan = {
  count: '60',
  rate: '5',
  cards: [],
  clear: '60',
  reverse: '10',
  refund: '10',
  // Every kind is in the mix.
  weights: Object.fromEntries(mix.map(({ kind, weight }) => [kind, String(weight)])) as Weights,
  movesClock: false,
}

const isWithin = (text: string, most: number, least = 0): boolean =>
  /^\d{1,4}$/.test(text.trim()) && Number(text) <= most && Number(text) >= least

export function usePlan(): PlanFields {
  const { t } = useTranslation()
  const whole = (most: number) => (text: string) =>
    isWithin(text, most) ? null : t('traffic.whole', { most })
  const share = (_: string, { clear, reverse }: Plan) =>
    Number(clear) + Number(reverse) > 100 ? t('traffic.shares') : null
  return useForm<Plan>({
    initialValues: initial,
    validate: {
      count: (text) =>
        isWithin(text, MOST_PAYMENTS, 1) ? null : t('traffic.count_fault', { most: MOST_PAYMENTS }),
      clear: (text, plan) => whole(100)(text) ?? share(text, plan),
      reverse: (text, plan) => whole(100)(text) ?? share(text, plan),
      refund: whole(100),
      weights: Object.fromEntries(mix.map(({ kind }) => [kind, whole(MOST_WEIGHT)])),
    },
  })
}

/** The plan without what is still to be found: the currency and the first hour. */
export function wantedOf(
  plan: Plan,
  cards: readonly Card[],
): Omit<Wanted, 'currency' | 'first_hour'> {
  const chosen = plan.cards.length === 0 ? cards : cards.filter(({ id }) => plan.cards.includes(id))
  const weights = mix.map(({ kind }) => [kind, Number(plan.weights[kind])] as const)
  return {
    count: Number(plan.count),
    // The keys are those of `initial`.
    weights: Object.fromEntries(weights) as Record<PaymentKind, number>,
    cards: chosen.slice(0, MOST_CARDS),
    clear: Number(plan.clear),
    reverse: Number(plan.reverse),
    refund: Number(plan.refund),
  }
}

export const hasWeight = ({ weights }: Plan): boolean =>
  Object.values(weights).some((weight) => Number(weight) > 0)
