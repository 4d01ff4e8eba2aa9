import { ActionIcon } from '@mantine/core'
import {
  IconArrowAutofitHeight,
  IconArrowAutofitWidth,
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconRotate2,
  IconRotateClockwise2,
  IconZoomIn,
  IconZoomOut,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type Extent, type Move, mayMove, type View } from './view.ts'
import styles from './viewer.module.css'

/** The key of each move, as buttons and the list of keys name them. */
export const KEYS = {
  next: 'n',
  previous: 'p',
  larger: '+',
  smaller: '-',
  fit: 'f',
  turn: 't',
  turn_back: 'T',
} as const

type ToolbarProps = {
  view: View
  extent: Extent
  /** Whether there is something to turn and to enlarge. */
  isShown: boolean
  move: (move: Move) => void
  download: () => void
}

export function Toolbar({ view, extent, isShown, move, download }: ToolbarProps) {
  const { t } = useTranslation()
  const button = (step: keyof typeof KEYS, picture: ReactNode, isOff = !isShown) => (
    <Tool
      key={step}
      label={t(`reviews.viewer.${step}`)}
      shortcut={KEYS[step]}
      isOff={isOff}
      onPress={() => move(step)}
    >
      {picture}
    </Tool>
  )
  const isWidth = view.fit === 'width'
  const Fit = isWidth ? IconArrowAutofitHeight : IconArrowAutofitWidth
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no part of a form.
    <div className={styles['tools']} role="group" aria-label={t('reviews.viewer.tools')}>
      {button(
        'previous',
        <IconChevronLeft className={styles['flips']} />,
        !mayMove(view, 'previous', extent),
      )}
      <span dir="ltr" className={styles['place']}>
        {t('reviews.viewer.page', { page: view.page, pages: extent.pages })}
      </span>
      {button(
        'next',
        <IconChevronRight className={styles['flips']} />,
        !mayMove(view, 'next', extent),
      )}
      <span className={styles['gap']} />
      {button('smaller', <IconZoomOut />)}
      <span dir="ltr" className={styles['place']}>
        {Math.round(view.zoom * 100)}%
      </span>
      {button('larger', <IconZoomIn />)}
      <Tool
        label={isWidth ? t('reviews.viewer.fit_page') : t('reviews.viewer.fit_width')}
        shortcut={KEYS.fit}
        isOff={!isShown}
        onPress={() => move('fit')}
      >
        <Fit />
      </Tool>
      {button('turn_back', <IconRotate2 />)}
      {button('turn', <IconRotateClockwise2 />)}
      <Tool label={t('reviews.viewer.download')} isOff={false} onPress={download}>
        <IconDownload />
      </Tool>
    </div>
  )
}

type ToolProps = {
  label: string
  shortcut?: string
  isOff: boolean
  onPress: () => void
  children: ReactNode
}

function Tool({ label, shortcut, isOff, onPress, children }: ToolProps) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      className={styles['tool']}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      title={shortcut === undefined ? label : `${label} (${shortcut})`}
      disabled={isOff}
      onClick={onPress}
    >
      {children}
    </ActionIcon>
  )
}
