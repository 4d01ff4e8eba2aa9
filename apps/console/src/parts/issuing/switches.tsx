import { Switch } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import {
  type AuthSwitch,
  authSwitches,
} from '../../../../../packages/client/src/generated/issuing/switches.ts'
import styles from './switches.module.css'

export type SwitchSettings = Partial<Record<AuthSwitch['name'], boolean>>

/** `Contactless is allowed now.` */
export const switchText = (t: TFunction, settings: SwitchSettings): string =>
  authSwitches
    .flatMap(({ name }) => {
      const next = settings[name]
      if (next === undefined) return []
      const what = t(`switches.${name}`)
      return [next ? t('said.allowed', { what }) : t('said.not_allowed', { what })]
    })
    .join(' ')

type SwitchGridProps = {
  /** An absent use is allowed (D-104). */
  settings: SwitchSettings
  /** Settings that must allow a use as well. */
  above?: SwitchSettings
  /** Absent if the role or the object allows no change. */
  onChange?: ((name: AuthSwitch['name'], value: boolean) => void) | undefined
}

/** The uses that a card or a product allows. */
export function SwitchGrid({ settings, above = {}, onChange }: SwitchGridProps) {
  const { t } = useTranslation()
  return (
    <ul className={styles['switches']}>
      {authSwitches.map(({ name }) => {
        const isOffAbove = above[name] === false
        const isOn = !isOffAbove && settings[name] !== false
        const remark = isOffAbove ? t('switches.off_at_product') : undefined
        return (
          <li key={name}>
            {onChange && !isOffAbove ? (
              <Switch
                label={t(`switches.${name}`)}
                checked={isOn}
                data-action="call"
                onChange={({ currentTarget }) => onChange(name, currentTarget.checked)}
              />
            ) : (
              <Fixed label={t(`switches.${name}`)} isOn={isOn} remark={remark} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

type FixedProps = { label: string; isOn: boolean; remark: string | undefined }

/** A setting to read: a switch that cannot be moved hides whether it is on. */
function Fixed({ label, isOn, remark }: FixedProps) {
  const { t } = useTranslation()
  const Picture = isOn ? IconCheck : IconX
  return (
    <span className={styles['fixed']} data-on={isOn}>
      <Picture
        size={16}
        role="img"
        aria-label={isOn ? t('switches.allowed') : t('switches.not_allowed')}
      />
      <span>
        {label}
        {remark !== undefined && <small>{remark}</small>}
      </span>
    </span>
  )
}
