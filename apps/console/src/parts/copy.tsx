import { Button, TextInput } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'

type CopyProps = { text: string; size?: 'xs' | 'sm'; label?: string }

/** A button that copies a text; a reader of the screen hears that it has. */
export function Copy({ text, size = 'xs', label }: CopyProps) {
  const { t } = useTranslation()
  const { copied, copy } = useClipboard()
  const Picture = copied ? IconCheck : IconCopy
  return (
    <Button
      size={size}
      variant="default"
      leftSection={<Picture size={14} aria-hidden />}
      onClick={() => copy(text)}
    >
      {label ?? t('actions.copy')}
      <span role="status" className={styles['hidden']}>
        {copied ? t('actions.copied') : ''}
      </span>
    </Button>
  )
}

/** A value that can be read and copied, not changed. */
export function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div className={styles['copyField']}>
      <TextInput
        readOnly
        dir="ltr"
        label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Copy text={text} size="sm" />
    </div>
  )
}
