import { Combobox } from '@mantine/core'
import { type Icon, IconFile } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Status } from '../../parts/values.tsx'
import type { Choice } from './choices.ts'
import styles from './palette.module.css'
import { pictures } from './pictures.ts'

type GroupProps = { label: string; choices: readonly Choice[] }

/** Choices of one sort; nothing if there are none. */
export function Group({ label, choices }: GroupProps) {
  const { t } = useTranslation()
  if (choices.length === 0) return null
  return (
    <Combobox.Group label={label}>
      {choices.map(({ value, title, subtitle, status, kind, icon }) => (
        <Combobox.Option key={value} value={value} className={styles['option'] ?? ''}>
          <Picture icon={kind === undefined ? icon : pictures[kind]} />
          <span className={styles['name']}>
            <span className={styles['title']}>
              <bdi>{title}</bdi>
            </span>
            {(kind !== undefined || subtitle !== undefined) && (
              <span className={styles['subtitle']}>
                {kind !== undefined && t(`search.kinds.${kind}`)}
                {subtitle !== undefined && (
                  <>
                    {' · '}
                    <bdi>{subtitle}</bdi>
                  </>
                )}
              </span>
            )}
          </span>
          {status !== undefined && <Status>{status}</Status>}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}

function Picture({ icon: Shown = IconFile }: { icon: Icon | undefined }) {
  return <Shown size={17} stroke={1.75} aria-hidden />
}
