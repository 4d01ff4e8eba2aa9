import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import type { Settings, SettingsChanges, Usage } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'
import { Edit } from '../edit/edit.tsx'
import { NativeSelect, TextInput } from '../fields.tsx'
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

/** One call, which changes a setting; undefined if the role may not. */
type Save = ((body: SettingsChanges, match: Match) => Promise<unknown>) | undefined

type SettingsProps = { settings: Settings; read: () => Promise<Settings> }

type GroupProps = SettingsProps & {
  group: SettingGroup
  /** How much of its quotas the organization uses; undefined while it is read. */
  usage: Usage | undefined
  save: Save
  /** Whether those that only the operator changes are changed here. */
  isOperator?: boolean
}

export function Group(props: GroupProps) {
  const { group, settings, read, usage, save, isOperator = false } = props
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
            used={row.used && usage?.[row.used]}
            save={isClosed(row) ? undefined : save}
            {...{ settings, read }}
          />
        ))}
      </dl>
    </Panel>
  )
}

type RowProps = SettingsProps & {
  name: SettingName
  kind: Kind
  used: number | undefined
  save: Save
}

function Row({ name, kind, used, save, settings, read }: RowProps) {
  const { t } = useTranslation()
  return (
    <div className={styles['row']}>
      <dt>
        <strong>{t(`settings.names.${name}`)}</strong>
        <span>{t(`settings.texts.${name}`)}</span>
        {used !== undefined && <span>{t('settings.used', { used: typedOf(used) })}</span>}
      </dt>
      <dd>
        <Value value={settings[name]} />
        {save && <Change {...{ name, kind, save, settings, read }} />}
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

type Typed = { value: string }

type ChangeProps = Omit<RowProps, 'save' | 'used'> & { save: NonNullable<Save> }

/** One call for each setting. */
function Change(props: ChangeProps) {
  const { name, kind, save, settings, read } = props
  const { t } = useTranslation()
  const typedIn = (now: Settings): Typed => ({ value: typedOf(now[name]) })
  const [typed, setTyped] = useState(() => typedIn(settings))
  const label = t(`settings.names.${name}`)
  const decided: Readonly<Record<string, string>> = {
    true: t('settings.yes'),
    false: t('settings.no'),
  }
  const textOf = (value: string) => (kind === 'decision' ? decided[value] : value) ?? ''
  const field = {
    path: name,
    label,
    value: typed.value,
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ value: event.currentTarget.value }),
  }
  return (
    <Edit
      label={t('settings.change')}
      of={label}
      text={t(`settings.texts.${name}`)}
      item={settings}
      typedOf={typedIn}
      bodyOf={({ value }) => changesOf(name, kind, value)}
      labels={{ value: { label, textOf } }}
      {...{ read, typed, setTyped, save }}
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
    </Edit>
  )
}
