import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../api/types.ts'
import { Panel } from '../../parts/panel.tsx'
import type { Channel, Outgoing } from './send.ts'
import styles from './simulator.module.css'

const CHANNELS: readonly Channel[] = [
  'ECOMMERCE',
  'CREDENTIAL_ON_FILE',
  'CHIP',
  'CONTACTLESS',
  'MAGSTRIPE',
  'FALLBACK',
  'MANUAL',
]

type RequestFormProps = {
  cards: readonly Card[]
  currency: string
  isSending: boolean
  onSend: (outgoing: Outgoing & { kind: 'request' }) => void
}

const nameOf = ({ masked_card_number, name_on_card }: Card) =>
  [masked_card_number, name_on_card].filter(Boolean).join(' · ')

export function RequestForm({ cards, currency, isSending, onSend }: RequestFormProps) {
  const { t } = useTranslation()
  const hint = useId()
  const form = useForm({
    initialValues: {
      mode: 'real',
      card_id: cards[0]?.id ?? '',
      merchant: 'Palm Books',
      mcc: '5942',
      country: 'AE',
      channel: 'ECOMMERCE' as Channel,
      amount: '20.00',
      currency,
    },
  })
  const { mode } = form.values
  const field = (name: keyof typeof form.values) => ({ dir: 'ltr', ...form.getInputProps(name) })
  const submit = form.onSubmit(({ mode: chosen, ...request }) =>
    onSend({ kind: 'request', what_if: chosen === 'what_if', ...request }),
  )
  return (
    <Panel title={t('simulator.form')}>
      <form onSubmit={submit} className={styles['form']}>
        <div>
          <SegmentedControl
            fullWidth
            aria-label={t('simulator.mode')}
            aria-describedby={hint}
            data={[
              { value: 'real', label: t('simulator.real') },
              { value: 'what_if', label: t('simulator.what_if') },
            ]}
            {...form.getInputProps('mode')}
          />
          <p id={hint} className={styles['hint']}>
            {mode === 'real' ? t('simulator.real_hint') : t('simulator.what_if_hint')}
          </p>
        </div>
        <NativeSelect
          label={t('simulator.card')}
          data={cards.map((card) => ({ value: card.id, label: nameOf(card) }))}
          {...field('card_id')}
        />
        <TextInput label={t('simulator.merchant')} maxLength={25} {...field('merchant')} />
        <div className={styles['pair']}>
          <TextInput
            label={t('simulator.mcc')}
            inputMode="numeric"
            pattern="[0-9]{4}"
            maxLength={4}
            {...field('mcc')}
          />
          <TextInput label={t('simulator.country')} maxLength={3} {...field('country')} />
        </div>
        <NativeSelect
          label={t('simulator.channel')}
          data={CHANNELS.map((value) => ({ value, label: t(`simulator.channels.${value}`) }))}
          {...form.getInputProps('channel')}
        />
        <div className={styles['pair']}>
          <TextInput
            label={t('simulator.amount')}
            inputMode="decimal"
            required
            withAsterisk={false}
            {...field('amount')}
          />
          <TextInput
            label={t('simulator.currency')}
            maxLength={3}
            required
            withAsterisk={false}
            {...field('currency')}
          />
        </div>
        <Button type="submit" loading={isSending}>
          {t('simulator.send')}
        </Button>
      </form>
    </Panel>
  )
}
