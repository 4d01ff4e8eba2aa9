import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { IconBookmark, IconChevronDown } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../parts/panel.tsx'
import { CardField } from './card_field.tsx'
import type { CardChoice } from './cards.ts'
import { Command } from './command.tsx'
import { FurtherFields } from './further_fields.tsx'
import { MerchantFields, ShopField } from './merchant_fields.tsx'
import { OutcomeField } from './outcome_field.tsx'
import styles from './simulator.module.css'
import { countFurther, furtherOf, type Typed } from './typed.ts'
import { useOutcome } from './use_outcome.ts'
import type { RequestFields } from './use_request.ts'

type RequestFormProps = {
  form: RequestFields
  choice: CardChoice
  isSending: boolean
  onSend: (typed: Typed) => void
  onKeep: (typed: Typed) => void
}

export function RequestForm(props: RequestFormProps) {
  const { form, choice, isSending, onSend, onKeep } = props
  const { t } = useTranslation()
  const outcome = useOutcome(form, choice)
  const isChosen = choice.cards.some(({ id }) => id === form.values.card_id)
  return (
    <Panel title={t('simulator.form')}>
      <form onSubmit={form.onSubmit(onSend)} className={styles['form']} noValidate>
        <Mode form={form} />
        <OutcomeField choice={choice} outcome={outcome} />
        <CardField form={form} choice={choice} />
        <ShopField form={form} />
        <MerchantFields form={form} />
        <div className={styles['pair']}>
          <TextInput
            dir="ltr"
            label={t('simulator.amount')}
            inputMode="decimal"
            {...form.getInputProps('amount')}
          />
          <TextInput
            dir="ltr"
            label={t('simulator.currency')}
            maxLength={3}
            {...form.getInputProps('currency')}
          />
        </div>
        <More form={form} />
        <div className={styles['send']}>
          <Button
            type="submit"
            data-action="call"
            loading={isSending}
            disabled={!isChosen || choice.isPending || outcome.isFilling}
          >
            {t('simulator.send')}
          </Button>
          <Button
            variant="default"
            onClick={() => onKeep(form.getValues())}
            leftSection={<IconBookmark size={16} aria-hidden />}
          >
            {t('simulator.keep')}
          </Button>
        </div>
        <Command typed={form.values} />
      </form>
    </Panel>
  )
}

function Mode({ form }: { form: RequestFields }) {
  const { t } = useTranslation()
  const hint = useId()
  return (
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
        {form.values.mode === 'real' ? t('simulator.real_hint') : t('simulator.what_if_hint')}
      </p>
    </div>
  )
}

/** Opens by itself where a fault is behind it. */
function More({ form }: { form: RequestFields }) {
  const { t } = useTranslation()
  const id = useId()
  const [isChosen, setChosen] = useState(false)
  const isOpen = isChosen || furtherOf(form.values).some((name) => name in form.errors)
  const count = countFurther(form.values)
  const closed = count === 0 ? t('simulator.more') : t('simulator.more_set', { count })
  return (
    <div className={styles['further']}>
      <button
        type="button"
        className={styles['opener']}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setChosen(!isOpen)}
      >
        <IconChevronDown size={16} aria-hidden />
        {isOpen ? t('simulator.less') : closed}
      </button>
      <div id={id} className={styles['form']} hidden={!isOpen}>
        {isOpen && <FurtherFields form={form} />}
      </div>
    </div>
  )
}
