import { Button, Checkbox } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { kindsByGroup } from '../issuing/event_kinds.ts'
import { Code } from '../values.tsx'
import styles from './hooks.module.css'

type KindsFieldProps<Kind extends string> = {
  /** Kinds to choose from. */
  kinds: readonly Kind[]
  chosen: readonly Kind[]
  onChange: (chosen: readonly Kind[]) => void
}

/** Kinds of events that a server receives, by what they are about. */
export function KindsField<Kind extends string>(props: KindsFieldProps<Kind>) {
  const { kinds, chosen, onChange } = props
  const { t } = useTranslation()
  const isAll = chosen.length === kinds.length
  const offered: ReadonlySet<string> = new Set(kinds)
  const groups = kindsByGroup
    .map(([group, all]) => [group, all.filter((kind) => offered.has(kind))] as const)
    .filter(([, some]) => some.length > 0)
  return (
    <Checkbox.Group
      label={t('webhooks.kinds')}
      value={[...chosen]}
      onChange={(values) => onChange(kinds.filter((kind) => values.includes(kind)))}
    >
      <div className={styles['kinds']}>
        <Button size="xs" variant="default" onClick={() => onChange(isAll ? [] : kinds)}>
          {isAll ? t('webhooks.choose_none') : t('webhooks.choose_all')}
        </Button>
        {groups.map(([group, some]) => (
          <fieldset key={group}>
            <legend>{t(`webhooks.groups.${group}`)}</legend>
            {some.map((kind) => (
              <Checkbox key={kind} value={kind} label={<Code>{kind}</Code>} />
            ))}
          </fieldset>
        ))}
      </div>
    </Checkbox.Group>
  )
}
