import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys, useOs } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './palette.module.css'

/** Loaded at its first use. */
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** The field in the bar that opens the palette, as Ctrl-K does anywhere. */
export function PaletteOpener() {
  const { t } = useTranslation()
  const [isOpen, { open, close, toggle }] = useDisclosure()
  const isApple = ['macos', 'ios'].includes(useOs())
  // Also while the focus is in a field.
  useHotkeys([['mod+K', toggle]], [])
  return (
    <>
      <UnstyledButton
        className={styles['opener'] ?? ''}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={open}
      >
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <span className={styles['hint']}>{t('search.title')}</span>
        <Kbd size="xs" dir="ltr" className={styles['keys'] ?? ''} aria-hidden>
          {isApple ? '⌘ K' : 'Ctrl K'}
        </Kbd>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <Palette onClose={close} />
        </Suspense>
      )}
    </>
  )
}
