import { NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { Settings, SettingsChanges } from '../../api/types.ts'
import { Act } from '../act.tsx'
import { Panel } from '../panel.tsx'
import { Code } from '../values.tsx'
import styles from './setting_rows.module.css'
import {
  changesOf,
  type Kind,
  type SettingGroup,
  type SettingName,
  typedOf,
} from './settings_table.ts'

/** One call, which changes a setting; undefined where the role may not. */
type Save = ((body: SettingsChanges) => Promise<unknown>) | undefined

type GroupProps = {
  group: SettingGroup
  settings: Settings
  save: Save
  /** Whether those that only the operator changes are changed here. */
  isOperator?: boolean
}

export function Group(props: GroupProps) {
  const { group, settings, save, isOperator = false } = props
  const { name, settings: rows } = group
  const { t } = useTranslation()
  const { data: session } = useSession()
  const isOwner = isOperator || session?.role === 'owner'
  const isClosed = ({ is_operators, is_owners }: (typeof rows)[number]) =>
    (is_operators && !isOperator) || (is_owners && !isOwner)
  return (
    <Panel title={t(`settings.groups.${name}`)} flush>
      <dl className={styles['rows']}>
        {rows.map((row) => (
          <Row
            key={row.name}
            name={row.name}
            kind={row.kind}
            save={isClosed(row) ? undefined : save}
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
  save: Save
  value: Settings[SettingName]
}

function Row({ name, kind, save, value }: RowProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['row']}>
      <dt>
        <strong>{t(`settings.names.${name}`)}</strong>
        <span>{t(`settings.texts.${name}`)}</span>
      </dt>
      <dd>
        <Value value={value} />
        {save && <Change name={name} kind={kind} save={save} value={value} />}
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
function Change({ name, kind, save, value }: RowProps & { save: NonNullable<Save> }) {
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
      act={() => save(body)}
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
