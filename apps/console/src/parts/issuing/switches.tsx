import { Switch } from '@mantine/core'
import { IconCheck, IconLock, IconX } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type AuthSwitch, authSwitches } from '#client/generated/issuing/switches.ts'
import { ObjectLink } from '../object_link.tsx'
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
  /** The page of the object whose settings are above. */
  aboveAt?: string
  /** Absent if the role or the object allows no change. */
  onChange?: ((name: AuthSwitch['name'], value: boolean) => void) | undefined
  /** The switch that was changed last, which can be put back. */
  changed?: AuthSwitch['name'] | undefined
}

/** The uses that a card or a product allows. */
export function SwitchGrid(props: SwitchGridProps) {
  const { settings, above = {}, aboveAt, onChange, changed } = props
  const { t } = useTranslation()
  return (
    <ul className={styles['switches']}>
      {authSwitches.map(({ name }) => {
        const isOffAbove = above[name] === false
        const isOn = !isOffAbove && settings[name] !== false
        const what = t(`switches.${name}`)
        return (
          <li key={name}>
            {onChange && !isOffAbove ? (
              <>
                <Switch
                  label={what}
                  checked={isOn}
                  data-action="call"
                  onChange={({ currentTarget }) => onChange(name, currentTarget.checked)}
                />
                {changed === name && (
                  <button
                    type="button"
                    className={styles['undo']}
                    aria-label={t('switches.undo_of', { what })}
                    onClick={() => onChange(name, !isOn)}
                  >
                    {t('switches.undo')}
                  </button>
                )}
              </>
            ) : (
              <Fixed label={what} isOn={isOn} isOffAbove={isOffAbove} aboveAt={aboveAt} />
            )}
          </li>
        )
      })}
    </ul>
  )
}

type FixedProps = {
  label: string
  isOn: boolean
  isOffAbove: boolean
  aboveAt: string | undefined
}

/** A setting to read: a switch that cannot be moved hides whether it is on. */
function Fixed({ label, isOn, isOffAbove, aboveAt }: FixedProps) {
  const { t } = useTranslation()
  const Picture = isOffAbove ? IconLock : isOn ? IconCheck : IconX
  const remark = t('switches.off_at_product')
  return (
    <span className={styles['fixed']} data-on={isOn} data-above={isOffAbove}>
      <Picture
        size={16}
        role="img"
        aria-label={isOn ? t('switches.allowed') : t('switches.not_allowed')}
      />
      <span>
        {label}
        {isOffAbove && (
          <small>
            {aboveAt === undefined ? remark : <ObjectLink to={aboveAt}>{remark}</ObjectLink>}
          </small>
        )}
      </span>
    </span>
  )
}
