import { Skeleton, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { queries, useMay } from '../../api/session.ts'
import type { Card } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import type { SwitchName } from '../../parts/issuing/switch_names.ts'
import { SwitchGrid } from '../../parts/issuing/switches.tsx'
import { NotDone } from '../../parts/not_done.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useAction } from '../../parts/use_action.ts'
import styles from './cards.module.css'
import { isMigrating } from './moves.ts'

type Changes = Partial<Record<SwitchName, boolean>> & {
  min_amount?: string | null
  max_amount?: string | null
}

const change = (id: string, body: Changes) =>
  answered(issuing.PUT('/cards/{id}/authsettings', { body, params: { path: { id } } }))

/** What the card may be used for; the product must allow it as well (D-33). */
export function Switches({ card }: { card: Card }) {
  const { t } = useTranslation()
  const may = useMay()
  const { data: products } = useQuery(allProducts)
  const product = products?.find(({ id }) => id === card.card_product_id)
  const changing = useAction({
    act: (_key, changes: Changes) => change(card.id, changes),
    onDone: () => queries.invalidateQueries(),
  })
  const set = (name: SwitchName, value: boolean) => changing.press({ [name]: value })
  const isFixed =
    !may('updateCardAuthSettings') || card.status === 'TERMINATED' || isMigrating(card)
  return (
    <Panel
      title={t('switches.title')}
      actions={!isFixed && <Amounts card={card} currency={product?.currency ?? ''} />}
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
            onChange={isFixed ? undefined : set}
          />
        )}
      </div>
    </Panel>
  )
}

/** The least and the most of one authorization. */
function Amounts({ card, currency }: { card: Card; currency: string }) {
  const { t } = useTranslation()
  const { min_amount, max_amount } = card.auth_settings
  const [least, setLeast] = useState(String(min_amount ?? ''))
  const [most, setMost] = useState(String(max_amount ?? ''))
  const changes = {
    min_amount: least.trim() === '' ? null : least.trim(),
    max_amount: most.trim() === '' ? null : most.trim(),
  }
  return (
    <Act
      label={t('switches.amounts')}
      text={t('switches.amounts_text', { currency })}
      submit={t('actions.save')}
      act={() => change(card.id, changes)}
    >
      <TextInput
        dir="ltr"
        inputMode="decimal"
        label={t('switches.min_amount')}
        value={least}
        onChange={({ currentTarget }) => setLeast(currentTarget.value)}
      />
      <TextInput
        dir="ltr"
        inputMode="decimal"
        label={t('switches.max_amount')}
        value={most}
        onChange={({ currentTarget }) => setMost(currentTarget.value)}
      />
    </Act>
  )
}
