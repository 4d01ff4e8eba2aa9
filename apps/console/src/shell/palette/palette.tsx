import { Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Finder } from './finder.tsx'
import styles from './palette.module.css'

type PaletteProps = { onClose: () => void }

/** The dialog of the finder. */
export function Palette({ onClose }: PaletteProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened onClose={onClose} size="lg" yOffset="10dvh" centered={false}>
      <Modal.Overlay backgroundOpacity={0.35} />
      <Modal.Content
        aria-label={t('search.title')}
        classNames={{ content: styles['dialog'] ?? '' }}
      >
        <Finder onClose={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}
