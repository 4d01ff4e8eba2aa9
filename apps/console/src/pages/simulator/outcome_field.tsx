import { NativeSelect } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountsOf } from '../../api/cards.ts'
import { queries } from '../../api/session.ts'
import type { CardChoice } from './cards.ts'
import { outcomes, valuesOf } from './outcomes.ts'
import type { RequestFields } from './use_request.ts'

type OutcomeFieldProps = {
  form: RequestFields
  choice: CardChoice
  /** Told while the form is filled: a request sent meanwhile would have the values before. */
  onFilling: (isFilling: boolean) => void
}

/** Fills the form so that the wanted outcome follows, with a card of the status that it needs. */
export function OutcomeField({ form, choice, onFilling }: OutcomeFieldProps) {
  const { t } = useTranslation()
  const [wanted, want] = useState('')
  const newest = useRef('')
  const present = outcomes.find(({ name }) => name === wanted)
  const isMissing = present?.status !== undefined && choice.cards.length === 0 && !choice.isPending
  const choose = async (name: string) => {
    want(name)
    newest.current = name
    const outcome = outcomes.find((one) => one.name === name)
    onFilling(outcome !== undefined)
    if (!outcome) return
    const { status } = outcome
    if (status !== undefined) choice.search({ card_status: status })
    else if (choice.isSearch) choice.search({})
    const { card_id } = form.values
    const asked = card_id === '' ? [] : queries.fetchQuery(accountsOf(card_id))
    const accounts = await Promise.resolve(asked).catch(() => undefined)
    if (newest.current !== name) return
    if (accounts) form.setValues(valuesOf(outcome, accounts[0]))
    else want('')
    onFilling(false)
  }
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
      onChange={({ currentTarget }) => void choose(currentTarget.value)}
    />
  )
}
