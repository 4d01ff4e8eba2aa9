import { Button } from '@mantine/core'
import { IconUsers } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isSame, type Names } from './changes.ts'
import styles from './meanwhile.module.css'

/** The label of a field, and how its value is written where it is not what was typed. */
type Label<Value> = string | { label: string; textOf: (value: Value) => string }

/** One for each field that another person may change. */
export type Labels<Typed> = { [Name in keyof Typed]: Label<Typed[Name]> }

type MeanwhileProps<Typed> = {
  /** The fields that have changed. */
  names: Names<Typed>
  labels: Labels<Typed>
  before: Typed
  now: Typed
  mine: Typed
  /** The member takes what the other has written. */
  onTake: (name: keyof Typed & string) => void
}

/** The changes of another person since a form was opened, beside those of the member. */
export function Meanwhile<Typed extends object>(props: MeanwhileProps<Typed>) {
  const { names, labels, before, now, mine, onTake } = props
  const { t } = useTranslation()
  const region = useRef<HTMLElement>(null)
  // It has the focus, so that a reader of the screen hears it and the page shows it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version gets the focus once.
  useEffect(() => region.current?.focus(), [now])
  return (
    <section
      ref={region}
      tabIndex={-1}
      aria-label={t('edit.title')}
      className={styles['meanwhile']}
    >
      <strong>
        <IconUsers size={20} aria-hidden />
        {t('edit.title')}
      </strong>
      <p>{t('edit.text')}</p>
      <ul>
        {names.map((name) => (
          <Field
            key={name}
            label={labels[name]}
            values={[before[name], now[name], mine[name]]}
            onTake={() => onTake(name)}
          />
        ))}
      </ul>
    </section>
  )
}

type FieldProps<Value> = {
  label: Label<Value>
  values: readonly [before: Value, now: Value, mine: Value]
  onTake: () => void
}

function Field<Value>({ label, values: [before, now, mine], onTake }: FieldProps<Value>) {
  const { t } = useTranslation()
  const usual = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? t('edit.yes') : t('edit.no')
    return Array.isArray(value) ? value.join(', ') : String(value ?? '')
  }
  const { label: title, textOf } = typeof label === 'object' ? label : { label, textOf: usual }
  const rows = [
    [t('edit.before'), before],
    [t('edit.now'), now],
  ] as const
  const isOwn = !isSame(mine, now)
  return (
    <li>
      <span className={styles['name']}>{title}</span>
      <dl>
        {[...rows, ...(isOwn ? [[t('edit.mine'), mine] as const] : [])].map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              <bdi>{textOf(value) || t('none')}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      {isOwn && (
        <Button variant="default" onClick={onTake} aria-label={`${t('edit.take')}: ${title}`}>
          {t('edit.take')}
        </Button>
      )}
    </li>
  )
}
