import { Button, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CopyField } from './copy.tsx'
import styles from './shown_once.module.css'

type ShownOnceProps = {
  title: string
  text: string
  label: string
  /** Undefined while there is nothing to show. */
  value: string | undefined
  onClose: () => void
}

/** A secret that the server has answered this once. */
export function ShownOnce({ title, text, label, value, onClose }: ShownOnceProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={value !== undefined}
      onClose={onClose}
      title={title}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <div className={styles['shown']}>
        <p>{text}</p>
        <CopyField label={label} text={value ?? ''} />
        <Button onClick={onClose}>{t('actions.close')}</Button>
      </div>
    </Modal>
  )
}
