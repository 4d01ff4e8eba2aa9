import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { queries, useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { changeSeen, type Match } from '../../api/versions.ts'
import { Edit } from '../../parts/edit/edit.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { SwitchGrid, type SwitchSettings, switchText } from '../../parts/issuing/switches.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { Panel } from '../../parts/panel.tsx'
import { amountOf } from '../../parts/typed_text.ts'
import { useAction } from '../../parts/use_action.ts'
import styles from './cards.module.css'
import { isMigrating } from './moves.ts'

type Changes = SwitchSettings & {
  min_amount?: string | null
  max_amount?: string | null
}

const read = (id: string) => answered(issuing.cards.getAuthSettings(id))

const change = (id: string, body: Changes, match: Match) =>
  answered(issuing.cards.updateAuthSettings(id, body, match))

/** The uses that the card permits; the product must permit them as well (D-33). */
export function Switches({ card }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: products } = useQuery(allProducts)
  const product = products?.find(({ id }) => id === card.card_product_id)
  const [changed, setChanged] = useState<keyof SwitchSettings>()
  const changing = useAction({
    act: (_key, changes: Changes) =>
      changeSeen({
        item: card.auth_settings,
        read: () => read(card.id),
        // Each press is of one switch, and its other position is what was pressed for.
        isOther: () => false,
        save: (match) => change(card.id, changes, match),
      }),
    said: (_answer, changes) => switchText(t, changes),
    onDone: () => queries.invalidateQueries(),
  })
  const set = (name: keyof SwitchSettings, value: boolean) => {
    if (changing.isBusy()) return
    // A press of Undo offers no other one.
    setChanged(changed === name ? undefined : name)
    changing.press({ [name]: value })
  }
  const isFixed =
    !may('updateCardAuthSettings') || card.status === 'TERMINATED' || isMigrating(card)
  return (
    <Panel
      title={t('switches.title')}
      actions={!isFixed && <ChangeAmounts card={card} currency={product?.currency ?? ''} />}
    >
      <div className={styles['stack']}>
        <p className={styles['hint']}>
          {isMigrating(card) ? t('switches.frozen') : t('switches.text')}
        </p>
        <NotDone of={changing} />
        {!product && <Skeleton height={240} role="status" aria-label={t('states.loading')} />}
        {product && (
          <SwitchGrid
            settings={card.auth_settings}
            above={product.auth_settings}
            aboveAt={`/card-products/${product.id}`}
            changed={changing.isPending || changing.error !== null ? undefined : changed}
            onChange={isFixed ? undefined : set}
          />
        )}
      </div>
    </Panel>
  )
}

type Amounts = { min_amount: string; max_amount: string }

const typedOf = ({ min_amount, max_amount }: Card['auth_settings']): Amounts => ({
  min_amount: String(min_amount ?? ''),
  max_amount: String(max_amount ?? ''),
})

const orNull = (text: string) => (text.trim() === '' ? null : amountOf(text))

const bodyOf = ({ min_amount, max_amount }: Amounts) => ({
  min_amount: orNull(min_amount),
  max_amount: orNull(max_amount),
})

/** The least and the most of one authorization. */
function ChangeAmounts({ card, currency }: { card: Card; currency: string }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(() => typedOf(card.auth_settings))
  const labels = { min_amount: t('switches.min_amount'), max_amount: t('switches.max_amount') }
  const field = (name: keyof Amounts) => ({
    path: name,
    ...({ dir: 'ltr', inputMode: 'decimal', label: labels[name], value: typed[name] } as const),
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <Edit
      label={t('switches.amounts')}
      text={t('switches.amounts_text', { currency })}
      item={card.auth_settings}
      read={() => read(card.id)}
      save={(changes, match) => change(card.id, changes, match)}
      {...{ typed, setTyped, typedOf, bodyOf, labels }}
    >
      <TextInput {...field('min_amount')} />
      <TextInput {...field('max_amount')} />
    </Edit>
  )
}
