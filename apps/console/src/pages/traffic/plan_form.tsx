import { Button, MultiSelect, NativeSelect, Switch, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { shortNumber } from '../../parts/issuing/card_number.ts'
import { Panel } from '../../parts/panel.tsx'
import { mix } from './mix.ts'
import { MOST_CARDS, MOST_PAYMENTS } from './plan.ts'
import styles from './traffic.module.css'
import { hasWeight, type Plan, type PlanFields, RATES } from './use_plan.ts'

const HINT_BELOW = ['label', 'input', 'description', 'error'] as const

type PlanFormProps = {
  form: PlanFields
  cards: readonly Card[]
  isRunning: boolean
  isStarting: boolean
  onStart: (plan: Plan) => void
}

export function PlanForm({ form, cards, isRunning, isStarting, onStart }: PlanFormProps) {
  const { t } = useTranslation()
  const may = useMay()
  const isPossible = hasWeight(form.values)
  return (
    <Panel title={t('traffic.plan')}>
      <form onSubmit={form.onSubmit(onStart)} className={styles['form']} noValidate>
        <div className={styles['pair']}>
          <TextInput
            dir="ltr"
            inputMode="numeric"
            label={t('traffic.count')}
            description={t('traffic.count_hint', { most: MOST_PAYMENTS })}
            inputWrapperOrder={[...HINT_BELOW]}
            {...form.getInputProps('count')}
          />
          <NativeSelect
            label={t('traffic.rate')}
            data={[...RATES]}
            {...form.getInputProps('rate')}
          />
        </div>
        <MultiSelect
          label={t('traffic.cards')}
          description={t('traffic.cards_hint', { most: MOST_CARDS })}
          inputWrapperOrder={[...HINT_BELOW]}
          maxValues={MOST_CARDS}
          // The list opens within the main part of the page, which is a landmark.
          comboboxProps={{ withinPortal: false }}
          data={cards.map((card) => ({
            value: card.id,
            label: `${shortNumber(card.masked_card_number)} · ${card.name_on_card ?? ''}`,
          }))}
          {...form.getInputProps('cards')}
        />
        <Weights form={form} />
        <Afterwards form={form} />
        {may('moveClock') && (
          <Switch
            label={t('traffic.clock')}
            description={t('traffic.clock_hint')}
            {...form.getInputProps('movesClock', { type: 'checkbox' })}
          />
        )}
        <Button type="submit" loading={isStarting} disabled={isRunning || !isPossible}>
          {t('traffic.start')}
        </Button>
      </form>
    </Panel>
  )
}

function Weights({ form }: { form: PlanFields }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['group']}>
      <legend>{t('traffic.mix')}</legend>
      <p className={styles['hint']}>
        {hasWeight(form.values) ? t('traffic.mix_hint') : t('traffic.no_weight')}
      </p>
      <div className={styles['three']}>
        {mix.map(({ kind }) => (
          <TextInput
            key={kind}
            dir="ltr"
            inputMode="numeric"
            label={t(`traffic.kinds.${kind}`)}
            {...form.getInputProps(`weights.${kind}`)}
          />
        ))}
      </div>
    </fieldset>
  )
}

function Afterwards({ form }: { form: PlanFields }) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['group']}>
      <legend>{t('traffic.afterwards')}</legend>
      <div className={styles['three']}>
        {(['clear', 'reverse', 'refund'] as const).map((name) => (
          <TextInput
            key={name}
            dir="ltr"
            inputMode="numeric"
            label={t(`traffic.${name}`)}
            {...form.getInputProps(name)}
          />
        ))}
      </div>
    </fieldset>
  )
}
