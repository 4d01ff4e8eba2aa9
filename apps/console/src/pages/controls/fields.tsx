import { SegmentedControl, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { NativeSelect, Textarea, TextInput } from '../../parts/fields.tsx'
import styles from './controls.module.css'
import type { KindName } from './kinds.ts'
import type { Typed } from './typed.ts'

type FieldsProps = {
  kind: KindName
  typed: Typed
  onChange: (typed: Typed) => void
  /** A backtest needs the terms alone. */
  isProposal?: boolean
}

/** The fields of one control. */
export function ControlFields({ kind, typed, onChange, isProposal = false }: FieldsProps) {
  const { t } = useTranslation()
  const set = (changes: Partial<Typed>) => onChange({ ...typed, ...changes })
  const isLimit = kind === 'velocity' || kind === 'balance'
  return (
    <>
      {!isProposal && (
        <TextInput
          path={isLimit ? 'description' : 'name'}
          label={isLimit ? t('controls.description') : t('fields.name')}
          required={!isLimit}
          withAsterisk={false}
          maxLength={isLimit ? 1000 : 100}
          value={typed.name}
          onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        />
      )}
      {kind === 'velocity' && <VelocityFields typed={typed} set={set} />}
      {kind === 'balance' && <BalanceFields typed={typed} set={set} isProposal={isProposal} />}
      {!isLimit && <ListFields kind={kind} typed={typed} set={set} />}
      {!isProposal && !isLimit && (
        <Switch
          label={t('controls.active')}
          checked={typed.active}
          onChange={({ currentTarget }) => set({ active: currentTarget.checked })}
        />
      )}
      {!isProposal && (
        <NativeSelect
          path="mode"
          label={t('limits.mode')}
          description={t('controls.mode_hint')}
          data={['ENFORCED', 'SHADOW']}
          value={typed.mode}
          onChange={({ currentTarget }) =>
            set({ mode: currentTarget.value === 'SHADOW' ? 'SHADOW' : 'ENFORCED' })
          }
        />
      )}
    </>
  )
}

type SetProps = { typed: Typed; set: (changes: Partial<Typed>) => void }

type TextName = 'currency' | 'min_amount' | 'max_amount' | 'frequency' | 'type' | 'period' | 'scope'

const useField =
  ({ typed, set }: SetProps) =>
  (name: TextName) => ({
    path: name === 'scope' ? 'transaction_scope' : name,
    dir: 'ltr' as const,
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value }),
  })

function VelocityFields(props: SetProps) {
  const { t } = useTranslation()
  const field = useField(props)
  return (
    <>
      <NativeSelect
        label={t('controls.counts')}
        {...field('type')}
        dir={undefined}
        data={[
          { value: 'CUMULATIVE', label: t('controls.types.CUMULATIVE') },
          { value: 'PER_TRANSACTION', label: t('controls.types.PER_TRANSACTION') },
        ]}
      />
      <div className={styles['pair']}>
        <TextInput label={t('controls.most')} inputMode="decimal" {...field('max_amount')} />
        <TextInput label={t('fields.currency')} maxLength={3} {...field('currency')} />
      </div>
      <div className={styles['pair']}>
        <TextInput label={t('controls.times')} inputMode="numeric" {...field('frequency')} />
        <NativeSelect
          label={t('controls.period')}
          {...field('period')}
          dir={undefined}
          data={[
            { value: '', label: t('none') },
            ...PERIODS.map((period) => ({ value: period, label: t(`limits.periods.${period}`) })),
          ]}
        />
      </div>
      <NativeSelect
        label={t('controls.scope')}
        {...field('scope')}
        dir={undefined}
        data={SCOPES.map((scope) => ({ value: scope, label: t(`controls.scopes.${scope}`) }))}
      />
    </>
  )
}

const PERIODS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY', 'LIFETIME'] as const
const SCOPES = ['ALL', 'PURCHASES', 'WITHDRAWALS'] as const

function BalanceFields({ isProposal, ...props }: SetProps & { isProposal: boolean }) {
  const { t } = useTranslation()
  const field = useField(props)
  return (
    <>
      {!isProposal && (
        <NativeSelect
          label={t('controls.counts')}
          {...field('type')}
          dir={undefined}
          data={[
            { value: 'PER_ACCOUNT', label: t('controls.types.PER_ACCOUNT') },
            { value: 'PER_USER', label: t('controls.types.PER_USER') },
          ]}
        />
      )}
      <div className={styles['pair']}>
        <TextInput
          label={t('controls.least_balance')}
          inputMode="decimal"
          {...field('min_amount')}
        />
        {!isProposal && (
          <TextInput
            label={t('controls.most_balance')}
            inputMode="decimal"
            {...field('max_amount')}
          />
        )}
        <TextInput label={t('fields.currency')} maxLength={3} {...field('currency')} />
      </div>
    </>
  )
}

function ListFields({ kind, typed, set }: SetProps & { kind: KindName }) {
  const { t } = useTranslation()
  const texts = kind === 'countries' ? 'countries' : kind === 'mccs' ? 'mccs' : 'merchants'
  const path = kind === 'countries' ? 'country_codes' : kind
  const area = (name: 'items' | 'blocked') => ({
    path,
    dir: 'ltr' as const,
    autosize: true,
    minRows: 2,
    maxRows: 8,
    value: typed[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      set({ [name]: event.currentTarget.value }),
  })
  return (
    <>
      {kind !== 'merchants' && (
        <SegmentedControl
          aria-label={t('controls.effect')}
          value={typed.allow ? 'allow' : 'block'}
          data={[
            { value: 'allow', label: t('controls.allows') },
            { value: 'block', label: t('controls.blocks') },
          ]}
          onChange={(value) => set({ allow: value === 'allow' })}
        />
      )}
      <Textarea
        label={t(`controls.items.${texts}`)}
        description={t(`controls.hints.${texts}`)}
        {...area('items')}
      />
      {kind === 'merchants' && <Textarea label={t('controls.blocked')} {...area('blocked')} />}
    </>
  )
}
