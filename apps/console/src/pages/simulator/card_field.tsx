import { Button, NativeSelect } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Card } from '../../api/types.ts'
import { FilterText } from '../../parts/filters.tsx'
import { shortNumber } from '../../parts/issuing/card_number.ts'
import { ALL, type CardChoice, STATUSES } from './cards.ts'
import styles from './simulator.module.css'
import type { RequestFields } from './use_request.ts'

const nameOf = ({ masked_card_number, name_on_card, status }: Card) =>
  [shortNumber(masked_card_number), name_on_card, status === 'ACTIVE' ? '' : status]
    .filter(Boolean)
    .join(' · ')

type CardFieldProps = { form: RequestFields; choice: CardChoice }

/** An active card, or one of any status: those are declined, which is worth a try. */
export function CardField({ form, choice }: CardFieldProps) {
  const { t } = useTranslation()
  const { cards, isSearch, isPending, status, last_four, search } = choice
  const { card_id } = form.values
  const isThere = cards.some(({ id }) => id === card_id)
  const first = cards[0]?.id ?? ''
  const { setFieldValue } = form
  useEffect(() => {
    if (!isPending && !isThere) setFieldValue('card_id', first)
  }, [isPending, isThere, first, setFieldValue])
  return (
    <div className={styles['choice']}>
      <div className={styles['chooser']}>
        <NativeSelect
          dir="ltr"
          label={t('simulator.card')}
          disabled={cards.length === 0}
          data={
            cards.length === 0
              ? [{ value: '', label: t('simulator.none_found') }]
              : cards.map((card) => ({ value: card.id, label: nameOf(card) }))
          }
          {...form.getInputProps('card_id')}
        />
        <Button
          variant="default"
          aria-expanded={isSearch}
          onClick={() => void search(isSearch ? {} : { card_status: ALL })}
        >
          {isSearch ? t('simulator.find_less') : t('simulator.find')}
        </Button>
      </div>
      {isSearch && (
        <div className={styles['pair']}>
          <NativeSelect
            label={t('fields.status')}
            data={[{ value: ALL, label: t('filters.all') }, ...STATUSES]}
            value={status ?? ALL}
            onChange={({ currentTarget }) =>
              void search({ card_status: currentTarget.value, last_four })
            }
          />
          <FilterText
            label={t('simulator.last_four')}
            maxLength={4}
            value={last_four}
            onChange={(value) =>
              void search({ card_status: status, last_four: value === '' ? undefined : value })
            }
          />
        </div>
      )}
    </div>
  )
}
