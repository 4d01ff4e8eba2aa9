import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { allProducts } from '../../api/cards.ts'
import { answered, issuing } from '../../api/client.ts'
import { useCurrency } from '../../api/session.ts'
import type { BacktestBody } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { periodOf } from '../../parts/days.ts'
import { NativeSelect, TextInput } from '../../parts/fields.tsx'
import { useChoice } from '../../parts/use_choice.ts'
import { ControlFields } from '../controls/fields.tsx'
import { KIND_NAMES, KINDS, type KindName, kindOf, typedOfKind } from '../controls/kinds.ts'
import styles from './backtests.module.css'

const DAYS = 30
const DAY_MS = 86_400_000

/** A day as an input of the browser takes it. */
const dayText = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)

type Period = { first: string; last: string }

/** The days of the reader, as instants. */
function instantsOf({ first, last }: Period): { from: string; to: string } {
  const { from = '', to = '' } = periodOf(first, last)
  return { from, to }
}

/** Composes a change of the controls of a card product, and runs it over past decisions. */
export function CreateBacktest() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: products = [] } = useQuery(allProducts)
  const [chosen, choose] = useState('')
  const [kind, setKind] = useState<KindName>('velocity')
  const usual = useCurrency()
  const [typed, setTyped] = useState(() => typedOfKind('velocity', usual))
  const [period, setPeriod] = useState<Period>(() => ({
    first: dayText(new Date(Date.now() - DAYS * DAY_MS)),
    last: dayText(new Date()),
  }))
  const card_product_id = useChoice(products, chosen)?.id ?? ''
  const act = (key: string) => {
    const proposal = KINDS[kind].proposal(typed)
    const body: BacktestBody = { ...instantsOf(period), card_product_id, ...proposal }
    return answered(issuing.backtests.create(body, { idempotencyKey: key }))
  }
  const change = (name: string) => {
    const next = kindOf(name)
    const currency = products.find(({ id }) => id === card_product_id)?.currency ?? usual
    setKind(next)
    setTyped(typedOfKind(next, currency))
  }
  return (
    <Act
      label={t('backtests.create')}
      text={t('backtests.create_text')}
      submit={t('actions.run')}
      act={act}
      onDone={({ id }) => void navigate({ to: `/controls/backtests/${id}` })}
      isMain
    >
      <NativeSelect
        path="card_product_id"
        label={t('cards.product')}
        value={card_product_id}
        data={products.map(({ id: value, name }) => ({ value, label: name }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <Days period={period} onChange={setPeriod} />
      <NativeSelect
        path="kind"
        label={t('backtests.change')}
        value={kind}
        data={KIND_NAMES.map((name) => ({ value: name, label: t(`controls.kinds.${name}`) }))}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <ControlFields kind={kind} typed={typed} onChange={setTyped} isProposal />
    </Act>
  )
}

type DaysProps = { period: Period; onChange: (period: Period) => void }

function Days({ period, onChange }: DaysProps) {
  const { t } = useTranslation()
  const day = (name: 'first' | 'last') => (
    <TextInput
      type="date"
      label={t(`audit.filters.${name}`)}
      required
      withAsterisk={false}
      value={period[name]}
      onChange={({ currentTarget }) => onChange({ ...period, [name]: currentTarget.value })}
    />
  )
  return (
    <div className={styles['pair']}>
      {day('first')}
      {day('last')}
    </div>
  )
}
