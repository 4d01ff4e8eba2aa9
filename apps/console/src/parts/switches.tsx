import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SWITCHES, type SwitchName } from './switch_names.ts'
import styles from './switches.module.css'

type Settings = Partial<Record<SwitchName, boolean>>

type SwitchGridProps = {
  /** What is absent is allowed (D-104). */
  settings: Settings
  /** What must allow a use as well. */
  above?: Settings
  disabled: boolean
  onChange: (name: SwitchName, value: boolean) => void
}

/** The uses that a card or a product allows. */
export function SwitchGrid({ settings, above = {}, disabled, onChange }: SwitchGridProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['switches']}>
      {SWITCHES.map((name) => {
        const isOffAbove = above[name] === false
        return (
          <Switch
            key={name}
            label={t(`switches.${name}`)}
            description={isOffAbove ? t('switches.off_at_product') : undefined}
            checked={!isOffAbove && settings[name] !== false}
            disabled={disabled || isOffAbove}
            onChange={({ currentTarget }) => onChange(name, currentTarget.checked)}
          />
        )
      })}
    </div>
  )
}
