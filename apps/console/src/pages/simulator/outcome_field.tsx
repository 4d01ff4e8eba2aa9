import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CardChoice } from './cards.ts'
import { outcomes } from './outcomes.ts'
import type { useOutcome } from './use_outcome.ts'

type OutcomeFieldProps = { choice: CardChoice; outcome: ReturnType<typeof useOutcome> }

/** Fills the form so that the wanted outcome follows, with a card of the status that it needs. */
export function OutcomeField({ choice, outcome: { wanted, choose } }: OutcomeFieldProps) {
  const { t } = useTranslation()
  const present = outcomes.find(({ name }) => name === wanted)
  const isMissing = present?.status !== undefined && choice.cards.length === 0 && !choice.isPending
  return (
    <NativeSelect
      label={t('simulator.outcome')}
      description={
        isMissing
          ? t('simulator.outcome_no_card', { status: present.status })
          : t('simulator.outcome_hint')
      }
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={[
        { value: '', label: t('simulator.outcome_any') },
        ...outcomes.map(({ name, code }) => ({
          value: name,
          label: `${t(`simulator.outcomes.${name}`)} · ${code}`,
        })),
      ]}
      value={wanted}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  )
}
