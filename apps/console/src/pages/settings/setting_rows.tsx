import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { answered, issuing } from '../../api/client.ts'
import { useMay } from '../../api/session.ts'
import type { Settings } from '../../api/types.ts'
import { Act } from '../../parts/act.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Code } from '../../parts/values.tsx'
import styles from './settings.module.css'
import {
  changesOf,
  type Kind,
  type SettingGroup,
  type SettingName,
  typedOf,
} from './settings_table.ts'

type GroupProps = { group: SettingGroup; settings: Settings }

export function Group({ group: { name, settings: rows }, settings }: GroupProps) {
  const { t } = useTranslation()
  return (
    <Panel title={t(`settings.groups.${name}`)} flush>
      <dl className={styles['rows']}>
        {rows.map((row) => (
          <Row
            key={row.name}
            name={row.name}
            kind={row.kind}
            isFixed={row.is_operators === true}
            value={settings[row.name]}
          />
        ))}
      </dl>
    </Panel>
  )
}

type RowProps = {
  name: SettingName
  kind: Kind
  isFixed: boolean
  value: Settings[SettingName]
}

function Row({ name, kind, isFixed, value }: RowProps) {
  const { t } = useTranslation()
  const may = useMay()
  return (
    <div className={styles['row']}>
      <dt>
        <strong>{t(`settings.names.${name}`)}</strong>
        <span>{t(`settings.texts.${name}`)}</span>
      </dt>
      <dd>
        <Value value={value} />
        {!isFixed && may('updateSettings') && <Change name={name} kind={kind} value={value} />}
      </dd>
    </div>
  )
}

function Value({ value }: { value: Settings[SettingName] }) {
  const { t } = useTranslation()
  if (typeof value === 'boolean') return value ? t('settings.yes') : t('settings.no')
  const text = typedOf(value)
  return text === '' ? t('none') : <Code>{text}</Code>
}

/** One call for each setting. */
function Change({ name, kind, value }: Omit<RowProps, 'isFixed'>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(typedOf(value))
  const label = t(`settings.names.${name}`)
  const body = changesOf(name, kind, typed)
  const field = {
    label,
    value: typed,
    onChange: (event: { currentTarget: { value: string } }) => setTyped(event.currentTarget.value),
  }
  return (
    <Act
      label={t('settings.change')}
      of={label}
      text={t(`settings.texts.${name}`)}
      submit={t('actions.save')}
      act={() => answered(issuing.PUT('/tenantsettings', { body }))}
    >
      {kind === 'decision' ? (
        <NativeSelect
          {...field}
          data={[
            { value: 'true', label: t('settings.yes') },
            { value: 'false', label: t('settings.no') },
            { value: '', label: t('settings.default') },
          ]}
        />
      ) : (
        <TextInput
          {...field}
          dir="ltr"
          autoComplete="off"
          description={t(`settings.hints.${kind}`)}
        />
      )}
    </Act>
  )
}
